//! The columns with the order number and the tracking number.

use super::file::CsvFile;

/// Names in the files of Pirate Ship, ShipStation and Canada Post, and in the shop's own exports, without their spaces and
/// punctuation. The first that the file has is used.
const ORDER: [&str; 10] = [
    "ordernumber",
    "orderid",
    "order",
    "orderreference",
    "rubberstamp1",
    "customerreference",
    "customerreference1",
    "reference",
    "reference1",
    "number",
];
const TRACKING: [&str; 7] =
    ["trackingnumber", "shipmenttrackingnumber", "trackingno", "trackingid", "trackingpin", "tracking", "pin"];

/// Indexes of the columns; `None` if unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    pub order: Option<usize>,
    pub tracking: Option<usize>,
}

impl Columns {
    /// Recognizes the columns by their names.
    pub fn of(file: &CsvFile) -> Self {
        let names: Vec<String> = file.columns.iter().map(|name| normalized(name)).collect();
        let find = |known: &[&str]| known.iter().find_map(|known| names.iter().position(|name| name == known));
        Self { order: find(&ORDER), tracking: find(&TRACKING) }
    }
}

fn normalized(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognized(header: &str) -> (Option<usize>, Option<usize>) {
        let columns = Columns::of(&super::super::file::parse(header.as_bytes()).unwrap());
        (columns.order, columns.tracking)
    }

    #[test]
    fn the_columns_of_label_software_are_recognized_by_their_names() {
        assert_eq!(recognized("Recipient,Tracking Number,Order ID"), (Some(2), Some(1)));
        assert_eq!(recognized("Order - Number,Shipment - Tracking Number"), (Some(0), Some(1)));
        assert_eq!(recognized("ORDER #;TRACKING #"), (Some(0), Some(1)));
        assert_eq!(recognized("Customer Reference 1,Tracking PIN"), (Some(0), Some(1)));
        assert_eq!(recognized("number,order_date,tracking_number"), (Some(0), Some(2)));
        assert_eq!(recognized("Recipient,Service"), (None, None));
    }
}
