//! Exported functions with values of the wrong type: they throw a `TypeError` that names the argument and the member.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use wasm_core::money::Cents;
use wasm_core::pricing::TaxBreakdown;
use wasm_core::{bindings, js};

/// The message of the `TypeError` that is thrown.
fn message<T>(result: Result<T, JsValue>) -> String {
    match result {
        Ok(_) => panic!("nothing was thrown"),
        Err(error) => error.dyn_into::<js_sys::TypeError>().expect("a TypeError").message().into(),
    }
}

fn number<T: JsCast>(number: f64) -> T {
    JsValue::from_f64(number).unchecked_into()
}

#[wasm_bindgen_test]
fn an_amount_that_went_through_float_arithmetic_is_thrown_back() {
    let thrown = message(bindings::format_money(Ts::new_unchecked(JsValue::from_f64(0.1 + 0.2))));
    assert!(thrown.contains("at most two decimals"), "{thrown}");
}

#[wasm_bindgen_test]
fn not_a_number_is_thrown_back() {
    let thrown = message(bindings::format_money(Ts::new_unchecked(JsValue::from_f64(f64::NAN))));
    assert_eq!(thrown, "amount: Enter an amount in dollars with at most two decimals, like 24.99.");
}

#[wasm_bindgen_test]
fn a_cart_that_is_no_array_is_thrown_back() {
    let thrown = message(bindings::cart_count(Ts::new_unchecked(JsValue::from_str("cart"))));
    assert_eq!(thrown, "cart: expected an array");
}

#[wasm_bindgen_test]
fn undefined_is_thrown_back() {
    let thrown = message(bindings::validate_address(Ts::new_unchecked(JsValue::UNDEFINED)));
    assert_eq!(thrown, "address: expected an object");
}

#[wasm_bindgen_test]
fn another_country_is_thrown_back() {
    let thrown = message(bindings::states(Ts::new_unchecked(JsValue::from_str("FR"))));
    assert_eq!(thrown, "country: no such choice: FR");
}

fn object<T: Tsify>(json: &str) -> Ts<T> {
    Ts::new_unchecked(js_sys::JSON::parse(json).unwrap())
}

#[wasm_bindgen_test]
fn the_first_member_that_is_wrong_is_named() {
    let item = r#"{"product_id": "p1", "product_name": "One", "quantity": 1.5, "price": "free"}"#;
    let thrown = message(bindings::order_item_total(object(item)));
    assert_eq!(thrown, "item.quantity: expected a whole number");
}

#[wasm_bindgen_test]
fn a_member_of_a_member_is_named_with_the_way_to_it() {
    let tax = r#"{"amount": 362, "tax_rate_details": {"percentage_decimal": 7.25}}"#;
    let thrown = message(bindings::tax_lines(js_sys::Array::of1(&object::<TaxBreakdown>(tax).into()).unchecked_into()));
    assert_eq!(thrown, "breakdown[0].tax_rate_details.percentage_decimal: expected a string");
}

