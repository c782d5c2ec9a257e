//! What the browser's functions do with values that only a bug can send: they throw, and say what was wrong.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use tsify::Ts;
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
