//! The decision on each row of an import: shipped, or left alone for a reason.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wasm_core::orders::OrderStatus;
use wasm_core::validation::validate_tracking_number;
use wasm_core::wire::whole_number;

use crate::orders::bulk::store::OrderState;

/// An order number with its tracking number.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Shipment {
    /// Order number.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 1, example = 1001)]
    pub order_number: i64,
    /// Letters, digits, spaces and hyphens, with at least one digit.
    #[schema(max_length = 64, example = "9400111899223817253419")]
    pub tracking_number: String,
}

/// What an import does with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TrackingVerdict)]
pub enum Verdict {
    /// The order gets the tracking number and becomes `shipped`.
    Ship,
    /// The order was shipped with this tracking number.
    AlreadyShipped,
    /// An earlier row has the same order and tracking number.
    Duplicate,
    /// Another row has another tracking number for the same order.
    Contradiction,
    /// The order has another tracking number.
    OtherNumber,
    /// The order was delivered without a tracking number.
    Delivered,
    Refunded,
    UnknownOrder,
    InvalidOrder,
    InvalidNumber,
}

impl Verdict {
    /// The verdict as a sentence.
    pub fn message(self) -> &'static str {
        match self {
            Self::Ship => "Will be shipped.",
            Self::AlreadyShipped => "Already shipped with this number.",
            Self::Duplicate => "An earlier row says the same.",
            Self::Contradiction => "Another row has another tracking number for this order.",
            Self::OtherNumber => "The order has another tracking number.",
            Self::Delivered => "The order is already delivered.",
            Self::Refunded => "The order is refunded.",
            Self::UnknownOrder => "There is no order with this number.",
            Self::InvalidOrder => "This is not an order number.",
            Self::InvalidNumber => "This is not a tracking number.",
        }
    }
}

/// Reads `1001`, `#1001` and `NL-1001`.
pub fn parse_order_number(text: &str) -> Option<i64> {
    let text = text.trim();
    let text = text.strip_prefix('#').unwrap_or(text);
    let digits = match text.get(..3) {
        Some(prefix) if prefix.eq_ignore_ascii_case("NL-") => text.get(3..)?,
        _ => text,
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| is_number && *number > 0)
}

/// The trimmed tracking number. A number that a spreadsheet has rounded, `9.4E+21`, is none.
pub fn parse_tracking_number(text: &str) -> Option<String> {
    let number = validate_tracking_number(text).ok()??;
    let is_allowed = number.chars().all(|character| character.is_ascii_alphanumeric() || " -".contains(character));
    (is_allowed && number.contains(|character: char| character.is_ascii_digit())).then_some(number)
}

/// The verdicts of these shipments, in their order.
pub fn verdicts(shipments: &[Shipment], orders: &HashMap<i64, OrderState>) -> Vec<Verdict> {
    let mut numbers: HashMap<i64, Option<String>> = HashMap::new();
    for shipment in shipments {
        match numbers.entry(shipment.order_number) {
            Entry::Vacant(entry) => drop(entry.insert(Some(normalized(&shipment.tracking_number)))),
            Entry::Occupied(mut entry) => {
                if entry.get().as_ref() != Some(&normalized(&shipment.tracking_number)) {
                    entry.insert(None);
                }
            }
        }
    }
    let mut seen: HashSet<i64> = HashSet::new();
    let verdict = |shipment: &Shipment| {
        if numbers.get(&shipment.order_number).is_none_or(Option::is_none) {
            Verdict::Contradiction
        } else if !seen.insert(shipment.order_number) {
            Verdict::Duplicate
        } else {
            verdict_of(shipment, orders.get(&shipment.order_number))
        }
    };
    shipments.iter().map(verdict).collect()
}

fn verdict_of(shipment: &Shipment, order: Option<&OrderState>) -> Verdict {
    let Some(order) = order else { return Verdict::UnknownOrder };
    let is_same =
        order.tracking_number.as_deref().map(|number| normalized(number) == normalized(&shipment.tracking_number));
    match (order.status, is_same) {
        (OrderStatus::Refunded, _) => Verdict::Refunded,
        (OrderStatus::Shipped | OrderStatus::Delivered, Some(true)) => Verdict::AlreadyShipped,
        (_, Some(false)) => Verdict::OtherNumber,
        (OrderStatus::Delivered, None) => Verdict::Delivered,
        (OrderStatus::Pending | OrderStatus::Processing, _) | (OrderStatus::Shipped, None) => Verdict::Ship,
    }
}

/// Without its spaces, hyphens and case, which carriers ignore.
fn normalized(tracking_number: &str) -> String {
    tracking_number.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipment(order_number: i64, tracking_number: &str) -> Shipment {
        Shipment { order_number, tracking_number: tracking_number.to_owned() }
    }

    fn verdict(status: OrderStatus, has: Option<&str>) -> Verdict {
        let state = OrderState { status, tracking_number: has.map(str::to_owned) };
        verdicts(&[shipment(1001, "1Z 99-a")], &HashMap::from([(1001, state)]))[0]
    }

    #[test]
    fn an_order_number_may_have_the_prefix_of_a_slip_or_a_hash_sign() {
        for text in ["1001", " NL-1001", "nl-1001", "#1001", "#NL-1001"] {
            assert_eq!(parse_order_number(text), Some(1001), "{text}");
        }
        for text in ["", "NL-", "0", "-1", "+1", "1001.0", "A1001", "NL--1", "99999999999999999999", "１"] {
            assert_eq!(parse_order_number(text), None, "{text}");
        }
    }

    #[test]
    fn a_rounded_number_and_a_word_are_no_tracking_numbers() {
        assert_eq!(parse_tracking_number(" 9400 1118-99 "), Some("9400 1118-99".to_owned()));
        for text in ["", "9.40011E+21", "Priority Mail", "=1", "1Z<b>", "9".repeat(65).as_str()] {
            assert_eq!(parse_tracking_number(text), None, "{text}");
        }
    }

    #[test]
    fn only_an_order_without_another_number_is_shipped() {
        for status in [OrderStatus::Pending, OrderStatus::Processing, OrderStatus::Shipped] {
            assert_eq!(verdict(status, None), Verdict::Ship);
            assert_eq!(verdict(status, Some("T2")), Verdict::OtherNumber);
        }
        assert_eq!(verdict(OrderStatus::Pending, Some("1Z99A")), Verdict::Ship);
        assert_eq!(verdict(OrderStatus::Shipped, Some("1z99A")), Verdict::AlreadyShipped);
        assert_eq!(verdict(OrderStatus::Delivered, Some("1Z99A")), Verdict::AlreadyShipped);
        assert_eq!(verdict(OrderStatus::Delivered, None), Verdict::Delivered);
        assert_eq!(verdict(OrderStatus::Refunded, Some("1Z99A")), Verdict::Refunded);
    }

    #[test]
    fn a_row_that_is_repeated_counts_once_and_rows_that_contradict_each_other_never() {
        let state = OrderState { status: OrderStatus::Pending, tracking_number: None };
        let orders = HashMap::from([(1001, state.clone()), (1002, state)]);
        let rows = [
            shipment(1001, "T1"),
            shipment(1002, "T2"),
            shipment(1001, "t-1"),
            shipment(1002, "T3"),
            shipment(7, "T1"),
        ];
        use Verdict::{Contradiction, Duplicate, Ship, UnknownOrder};
        assert_eq!(verdicts(&rows, &orders), [Ship, Contradiction, Duplicate, Contradiction, UnknownOrder]);
    }
}
