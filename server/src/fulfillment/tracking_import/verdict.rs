//! The decision on each row of an import: shipped, or skipped for a reason.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wasm_core::orders::{OrderStatus, TrackingCheck, check_tracking_number, compact_tracking_number};
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
    #[schema(max_length = 64, example = "9400111899223817253416")]
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
    /// This order already has a different tracking number.
    OtherNumber,
    /// Another order, in the shop or in the file, has this tracking number.
    NumberOfOtherOrder,
    /// The order was delivered without a tracking number.
    Delivered,
    Refunded,
    /// Every item of the order is refunded.
    NothingOwed,
    /// A dispute, an inquiry or an early fraud warning keeps the order from being shipped.
    OnHold,
    UnknownOrder,
    InvalidOrder,
    InvalidNumber,
    /// The check digit of the tracking number is wrong.
    WrongCheckDigit,
    /// A spreadsheet has rounded the tracking number.
    RoundedNumber,
}

/// A doubt about a row that is shipped nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TrackingWarning)]
pub enum Warning {
    /// No known carrier has tracking numbers of this format.
    UnknownFormat,
}

impl Warning {
    /// The warning of a tracking number that may be shipped.
    pub fn of(tracking_number: &str) -> Option<Self> {
        let check = check_tracking_number(tracking_number);
        (check == TrackingCheck::UnknownFormat).then_some(Self::UnknownFormat)
    }

    /// The warning as a sentence.
    pub fn message(self) -> &'static str {
        match self {
            Self::UnknownFormat => "Will be shipped. The number doesn’t match any known carrier’s format.",
        }
    }
}

impl Verdict {
    /// The verdict as a sentence.
    pub fn message(self) -> &'static str {
        match self {
            Self::Ship => "Will be shipped.",
            Self::AlreadyShipped => "Already shipped with this number.",
            Self::Duplicate => "Duplicate of an earlier row.",
            Self::Contradiction => "Another row has a different tracking number for this order.",
            Self::OtherNumber => "This order already has a different tracking number.",
            Self::Delivered => "The order is already delivered.",
            Self::Refunded => "The order has been refunded.",
            Self::NothingOwed => "Everything in this order has been refunded.",
            Self::OnHold => "The order is on hold.",
            Self::NumberOfOtherOrder => "Another order, or another row, has this tracking number.",
            Self::UnknownOrder => "There is no order with this number.",
            Self::InvalidOrder => "This is not an order number.",
            Self::InvalidNumber => "This isn’t a tracking number.",
            Self::WrongCheckDigit => "The check digit is wrong. Compare the number with the label.",
            Self::RoundedNumber => "Excel rounded this number. Export the file again.",
        }
    }
}

/// Reads `1001`, `#1001` and `NL-1001`, and the `1,001`, `1 001`, `1001.0` and `1001,0` of a spreadsheet.
pub fn parse_order_number(text: &str) -> Option<i64> {
    let text = text.trim();
    let text = [".0", ".00", ",0", ",00"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let text = text.strip_prefix('#').unwrap_or(text);
    let digits = match text.get(..3) {
        Some(prefix) if prefix.eq_ignore_ascii_case("NL-") => text.get(3..)?,
        _ => text,
    };
    let digits = without_thousands(digits)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| is_number && *number > 0)
}

/// The digits without the commas or spaces between groups of three.
fn without_thousands(text: &str) -> Option<String> {
    let is_separator = |character: char| character == ',' || character.is_whitespace();
    let mut groups = text.split(is_separator);
    let first = groups.next()?;
    let are_thousands = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    (are_thousands || !text.contains(is_separator)).then(|| text.replace(is_separator, ""))
}

/// The trimmed tracking number.
///
/// # Errors
/// The verdict, if it is none.
pub fn parse_tracking_number(text: &str) -> Result<String, Verdict> {
    let check = check_tracking_number(text);
    if check == TrackingCheck::Rounded {
        return Err(Verdict::RoundedNumber);
    }
    let number = validate_tracking_number(text).ok().flatten().ok_or(Verdict::InvalidNumber)?;
    let is_allowed = number.chars().all(|character| character.is_ascii_alphanumeric() || " -".contains(character));
    if !is_allowed || !number.contains(|character: char| character.is_ascii_digit()) {
        return Err(Verdict::InvalidNumber);
    }
    if check == TrackingCheck::WrongCheckDigit { Err(Verdict::WrongCheckDigit) } else { Ok(number) }
}

/// What the shop has stored about the orders and tracking numbers of shipments.
#[derive(Default)]
pub struct Known {
    /// By order number.
    pub orders: HashMap<i64, OrderState>,
    /// The numbers of the orders with a compact tracking number.
    pub tracked: HashMap<String, HashSet<i64>>,
}