#[wasm_bindgen_test]
fn a_member_that_is_missing_is_thrown_back_where_it_must_be_there() {
    let thrown = message(bindings::order_item_total(object(r#"{"product_id": "p1", "quantity": 1, "price": 1}"#)));
    assert_eq!(thrown, "item.product_name: missing");
}

#[wasm_bindgen_test]
fn an_address_without_members_is_read_as_an_empty_one() {
    assert!(bindings::validate_address(object("{}")).is_ok());
}

#[wasm_bindgen_test]
fn shipping_that_costs_less_than_nothing_is_thrown_back() {
    let rates = object(r#"{"us": {"first_pound": 4.95, "additional_pound": -1}}"#);
    let thrown =
        message(bindings::quote_cart(object("[]"), Ts::new_unchecked(JsValue::from_str("US")), Some(rates), None));
    assert_eq!(thrown, "shipping.us.additional_pound: A shipping price cannot be negative.");
}

#[wasm_bindgen_test]
fn a_cart_that_lists_a_product_twice_is_thrown_back() {
    let line = r#"{"id": "p1", "name": "One", "price": 24.99, "quantity": 1, "slug": "one", "image": "/images/one.svg",
        "weight_pounds": 0.6, "stock": 5, "available": 5}"#;
    let thrown = message(bindings::cart_count(object(&format!("[{line}, {line}]"))));
    assert!(thrown.contains("each product once"), "{thrown}");
}

#[wasm_bindgen_test]
fn an_array_and_a_date_are_no_objects_without_members() {
    for wrong in [js_sys::Array::new().into(), js_sys::Date::new_0().into()] {
        let wrong: JsValue = wrong;
        assert_eq!(message(bindings::validate_address(Ts::new_unchecked(wrong))), "address: expected an object");
    }
}

#[wasm_bindgen_test]
fn a_number_where_a_string_is_expected_is_thrown_back_by_the_arguments_name() {
    assert_eq!(message(bindings::validate_email(number(2.0))), "typed: expected a string");
    assert_eq!(message(bindings::format_date(number(24.99))), "rfc3339: expected a string");
}

#[wasm_bindgen_test]
fn a_number_that_would_be_cut_or_wrapped_is_thrown_back() {
    let range = "from -2147483648 to 2147483647";
    for wraps in [2_147_483_648.0, -2_147_483_649.0, 4_294_967_301.0] {
        assert_eq!(message(bindings::dollars_from_cents(number(wraps))), format!("cents: expected a number {range}"));
        assert_eq!(message(bindings::quantity_limit(number(wraps))), format!("available: expected a number {range}"));
        assert!(bindings::stock_badge(number(wraps)).is_err());
        assert!(bindings::stock_label(number(wraps)).is_err());
    }
    for cut in [3.62, 0.5, 1e21, f64::NAN, f64::INFINITY] {
        assert_eq!(message(bindings::dollars_from_cents(number(cut))), "cents: expected a whole number");
        assert_eq!(message(bindings::quantity_limit(number(cut))), "available: expected a whole number");
        assert!(bindings::stock_badge(number(cut)).is_err());
        assert!(bindings::stock_label(number(cut)).is_err());
    }
    assert!(bindings::dollars_from_cents(number(2_147_483_647.0)).is_ok());
}

#[wasm_bindgen_test]
fn the_number_of_an_empty_field_is_refused_by_the_rule_and_not_thrown_back() {
    let changed = bindings::set_quantity(object("[]"), JsValue::from_str("p1").unchecked_into(), number(f64::NAN));
    let outcome = js_sys::JSON::stringify(&changed.unwrap().into()).unwrap();
    assert_eq!(outcome, r#"{"ok":false,"error":"Enter the quantity as a whole number, like 2."}"#);
}

/// Exact to the cent: a number that JavaScript has for the amount, and back.
fn assert_crosses(cents: i64) {
    let amount = Cents::from_cents(cents);
    let value = js::write(&amount).unwrap();
    assert!(value.as_f64().is_some());
    assert_eq!(js::read::<Cents>("amount", &value), Ok(amount));
}

/// Every amount below $1,000, and every 37th up to the largest price, $99,999.99.
#[wasm_bindgen_test]
fn every_price_crosses_exactly() {
    (0..100_000).for_each(assert_crosses);
    (0..=9_999_999).step_by(37).for_each(assert_crosses);
}

/// Amounts of up to 15 digits, which a 64-bit float has exactly: random ones of each magnitude, and the largest.
#[wasm_bindgen_test]
fn amounts_of_fifteen_digits_cross_exactly() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for limit in (1..=15).map(|digits| 10_i64.pow(digits)) {
        for _ in 0..5_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let cents = i64::try_from(random >> 1).unwrap() % limit;
            assert_crosses(cents);
            assert_crosses(-cents);
        }
        assert_crosses(limit - 1);
        assert_crosses(1 - limit);
    }
}
