//! Tax table: one place for each kind of rule, and invariants of all places.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use wasm_core::money::{Cents, Overflow};
use wasm_core::pricing::{PricedLine, ShippingRates, TaxBreakdown, quote, table_tax};
use wasm_core::validation::{Country, states};
use wasm_core::weight::Weight;

/// Two lights at $24.99 and their shipping.
const GOODS: Cents = Cents::from_cents(4998);
const TO_US: Cents = Cents::from_cents(620);
const TO_CANADA: Cents = Cents::from_cents(1445);

fn told(taxes: &[TaxBreakdown]) -> Vec<(&str, Option<&str>, &str, i64)> {
    taxes
        .iter()
        .map(|tax| {
            let details = &tax.tax_rate_details;
            let kind = details.tax_type.as_deref().unwrap();
            (kind, details.state.as_deref(), details.percentage_decimal.as_str(), tax.amount)
        })
        .collect()
}

fn in_state(state: &str) -> Vec<TaxBreakdown> {
    table_tax(Country::Us, state, GOODS, TO_US).unwrap()
}

fn in_province(province: &str) -> Vec<TaxBreakdown> {
    table_tax(Country::Ca, province, GOODS, TO_CANADA).unwrap()
}

#[test]
fn california_taxes_the_goods_alone_and_two_lights_come_to_59_80() {
    let taxes = in_state("CA");
    assert_eq!(told(&taxes), [("sales_tax", Some("CA"), "7.25", 362)]);
    assert_eq!(taxes[0].tax_rate_details.country.as_deref(), Some("US"));

    let lights = PricedLine { price: Cents::from_cents(2499), weight: Weight::from_hundredths(60), quantity: 2 };
    let tax = Cents::from_cents(taxes[0].amount);
    let quote = quote(&[lights], Country::Us, &ShippingRates::default(), tax).unwrap();
    let amounts = [quote.subtotal, quote.shipping, quote.tax, quote.total].map(Cents::decimal);
    assert_eq!(amounts, ["49.98", "6.20", "3.62", "59.80"]);
}

#[test]
fn new_york_taxes_shipping_too() {
    assert_eq!(told(&in_state("NY")), [("sales_tax", Some("NY"), "4.0", 225)]);
}

#[test]
fn where_nothing_is_taxed_one_entry_says_so() {
    for state in ["AK", "DE", "MT", "NH", "OR", "GU", "AE"] {
        assert_eq!(told(&in_state(state)), [("sales_tax", Some(state), "0.0", 0)]);
    }
}

#[test]
fn three_decimals_of_a_percent_are_kept() {
    assert_eq!(told(&in_state("MN")), [("sales_tax", Some("MN"), "6.875", 386)]);
    assert_eq!(told(&in_state("MO")), [("sales_tax", Some("MO"), "4.225", 211)]);
}

#[test]
fn quebec_has_two_taxes_rounded_each_for_itself() {
    let expected = [("gst", None, "5.0", 322), ("qst", Some("QC"), "9.975", 643)];
    assert_eq!(told(&in_province("QC")), expected);
}

#[test]
fn a_harmonized_tax_stands_alone() {
    assert_eq!(told(&in_province("ON")), [("hst", Some("ON"), "13.0", 838)]);
    assert_eq!(told(&in_province("NS")), [("hst", Some("NS"), "14.0", 902)]);
    assert_eq!(told(&in_province("NB")), [("hst", Some("NB"), "15.0", 966)]);
}

#[test]
fn provincial_taxes_come_beside_the_federal_one() {
    assert_eq!(told(&in_province("BC")), [("gst", None, "5.0", 322), ("pst", Some("BC"), "7.0", 451)]);
    assert_eq!(told(&in_province("SK")), [("gst", None, "5.0", 322), ("pst", Some("SK"), "6.0", 387)]);
    assert_eq!(told(&in_province("MB")), [("gst", None, "5.0", 322), ("rst", Some("MB"), "7.0", 451)]);
}

#[test]
fn alberta_and_the_territories_have_the_federal_tax_alone() {
    for province in ["AB", "NT", "NU", "YT"] {
        assert_eq!(told(&in_province(province)), [("gst", None, "5.0", 322)]);
    }
}

#[test]
fn half_a_cent_is_rounded_up() {
    let tax = |cents| table_tax(Country::Ca, "AB", Cents::from_cents(cents), Cents::ZERO).unwrap()[0].amount;
    assert_eq!([tax(9), tax(10), tax(29), tax(30), tax(0)], [0, 1, 1, 2, 0]);
}

#[test]
fn every_region_has_an_answer() {
    for country in Country::ALL {
        for (state, _) in states(country) {
            let taxes = table_tax(country, state, GOODS, TO_US).unwrap();
            assert!((1..=2).contains(&taxes.len()), "{state}");
            assert!(taxes.iter().all(|tax| (0..1000).contains(&tax.amount)), "{state}");
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let most = Cents::from_cents(i64::MAX);
    assert_eq!(table_tax(Country::Us, "CA", most, Cents::ZERO), Err(Overflow));
    assert_eq!(table_tax(Country::Us, "NY", most, Cents::from_cents(1)), Err(Overflow));
    assert_eq!(table_tax(Country::Ca, "ON", most, Cents::from_cents(1)), Err(Overflow));
}
