//! What the browser's functions do with values that only a bug can send: they throw, and say what was wrong.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use wasm_core::bindings;

fn message<T>(result: Result<T, wasm_bindgen::JsError>) -> String {
    match result {
        Ok(_) => panic!("nothing was thrown"),
        Err(error) => JsValue::from(error).unchecked_into::<js_sys::Error>().message().into(),
    }
}

#[wasm_bindgen_test]
fn an_amount_that_went_through_float_arithmetic_is_thrown_back() {
    let thrown = message(bindings::format_money(Ts::new_unchecked(JsValue::from_f64(0.1 + 0.2))));
    assert!(thrown.contains("at most two decimals"), "{thrown}");
}

#[wasm_bindgen_test]
fn not_a_number_is_thrown_back() {
    let thrown = message(bindings::format_money(Ts::new_unchecked(JsValue::from_f64(f64::NAN))));
    assert!(thrown.contains("money::Cents"), "{thrown}");
}

#[wasm_bindgen_test]
fn a_cart_that_is_no_array_is_thrown_back() {
    let thrown = message(bindings::cart_count(Ts::new_unchecked(JsValue::from_str("cart"))));
    assert!(thrown.contains("cart::Cart"), "{thrown}");
}

#[wasm_bindgen_test]
fn undefined_is_thrown_back() {
    let thrown = message(bindings::validate_address(Ts::new_unchecked(JsValue::UNDEFINED)));
    assert!(thrown.contains("address::Address"), "{thrown}");
}

#[wasm_bindgen_test]
fn another_country_is_thrown_back() {
    let thrown = message(bindings::states(Ts::new_unchecked(JsValue::from_str("FR"))));
    assert!(thrown.contains("FR"), "{thrown}");
}

fn object<T: Tsify>(json: &str) -> Ts<T> {
    Ts::new_unchecked(js_sys::JSON::parse(json).unwrap())
}

#[wasm_bindgen_test]
fn the_first_member_that_is_wrong_is_named() {
    let item = r#"{"product_id": "p1", "product_name": "One", "quantity": 1.5, "price": "free"}"#;
    let thrown = message(bindings::order_item_total(object(item)));
    assert_eq!(thrown, "wasm_core::orders::OrderItem: quantity: expected a whole number");
}

#[wasm_bindgen_test]
fn a_member_of_a_member_is_named_with_the_way_to_it() {
    let tax = r#"{"amount": 362, "tax_rate_details": {"percentage_decimal": 7.25}}"#;
    let thrown = message(bindings::tax_lines(vec![object(tax)]));
    assert!(thrown.ends_with("TaxBreakdown: tax_rate_details: percentage_decimal: expected a text"), "{thrown}");
}

#[wasm_bindgen_test]
fn a_member_that_is_missing_is_thrown_back_where_it_must_be_there() {
    let thrown = message(bindings::order_item_total(object(r#"{"product_id": "p1", "quantity": 1, "price": 1}"#)));
    assert!(thrown.ends_with("product_name: expected a text"), "{thrown}");
}

#[wasm_bindgen_test]
fn an_address_without_members_is_read_as_an_empty_one() {
    assert!(bindings::validate_address(object("{}")).is_ok());
}

#[wasm_bindgen_test]
fn shipping_that_costs_less_than_nothing_is_thrown_back() {
    let rates = object(r#"{"us": {"first": 4.95, "further": -1}}"#);
    let thrown = message(bindings::quote_cart(object("[]"), Ts::new_unchecked(JsValue::from_str("US")), Some(rates)));
    assert!(thrown.contains("us: A shipping price cannot be negative."), "{thrown}");
}

#[wasm_bindgen_test]
fn a_cart_that_lists_a_product_twice_is_thrown_back() {
    let line = r#"{"id": "p1", "name": "One", "price": 24.99, "quantity": 1, "slug": "one", "image": "/images/one.svg",
        "weight_pounds": 0.6, "stock": 5, "available": 5}"#;
    let thrown = message(bindings::cart_count(object(&format!("[{line}, {line}]"))));
    assert!(thrown.contains("each product once"), "{thrown}");
}
