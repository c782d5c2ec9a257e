//! Native runner of the cases: calls the rules themselves, with arguments and results as JSON text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use wasm_core::cart::{self, Cart, CartLine, CartLink};
use wasm_core::catalog::{self, Product, ProductForm};
use wasm_core::delivery::DayRange;
use wasm_core::money::Cents;
use wasm_core::orders::{self, Card, DisputeStatus, OrderItem, OrderPatch, OrderStatus, Payment, PaymentStatus};
use wasm_core::pricing::{self, PricedLine, PricingError, Quote, ShippingRates, TaxBreakdown};
use wasm_core::results::{AddressResult, CartResult, OrderPatchResult, ProductResult, QuoteResult, TextResult};
use wasm_core::tax_requests::{QuoteRequest, TableQuoteResult, TaxRequest};
use wasm_core::validation::{
    self, Address, AdminRule, COMMON_PASSWORDS, Confirmation, Country, Email, Password, PasswordRules, Quantity,
};
use wasm_core::weight::Weight;

fn call<A: DeserializeOwned, R: Serialize>(arguments: &str, rule: impl Fn(A) -> R) -> String {
    write(&rule(serde_json::from_str(arguments).unwrap()))
}

/// Arguments as separate JSON texts, for functions with an optional last argument.
fn separate(arguments: &str) -> Vec<&RawValue> {
    serde_json::from_str(arguments).unwrap()
}

fn read<A: DeserializeOwned>(argument: &RawValue) -> A {
    serde_json::from_str(argument.get()).unwrap()
}

fn write(result: &impl Serialize) -> String {
    serde_json::to_string(result).unwrap()
}

fn quantity(number: &serde_json::Number) -> Result<Quantity, String> {
    validation::parse_quantity_text(&number.to_string())
}

/// JSON of a result type.
fn value_or_error(result: Result<impl Serialize, String>) -> serde_json::Value {
    match result {
        Ok(value) => serde_json::json!({ "ok": true, "value": value }),
        Err(error) => serde_json::json!({ "ok": false, "error": error }),
    }
}

fn quote_result(result: Result<Quote, PricingError>) -> QuoteResult {
    result.map_err(|error| error.to_string()).into()
}

pub fn add_to_cart(arguments: &str) -> String {
    call(arguments, |(cart, product, number): (Cart, Product, serde_json::Number)| {
        CartResult::from(
            quantity(&number).and_then(|quantity| cart.add(&product, quantity).map_err(|error| error.to_string())),
        )
    })
}

pub fn set_quantity(arguments: &str) -> String {
    call(arguments, |(cart, id, number): (Cart, String, serde_json::Number)| {
        CartResult::from(
            quantity(&number).and_then(|quantity| cart.set_quantity(&id, quantity).map_err(|error| error.to_string())),
        )
    })
}

pub fn remove_from_cart(arguments: &str) -> String {
    call(arguments, |(cart, id): (Cart, String)| cart.remove(&id))
}

pub fn restore_cart_line(arguments: &str) -> String {
    call(arguments, |(cart, line, position): (Cart, CartLine, usize)| CartResult::from(cart.restored(line, position)))
}

pub fn limit_cart_to_stock(arguments: &str) -> String {
    call(arguments, |(cart,): (Cart,)| cart.limited_to_stock())
}

pub fn cart_count(arguments: &str) -> String {
    call(arguments, |(cart,): (Cart,)| cart.count())
}

pub fn cart_subtotal(arguments: &str) -> String {
    call(arguments, |(cart,): (Cart,)| cart.subtotal().unwrap())
}

pub fn line_total(arguments: &str) -> String {
    call(arguments, |(line,): (CartLine,)| line.total().unwrap())
}

pub fn order_item_total(arguments: &str) -> String {
    call(arguments, |(item,): (OrderItem,)| item.total().unwrap())
}

pub fn left_to_refund(arguments: &str) -> String {
    call(arguments, |(payment, total): (Payment, Cents)| payment.left(total).unwrap())
}

pub fn refresh_cart(arguments: &str) -> String {
    call(arguments, |(cart, products): (Cart, Vec<Product>)| cart.refreshed(&products))
}

pub fn read_cart(arguments: &str) -> String {
    call(arguments, |(stored,): (Option<String>,)| Cart::from_storage(&stored.unwrap_or_default()))
}

pub fn read_cart_link(arguments: &str) -> String {
    call(arguments, |(add,): (String,)| CartLink::parse(&add))
}

pub fn quantity_limit(arguments: &str) -> String {
    call(arguments, |(available,): (i64,)| cart::quantity_limit(available))
}

pub fn quote(arguments: &str) -> String {
    let arguments = separate(arguments);
    let lines: Vec<PricedLine> = read(arguments[0]);
    let rates: ShippingRates = arguments.get(3).map(|rates| read(rates)).unwrap_or_default();
    write(&quote_result(pricing::quote(&lines, read(arguments[1]), &rates, read(arguments[2]))))
}

pub fn quote_cart(arguments: &str) -> String {
    let arguments = separate(arguments);
    let cart: Cart = read(arguments[0]);
    let rates: ShippingRates = arguments.get(2).map(|rates| read(rates)).unwrap_or_default();
    let tax: Cents = arguments.get(3).map(|tax| read(tax)).unwrap_or_default();
    write(&quote_result(pricing::quote(&cart.priced_lines(), read(arguments[1]), &rates, tax)))
}

