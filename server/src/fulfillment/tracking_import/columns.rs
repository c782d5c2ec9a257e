//! The columns with the order number and the tracking number.

use crate::infra::words::compact;

/// Names in the files of Pirate Ship, ShipStation, UPS, USPS, EasyPost and Canada Post, and in the shop's own exports, folded
/// and without their spaces and punctuation. The first that the file has is used.
const ORDER: [&str; 17] = [
    "ordernumber",
    "orderid",
    "order",
    "orderreference",
    "rubberstamp1",
    "customerreference",
    "customerreference1",
    "reference",
    "reference1",
    "referencenumbers",
    "referencenumber1",
    "packagereference1",
    "referenceid",
    "numerodereference",
    "referenceduclient",
    "referenceclient",
    "number",
];
const TRACKING: [&str; 15] = [
    "trackingnumber",
    "shipmenttrackingnumber",
    "packagetrackingnumber",
    "uspstracking",
    "trackingno",
    "trackingid",
    "trackingcode",
    "trackingpin",
    "tracking",
    "labelnumber",
    "numerodereperage",
    "itemnumber",
    "numerodarticle",
    "numerodelarticle",
    "pin",
];

/// Indexes of the columns; empty or `None` if unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// In each row, the first that isn't empty has the order number.
    pub order: Vec<usize>,
    pub tracking: Option<usize>,
}

impl Columns {
    /// Recognizes the columns by their names.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<String> = names.into_iter().map(compact).collect();
        let find = |known: &&str| names.iter().position(|name| name == known);
        Self { order: ORDER.iter().filter_map(find).collect(), tracking: TRACKING.iter().find_map(find) }
    }

    pub fn are_known(&self) -> bool {
        !self.order.is_empty() && self.tracking.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognized(header: &str) -> (Option<usize>, Option<usize>) {
        let columns = Columns::of(header.split([',', ';']));
        (columns.order.first().copied(), columns.tracking)
    }

    #[test]
    fn the_columns_of_label_software_are_recognized_by_their_names() {
        assert_eq!(recognized("Recipient,Tracking Number,Order ID"), (Some(2), Some(1)));
        assert_eq!(recognized("Order - Number,Shipment - Tracking Number"), (Some(0), Some(1)));
        assert_eq!(recognized("ORDER #;TRACKING #"), (Some(0), Some(1)));
        assert_eq!(recognized("Customer Reference 1,Tracking PIN"), (Some(0), Some(1)));
        assert_eq!(recognized("number,order_date,tracking_number"), (Some(0), Some(2)));
        assert_eq!(recognized("Num\u{e9}ro de rep\u{e9}rage;Num\u{e9}ro de r\u{e9}f\u{e9}rence"), (Some(1), Some(0)));
        assert_eq!(recognized("R\u{e9}f\u{e9}rence du client;Num\u{e9}ro de l\u{2019}article"), (Some(0), Some(1)));
        assert_eq!(recognized("Num\u{e9}ro d'article;R\u{e9}f\u{e9}rence client"), (Some(1), Some(0)));
        assert_eq!(recognized("Recipient,Service"), (None, None));
    }

    #[test]
    fn an_empty_order_id_is_looked_up_in_the_next_known_column() {
        assert_eq!(Columns::of(["Rubber Stamp 1", "Tracking", "Order ID"]).order, [2, 0]);
    }
}
