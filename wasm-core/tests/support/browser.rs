//! WASM runner of the cases: calls the exported functions with JavaScript values, as a browser does.

use js_sys::{Array, JSON};
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};
use wasm_core::bindings;
use wasm_core::tax_bindings;
use wasm_core::validation::COMMON_PASSWORDS;

/// Arguments of one call.
struct Arguments(Array);

impl Arguments {
    fn parse(text: &str) -> Self {
        Self(Array::from(&JSON::parse(text).unwrap()))
    }

    fn typed<T: Tsify>(&self, index: u32) -> Ts<T> {
        Ts::new_unchecked(self.0.get(index))
    }

    fn optional<T: Tsify>(&self, index: u32) -> Option<Ts<T>> {
        Some(self.0.get(index)).filter(|value| !value.is_undefined()).map(Ts::new_unchecked)
    }

    /// A string, number or array, unconverted.
    fn plain<T: JsCast>(&self, index: u32) -> T {
        self.0.get(index).unchecked_into()
    }
}

fn given(result: impl Into<JsValue>) -> String {
    let value = result.into();
    if value.is_undefined() { "null".into() } else { JSON::stringify(&value).unwrap().into() }
}

fn returned<T: Into<JsValue>>(result: Result<T, JsValue>) -> String {
    given(result.unwrap())
}

fn returned_list<T: Into<JsValue>>(result: Result<Vec<T>, JsValue>) -> String {
    returned(result.map(|items| items.into_iter().map(Into::into).collect::<Array>()))
}

/// One function for each export: `name(arguments) call` runs it with the arguments of a case.
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
    quote_for(a) returned(tax_bindings::quote_for(a.typed(0)));
    table_tax(a) returned(tax_bindings::table_tax(a.typed(0)));
    parse_day_range(a) returned(bindings::parse_day_range(a.plain(0)));
    parse_money(a) returned(bindings::parse_money(a.plain(0)));
    slug(a) returned(bindings::slug(a.plain(0)));
    validate_quantity(a) returned(bindings::validate_quantity(a.plain(0)));
    validate_photo_alt(a) returned(bindings::validate_photo_alt(a.plain(0)));
    validate_order_patch(a) returned(bindings::validate_order_patch(a.typed(0)));
    order_status_transitions(a) returned_list(bindings::order_status_transitions(a.typed(0)));
    payment_status(a) returned(bindings::payment_status(a.typed(0), a.typed(1), a.typed(2)));
    add_to_cart(a) returned(bindings::add_to_cart(a.typed(0), a.typed(1), a.plain(2)));
    set_quantity(a) returned(bindings::set_quantity(a.typed(0), a.plain(1), a.plain(2)));
    remove_from_cart(a) returned(bindings::remove_from_cart(a.typed(0), a.plain(1)));
    restore_cart_line(a) returned(bindings::restore_cart_line(a.typed(0), a.typed(1), a.plain(2)));
    limit_cart_to_stock(a) returned(bindings::limit_cart_to_stock(a.typed(0)));
    cart_count(a) returned(bindings::cart_count(a.typed(0)));
    cart_subtotal(a) returned(bindings::cart_subtotal(a.typed(0)));
    line_total(a) returned(bindings::line_total(a.typed(0)));
    order_item_total(a) returned(bindings::order_item_total(a.typed(0)));
    left_to_refund(a) returned(bindings::left_to_refund(a.typed(0), a.typed(1)));
    refresh_cart(a) returned(bindings::refresh_cart(a.typed(0), a.plain(1)));
    read_cart(a) returned(bindings::read_cart(a.0.get(0).is_string().then(|| a.plain(0))));
    read_cart_link(a) returned(bindings::read_cart_link(a.plain(0)));
    quantity_limit(a) returned(bindings::quantity_limit(a.plain(0)));
    quote(a) returned(bindings::quote(a.plain(0), a.typed(1), a.typed(2), a.optional(3)));
    quote_cart(a) returned(bindings::quote_cart(a.typed(0), a.typed(1), a.optional(2), a.optional(3)));
    tax_lines(a) returned_list(bindings::tax_lines(a.plain(0)));
    dollars_from_cents(a) returned(bindings::dollars_from_cents(a.plain(0)));
    format_money(a) returned(bindings::format_money(a.typed(0)));
    format_weight(a) returned(bindings::format_weight(a.typed(0)));
    format_date(a) returned(bindings::format_date(a.plain(0)));
    card_label(a) returned(bindings::card_label(a.typed(0)));
    validate_email(a) returned(bindings::validate_email(a.plain(0)));
    validate_password(a) returned(bindings::validate_password(a.plain(0), a.plain(1), a.plain(2), a.typed(3), JsValue::from_str(COMMON_PASSWORDS).unchecked_into()));
    check_confirmation(a) returned(bindings::check_confirmation(a.typed(0), a.plain(1), a.plain(2)));
    validate_address(a) returned(bindings::validate_address(a.typed(0)));
    validate_product(a) returned(bindings::validate_product(a.typed(0)));
    validate_tracking_number(a) returned(bindings::validate_tracking_number(a.plain(0)));
    tracking_link(a) returned(bindings::tracking_link(a.plain(0)).map(|link| link.map(JsValue::from)));
    states(a) returned_list(bindings::states(a.typed(0)));
    region_of_postal_code(a) returned(bindings::region_of_postal_code(a.typed(0), a.plain(1)));
    stock_badge(a) returned(bindings::stock_badge(a.plain(0)));
    stock_label(a) returned(bindings::stock_label(a.plain(0)));
    order_statuses(_a) returned_list(bindings::order_statuses());
    order_status_filters(_a) returned_list(bindings::order_status_filters());
    order_status_label(a) returned(bindings::order_status_label(a.typed(0)));
    payment_status_label(a) returned(bindings::payment_status_label(a.typed(0)));
}