/// The verdicts of these shipments, in their order.
pub fn verdicts(shipments: &[Shipment], known: &Known) -> Vec<Verdict> {
    let mut numbers: HashMap<i64, HashSet<String>> = HashMap::new();
    let mut tracked = known.tracked.clone();
    for Shipment { order_number, tracking_number } in shipments {
        let tracking_number = compact_tracking_number(tracking_number);
        numbers.entry(*order_number).or_default().insert(tracking_number.clone());
        tracked.entry(tracking_number).or_default().insert(*order_number);
    }
    let is_one = |count: Option<usize>| count == Some(1);
    let mut seen: HashSet<i64> = HashSet::new();
    let verdict = |shipment: &Shipment| {
        if !is_one(numbers.get(&shipment.order_number).map(HashSet::len)) {
            return Verdict::Contradiction;
        }
        if !seen.insert(shipment.order_number) {
            return Verdict::Duplicate;
        }
        let verdict = verdict_of(shipment, known.orders.get(&shipment.order_number));
        let orders = tracked.get(&compact_tracking_number(&shipment.tracking_number)).map(HashSet::len);
        if verdict == Verdict::Ship && !is_one(orders) { Verdict::NumberOfOtherOrder } else { verdict }
    };
    shipments.iter().map(verdict).collect()
}

fn verdict_of(shipment: &Shipment, order: Option<&OrderState>) -> Verdict {
    let Some(order) = order else { return Verdict::UnknownOrder };
    let is_same = order
        .tracking_number
        .as_deref()
        .map(|number| compact_tracking_number(number) == compact_tracking_number(&shipment.tracking_number));
    if order.owes_nothing && order.status.is_to_ship() {
        return Verdict::NothingOwed;
    }
    if order.is_on_hold {
        return Verdict::OnHold;
    }
    match (order.status, is_same) {
        (OrderStatus::Refunded, _) => Verdict::Refunded,
        (OrderStatus::Shipped | OrderStatus::Delivered, Some(true)) => Verdict::AlreadyShipped,
        (_, Some(false)) => Verdict::OtherNumber,
        (OrderStatus::Delivered, None) => Verdict::Delivered,
        (OrderStatus::Pending | OrderStatus::Processing, _) | (OrderStatus::Shipped, None) => Verdict::Ship,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipment(order_number: i64, tracking_number: &str) -> Shipment {
        Shipment { order_number, tracking_number: tracking_number.to_owned() }
    }

    fn to_ship(status: OrderStatus) -> OrderState {
        OrderState { status, name: "Ada".to_owned(), tracking_number: None, owes_nothing: false, is_on_hold: false }
    }

    fn verdict(status: OrderStatus, has: Option<&str>) -> Verdict {
        verdict_in(OrderState { tracking_number: has.map(str::to_owned), ..to_ship(status) })
    }

    fn verdict_in(state: OrderState) -> Verdict {
        let known = Known { orders: HashMap::from([(1001, state)]), ..Known::default() };
        verdicts(&[shipment(1001, "1Z 99-a")], &known)[0]
    }

    #[test]
    fn an_order_number_may_have_the_prefix_of_a_slip_or_a_hash_sign() {
        for text in
            ["1001", " NL-1001", "nl-1001", "#1001", "#NL-1001", "1,001", "1001.0", "1001.00", "1\u{a0}001", "1001,0"]
        {
            assert_eq!(parse_order_number(text), Some(1001), "{text}");
        }
        for text in
            ["", "NL-", "0", "-1", "+1", "1001.5", "10,01", ",001", "A1001", "NL--1", "99999999999999999999", "１"]
        {
            assert_eq!(parse_order_number(text), None, "{text}");
        }
    }

    #[test]
    fn a_rounded_number_and_a_word_are_no_tracking_numbers() {
        assert_eq!(parse_tracking_number(" 9400 1118-99 "), Ok("9400 1118-99".to_owned()));
        assert_eq!(parse_tracking_number("9.40011E+21"), Err(Verdict::RoundedNumber));
        for text in ["", "Priority Mail", "=1", "1Z<b>", "9".repeat(65).as_str()] {
            assert_eq!(parse_tracking_number(text), Err(Verdict::InvalidNumber), "{text}");
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
    fn an_order_that_owes_nothing_is_not_shipped() {
        let of = |status| verdict_in(OrderState { owes_nothing: true, ..to_ship(status) });
        assert_eq!([OrderStatus::Pending, OrderStatus::Processing].map(of), [Verdict::NothingOwed; 2]);
        assert_eq!(of(OrderStatus::Shipped), Verdict::Ship, "it was shipped before its refund");
    }

    #[test]
    fn a_row_that_is_repeated_counts_once_and_rows_that_contradict_each_other_never() {
        let state = to_ship(OrderStatus::Pending);
        let orders = HashMap::from([(1001, state.clone()), (1002, state)]);
        let known = Known { orders, ..Known::default() };
        let rows = [
            shipment(1001, "T1"),
            shipment(1002, "T2"),
            shipment(1001, "t-1"),
            shipment(1002, "T3"),
            shipment(7, "T9"),
        ];
        use Verdict::{Contradiction, Duplicate, Ship, UnknownOrder};
        assert_eq!(verdicts(&rows, &known), [Ship, Contradiction, Duplicate, Contradiction, UnknownOrder]);
    }
}
