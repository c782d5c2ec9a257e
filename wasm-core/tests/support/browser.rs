//! The browser's functions as the browser calls them: JavaScript values go in and come out.

use js_sys::{Array, JSON};
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsError, JsValue};
use wasm_core::bindings;
use wasm_core::validation::COMMON_PASSWORDS;

/// The arguments of one call.
struct Arguments(Array);

impl Arguments {
    fn parse(text: &str) -> Self {
        Self(Array::from(&JSON::parse(text).unwrap()))
    }

    fn typed<T: Tsify>(&self, index: u32) -> Ts<T> {
        Ts::new_unchecked(self.0.get(index))
    }

    fn list<T: Tsify>(&self, index: u32) -> Vec<Ts<T>> {
        Array::from(&self.0.get(index)).iter().map(Ts::new_unchecked).collect()
    }

    fn optional<T: Tsify>(&self, index: u32) -> Option<Ts<T>> {
        Some(self.0.get(index)).filter(|value| !value.is_undefined()).map(Ts::new_unchecked)
    }

    fn text(&self, index: u32) -> String {
        self.0.get(index).as_string().unwrap()
    }

    fn number(&self, index: u32) -> f64 {
        self.0.get(index).as_f64().unwrap()
    }

    fn whole(&self, index: u32) -> i32 {
        format!("{}", self.number(index)).parse().unwrap()
    }
}

fn given(result: impl Into<JsValue>) -> String {
    let value = result.into();
    if value.is_undefined() { "null".into() } else { JSON::stringify(&value).unwrap().into() }
}

fn returned<T: Into<JsValue>>(result: Result<T, JsError>) -> String {
    given(result.map_err(JsValue::from).unwrap())
}

fn returned_list<T: Into<JsValue>>(result: Result<Vec<T>, JsError>) -> String {
    returned(result.map(|items| items.into_iter().map(Into::into).collect::<Array>()))
}

/// One function: `name(arguments) { call }` runs the binding with the arguments of a case.
macro_rules! functions {
    ($($name:ident($arguments:ident) $call:expr;)*) => {
        $(
            pub fn $name(text: &str) -> String {
                let $arguments = Arguments::parse(text);
                $call
            }
        )*
    };
}

functions! {
    add_to_cart(a) returned(bindings::add_to_cart(a.typed(0), a.typed(1), a.number(2)));
    set_quantity(a) returned(bindings::set_quantity(a.typed(0), &a.text(1), a.number(2)));
    remove_from_cart(a) returned(bindings::remove_from_cart(a.typed(0), &a.text(1)));
    clear_cart(a) returned(bindings::clear_cart(a.typed(0)));
    cart_count(a) returned(bindings::cart_count(a.typed(0)));
    cart_subtotal(a) returned(bindings::cart_subtotal(a.typed(0)));
    line_total(a) returned(bindings::line_total(a.typed(0)));
    order_item_total(a) returned(bindings::order_item_total(a.typed(0)));
    left_to_refund(a) returned(bindings::left_to_refund(a.typed(0), a.typed(1)));
    refresh_cart(a) returned(bindings::refresh_cart(a.typed(0), a.list(1)));
    read_cart(a) returned(bindings::read_cart(a.0.get(0).as_string()));
    quantity_limit(a) returned(bindings::quantity_limit(a.whole(0)));
    quote(a) returned(bindings::quote(a.list(0), a.typed(1), a.typed(2), a.optional(3)));
    quote_cart(a) returned(bindings::quote_cart(a.typed(0), a.typed(1), a.optional(2)));
    tax_lines(a) returned_list(bindings::tax_lines(a.list(0)));
    dollars_from_cents(a) returned(bindings::dollars_from_cents(a.whole(0)));
    format_money(a) returned(bindings::format_money(a.typed(0)));
    parse_money(a) returned(bindings::parse_money(&a.text(0)));
    format_weight(a) returned(bindings::format_weight(a.typed(0)));
    format_date(a) given(bindings::format_date(&a.text(0)));
    validate_email(a) returned(bindings::validate_email(&a.text(0)));
    validate_password(a) returned(bindings::validate_password(&a.text(0), &a.text(1), &a.text(2), a.typed(3), COMMON_PASSWORDS));
    check_confirmation(a) returned(bindings::check_confirmation(a.typed(0), &a.text(1), &a.text(2)));
    validate_quantity(a) returned(bindings::validate_quantity(&a.text(0)));
    validate_address(a) returned(bindings::validate_address(a.typed(0)));
    validate_product(a) returned(bindings::validate_product(a.typed(0)));
    validate_tracking_number(a) returned(bindings::validate_tracking_number(&a.text(0)));
    tracking_link(a) returned(bindings::tracking_link(&a.text(0)).map(|link| link.map(JsValue::from)));
    countries(_a) returned_list(bindings::countries());
    states(a) returned_list(bindings::states(a.typed(0)));
    stock_badge(a) returned(bindings::stock_badge(a.whole(0)));
    stock_label(a) given(bindings::stock_label(a.whole(0)));
    slug(a) given(bindings::slug(&a.text(0)));
    lamp_colour(a) returned(bindings::lamp_colour(&a.text(0)));
    order_statuses(_a) returned_list(bindings::order_statuses());
    order_status_filters(_a) returned_list(bindings::order_status_filters());
    order_status_label(a) returned(bindings::order_status_label(a.typed(0)));
    payment_status_label(a) returned(bindings::payment_status_label(a.typed(0)));
}