pub fn tax_lines(arguments: &str) -> String {
    call(arguments, |(breakdown,): (Vec<TaxBreakdown>,)| breakdown.iter().map(TaxBreakdown::line).collect::<Vec<_>>())
}

pub fn dollars_from_cents(arguments: &str) -> String {
    call(arguments, |(cents,): (i64,)| Cents::from_cents(cents))
}

pub fn format_money(arguments: &str) -> String {
    call(arguments, |(amount,): (Cents,)| amount.to_string())
}

pub fn parse_money(arguments: &str) -> String {
    call(arguments, |(typed,): (String,)| value_or_error(Cents::parse_typed(&typed).map_err(|error| error.to_string())))
}

pub fn parse_day_range(arguments: &str) -> String {
    call(arguments, |(typed,): (String,)| value_or_error(DayRange::parse(&typed)))
}

pub fn format_weight(arguments: &str) -> String {
    call(arguments, |(weight,): (Weight,)| weight.to_string())
}

pub fn format_date(arguments: &str) -> String {
    call(arguments, |(rfc3339,): (String,)| orders::display_date(&rfc3339))
}

pub fn card_label(arguments: &str) -> String {
    call(arguments, |(card,): (Card,)| card.label())
}

pub fn validate_email(arguments: &str) -> String {
    call(arguments, |(typed,): (String,)| TextResult::from(Email::parse(&typed).map(|email| email.as_str().to_owned())))
}

pub fn validate_password(arguments: &str) -> String {
    call(arguments, |(typed, email, shop_name, admin): (String, String, String, AdminRule)| {
        let rules = PasswordRules { email: &email, shop_name: &shop_name, admin, common_passwords: COMMON_PASSWORDS };
        TextResult::from(Password::parse(&typed, &rules).map(|password| password.as_str().to_owned()))
    })
}

pub fn check_confirmation(arguments: &str) -> String {
    call(arguments, |(kind, first, second): (Confirmation, String, String)| kind.check(&first, &second).err())
}

pub fn validate_quantity(arguments: &str) -> String {
    call(arguments, |(typed,): (String,)| value_or_error(validation::parse_quantity_text(&typed).map(Quantity::get)))
}

pub fn validate_address(arguments: &str) -> String {
    call(arguments, |(address,): (Address,)| AddressResult::from(address.validated()))
}

pub fn validate_product(arguments: &str) -> String {
    call(arguments, |(form,): (ProductForm,)| ProductResult::from(form.validated()))
}

pub fn validate_tracking_number(arguments: &str) -> String {
    call(arguments, |(typed,): (String,)| {
        TextResult::from(validation::validate_tracking_number(&typed).map(Option::unwrap_or_default))
    })
}

pub fn tracking_link(arguments: &str) -> String {
    call(arguments, |(number,): (String,)| orders::tracking_link(&number))
}

pub fn region_of_postal_code(arguments: &str) -> String {
    call(arguments, |(country, typed): (Country, String)| validation::region_of_postal_code(country, &typed))
}

pub fn states(arguments: &str) -> String {
    call(arguments, |(country,): (Country,)| {
        validation::states(country).iter().map(|(code, name)| choice(code, name)).collect::<Vec<_>>()
    })
}

fn choice(code: &str, name: &str) -> serde_json::Value {
    serde_json::json!({ "code": code, "name": name })
}

pub fn stock_badge(arguments: &str) -> String {
    call(arguments, |(available,): (i64,)| catalog::stock_badge(available))
}

pub fn stock_label(arguments: &str) -> String {
    call(arguments, |(available,): (i64,)| catalog::stock_badge(available).label())
}

pub fn slug(arguments: &str) -> String {
    call(arguments, |(name,): (String,)| catalog::slug(&name))
}

pub fn order_statuses(arguments: &str) -> String {
    call(arguments, |[]: [(); 0]| OrderStatus::ALL)
}

pub fn order_status_filters(arguments: &str) -> String {
    call(arguments, |[]: [(); 0]| OrderStatus::FILTERS)
}

pub fn order_status_label(arguments: &str) -> String {
    call(arguments, |(status,): (OrderStatus,)| status.label())
}

pub fn payment_status_label(arguments: &str) -> String {
    call(arguments, |(status,): (PaymentStatus,)| status.label())
}

pub fn quote_for(arguments: &str) -> String {
    call(arguments, |(request,): (QuoteRequest,)| TableQuoteResult::from(request.quote()))
}

pub fn table_tax(arguments: &str) -> String {
    call(arguments, |(request,): (TaxRequest,)| request.taxes().unwrap())
}

pub fn validate_photo_alt(arguments: &str) -> String {
    call(arguments, |(typed,): (String,)| TextResult::from(catalog::photo_alt(&typed)))
}

pub fn validate_order_patch(arguments: &str) -> String {
    call(arguments, |(patch,): (OrderPatch,)| OrderPatchResult::from(patch.validated()))
}

pub fn order_status_transitions(arguments: &str) -> String {
    call(arguments, |(status,): (OrderStatus,)| status.transitions().collect::<Vec<_>>())
}

pub fn payment_status(arguments: &str) -> String {
    call(arguments, |(total, refunded, dispute): (Cents, Cents, DisputeStatus)| {
        PaymentStatus::of(total, refunded, dispute)
    })
}
