//! Refunds in parts: whatever is refunded in whatever sequence, it adds up to what was paid.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use proptest::prelude::*;
use wasm_core::money::Cents;
use wasm_core::pricing::{Parts, Refundable, shares, table_tax};
use wasm_core::validation::{Country, states};

/// A refund: some of the items, shipping or an amount.
#[derive(Clone, Debug)]
enum Step {
    Items { line: usize, quantity: i64 },
    Shipping,
    Amount(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..4_usize, 1..5_i64).prop_map(|(line, quantity)| Step::Items { line, quantity }),
        1 => Just(Step::Shipping),
        2 => (1..20_000_i64).prop_map(Step::Amount),
    ]
}

fn place() -> impl Strategy<Value = (Country, &'static str)> {
    let all: Vec<_> = [Country::Us, Country::Ca]
        .into_iter()
        .flat_map(|country| states(country).iter().map(move |(code, _)| (country, *code)))
        .collect();
    prop::sample::select(all)
}

fn is_payable(parts: &Parts) -> bool {
    let taxes = parts.tax_breakdown.iter().map(|tax| Cents::from_cents(tax.amount));
    [parts.subtotal, parts.shipping].into_iter().chain(taxes).all(|amount| amount >= Cents::ZERO)
}

struct Order {
    lines: Vec<(i64, i64)>,
    left: Vec<i64>,
    total: Cents,
    refundable: Refundable,
}

impl Order {
    fn new(lines: Vec<(i64, i64)>, shipping: i64, (country, state): (Country, &str)) -> Self {
        let subtotal = Cents::from_cents(lines.iter().map(|(price, quantity)| price * quantity).sum());
        let shipping = Cents::from_cents(shipping);
        let taxes = table_tax(country, state, subtotal, shipping).unwrap();
        let refundable = Refundable::new(subtotal, shipping, taxes).unwrap();
        let total = refundable.left().unwrap().amount;
        Self { left: lines.iter().map(|(_, quantity)| *quantity).collect(), lines, total, refundable }
    }

    fn refunds(&mut self, step: &Step) -> Cents {
        let parts = match step {
            Step::Items { line, quantity } => {
                let line = line % self.lines.len();
                let quantity = *quantity.min(&self.left[line]);
                self.left[line] -= quantity;
                self.refundable.of_items(Cents::from_cents(self.lines[line].0 * quantity), Cents::ZERO).unwrap()
            }
            Step::Shipping => {
                let all = self.refundable.left().unwrap().shipping;
                self.refundable.of_items(Cents::ZERO, all).unwrap()
            }
            Step::Amount(cents) => self.refundable.of_amount(Cents::from_cents(*cents), &Parts::default()).unwrap(),
        };
        assert!(is_payable(&parts), "{parts:?}");
        self.refundable.refund(&parts).unwrap();
        let left = self.refundable.left().unwrap();
        assert!(is_payable(&left), "{left:?}");
        parts.amount
    }

    fn refunds_the_rest(&mut self) -> Cents {
        let items: i64 = self.lines.iter().zip(&self.left).map(|((price, _), left)| price * left).sum();
        let left = self.refundable.left().unwrap();
        let parts = self.refundable.of_items(Cents::from_cents(items), left.shipping).unwrap();
        self.refundable.refund(&parts).unwrap();
        parts.amount
    }
}

fn lines() -> impl Strategy<Value = Vec<(i64, i64)>> {
    prop::collection::vec((1..30_000_i64, 1..6_i64), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    // invariant: no-over-refunds
    #[test]
    fn refunds_in_any_sequence_are_never_more_than_was_paid_and_the_last_one_makes_it_exact(
        lines in lines(), shipping in 0..5_000_i64, place in place(), steps in prop::collection::vec(step(), 0..12),
    ) {
        let mut order = Order::new(lines, shipping, place);
        let mut refunded: i64 = steps.iter().map(|step| order.refunds(step).cents()).sum();
        prop_assert!(refunded <= order.total.cents());
        let rest = order.refundable.left().unwrap();
        let total = rest.amount;
        let parts = order.refundable.of_amount(total, &Parts::default()).unwrap();
        prop_assert_eq!(&parts, &rest);
        order.refundable.refund(&parts).unwrap();
        refunded += parts.amount.cents();
        prop_assert_eq!(refunded, order.total.cents());
    }

    #[test]
    fn items_and_shipping_come_to_the_same_in_any_order(
        lines in lines(), shipping in 0..5_000_i64, place in place(),
        steps in prop::collection::vec(step(), 0..8).prop_shuffle(),
    ) {
        let exact: Vec<Step> = steps.into_iter().filter(|step| !matches!(step, Step::Amount(_))).collect();
        let refund = |steps: &[Step]| {
            let mut order = Order::new(lines.clone(), shipping, place);
            let refunded: i64 = steps.iter().map(|step| order.refunds(step).cents()).sum();
            let after = order.refundable.left().unwrap();
            let rest = order.refunds_the_rest();
            assert_eq!(refunded + rest.cents(), order.total.cents());
            (refunded, after)
        };
        let backward: Vec<Step> = exact.iter().rev().cloned().collect();
        prop_assert_eq!(refund(&exact), refund(&backward));
    }

    #[test]
    fn an_amount_takes_the_preferred_parts_as_far_as_they_are_left(
        lines in lines(), shipping in 0..5_000_i64, place in place(), before in 0..40_000_i64,
    ) {
        let mut order = Order::new(lines, shipping, place);
        let preferred = order.refundable.of_items(Cents::from_cents(order.lines[0].0), Cents::ZERO).unwrap();
        let amount = preferred.amount;
        prop_assert_eq!(&order.refundable.of_amount(amount, &preferred).unwrap(), &preferred);
        order.refunds(&Step::Amount(before));
        let left = order.refundable.left().unwrap().amount;
        let parts = order.refundable.of_amount(amount, &preferred).unwrap();
        prop_assert_eq!(parts.amount, amount.min(left));
    }
}

#[test]
fn shares_add_up_and_differ_by_at_most_a_cent_from_what_is_due() {
    assert_eq!(shares(10, &[1, 1, 1]).iter().sum::<i64>(), 10);
    assert_eq!(shares(-10, &[2, 1]), [-7, -3]);
    assert_eq!(shares(5, &[0, 0]), [5, 0]);
    assert_eq!(shares(5, &[]), [0; 0]);
    assert_eq!(shares(100, &[1, 0, 3]), [25, 0, 75]);
}
