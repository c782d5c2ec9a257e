//! The crate as a JavaScript module: each function decodes, calls and encodes, nothing more.
//!
//! Values cross the [`border`] as JavaScript's own, amounts by the same decimal text as on the server. What a rule
//! refuses comes back as an [`outcome`](crate::outcome); a value of the wrong type throws a `TypeError` that names the
//! argument, since only a bug in the calling code can send one. Every argument therefore arrives as it was passed and
//! is read here: wasm-bindgen converts or believes what it takes as `&str`, `i32`, `f64` or `Vec`.
//!
//! Amounts are dollars (`24.99`) and weights pounds (`0.6`) on the JavaScript side, as on the wire. TypeScript calls
//! them `Dollars` and `Pounds`, since [`Cents`] and [`Weight`] count hundredths on this side alone.
#![allow(clippy::missing_errors_doc, reason = "each function throws for a value of the wrong type, as said above")]

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsError, JsValue};

use crate::border::{self, FromJs, Number, Text};
use crate::cart::{self, Cart, CartLine};
use crate::catalogue::{self, LampColour, Product, StockBadge};
use crate::money::Cents;
use crate::orders::{self, OrderItem, OrderStatus, Payment, PaymentStatus, TrackingLink};
use crate::outcome::{
    AddressOutcome, CartOutcome, MoneyOutcome, NumberOutcome, ProductOutcome, QuoteOutcome, TextOutcome,
};
use crate::pricing::{self, PricedLine, ShippingRates, TaxBreakdown, TaxLine};
use crate::validation::{
    self, Address, AdminRule, Confirmation, Country, Email, Password, PasswordRules, ProductForm, Quantity,
};
use crate::weight::Weight;

#[wasm_bindgen]
extern "C" {
    /// An array, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "Product[]")]
    pub type Products;

    /// An array, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "PricedLine[]")]
    pub type PricedLines;

    /// An array, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "TaxBreakdown[]")]
    pub type TaxBreakdowns;
}

type Thrown<T> = Result<T, JsValue>;

fn decode<T: Tsify<JsType: JsCast> + FromJs>(argument: &'static str, value: &Ts<T>) -> Thrown<T> {
    border::read(argument, &value.js_value())
}

fn encode<T: Tsify + Serialize>(value: impl Into<T>) -> Thrown<Ts<T>> {
    Ok(Ts::new_unchecked(border::write(&value.into())?))
}

fn encode_all<T: Tsify + Serialize>(values: impl IntoIterator<Item = T>) -> Thrown<Vec<Ts<T>>> {
    values.into_iter().map(encode).collect()
}

fn text(argument: &'static str, value: &Text) -> Thrown<String> {
    border::read(argument, value)
}

/// A count or a number of cents: a whole number of 32 bits, negative ones included.
fn whole(argument: &'static str, value: &Number) -> Thrown<i64> {
    border::read(argument, value).map(|number: i32| number.into())
}

fn rates(given: Option<Ts<ShippingRates>>) -> Thrown<ShippingRates> {
    Ok(given.as_ref().map(|given| decode("shipping", given)).transpose()?.unwrap_or_default())
}

/// A number of pieces from JavaScript, whose numbers are floats: its text decides, so 2.5 is refused and not cut. So is
/// the `NaN` of an empty field, by the rule's own sentence.
fn pieces(quantity: &Number) -> Thrown<Result<Quantity, String>> {
    let number = border::read("quantity", quantity)?;
    Ok(validation::parse_quantity_text(&border::pieces_text(number)))
}

/// A result that does not fit is thrown, never wrapped.
fn fitting<T>(result: Result<T, impl ToString>) -> Thrown<T> {
    result.map_err(|error| JsError::new(&error.to_string()).into())
}

/// Reads the cart from the text in the browser's storage; whatever cannot be read is left out.
#[wasm_bindgen(js_name = readCart)]
pub fn read_cart(stored: Option<Text>) -> Thrown<Ts<Cart>> {
    let stored = stored.map(|stored| text("stored", &stored)).transpose()?;
    encode(Cart::from_storage(stored.as_deref().unwrap_or_default()))
}

/// Puts a product in; one that is there already gets more.
#[wasm_bindgen(js_name = addToCart)]
pub fn add_to_cart(cart: Ts<Cart>, product: Ts<Product>, quantity: Number) -> Thrown<Ts<CartOutcome>> {
    let (cart, product) = (decode("cart", &cart)?, decode("product", &product)?);
    let added = pieces(&quantity)?.and_then(|quantity| cart.add(&product, quantity).map_err(|no| no.to_string()));
    encode(added)
}

/// Changes how many of a product there are.
#[wasm_bindgen(js_name = setQuantity)]
pub fn set_quantity(cart: Ts<Cart>, id: Text, quantity: Number) -> Thrown<Ts<CartOutcome>> {
    let (cart, id) = (decode("cart", &cart)?, text("id", &id)?);
    let changed = pieces(&quantity)?.and_then(|quantity| cart.set_quantity(&id, quantity).map_err(|no| no.to_string()));
    encode(changed)
}

/// Takes a product out.
#[wasm_bindgen(js_name = removeFromCart)]
pub fn remove_from_cart(cart: Ts<Cart>, id: Text) -> Thrown<Ts<Cart>> {
    encode(decode("cart", &cart)?.remove(&text("id", &id)?))
}

/// An empty cart.
#[wasm_bindgen(js_name = clearCart)]
pub fn clear_cart(cart: Ts<Cart>) -> Thrown<Ts<Cart>> {
    encode(decode("cart", &cart)?.clear())
}

/// The sum of quantities: the number on the badge.
#[wasm_bindgen(js_name = cartCount)]
pub fn cart_count(cart: Ts<Cart>) -> Thrown<u32> {
    fitting(u32::try_from(decode("cart", &cart)?.count()))
}

/// The sum of price × quantity.
#[wasm_bindgen(js_name = cartSubtotal)]
pub fn cart_subtotal(cart: Ts<Cart>) -> Thrown<Ts<Cents>> {
    encode(fitting(decode("cart", &cart)?.subtotal())?)
}

/// Price × quantity of one line.
#[wasm_bindgen(js_name = lineTotal)]
pub fn line_total(line: Ts<CartLine>) -> Thrown<Ts<Cents>> {
    encode(fitting(decode("line", &line)?.total())?)
}

/// The cart with the catalogue's present prices, names and stock.
#[wasm_bindgen(js_name = refreshCart)]
pub fn refresh_cart(cart: Ts<Cart>, products: Products) -> Thrown<Ts<Cart>> {
    let products: Vec<Product> = border::read("products", &products)?;
    encode(decode("cart", &cart)?.refreshed(&products))
}

/// The most of a product that somebody can choose: 0 where it is sold out, never above 99.
#[wasm_bindgen(js_name = quantityLimit)]
pub fn quantity_limit(available: Number) -> Thrown<u32> {
    fitting(u32::try_from(cart::quantity_limit(whole("available", &available)?)))
}

/// What an order costs. `tax` is in dollars; without `rates` the shop's usual shipping prices are used.
#[wasm_bindgen]
pub fn quote(
    lines: PricedLines,
    country: Ts<Country>,
    tax: Ts<Cents>,
    shipping: Option<Ts<ShippingRates>>,
) -> Thrown<Ts<QuoteOutcome>> {
    let lines: Vec<PricedLine> = border::read("lines", &lines)?;
    encode(pricing::quote(&lines, decode("country", &country)?, &rates(shipping)?, decode("tax", &tax)?))
}

/// What a cart costs before tax, for showing.
#[wasm_bindgen(js_name = quoteCart)]
pub fn quote_cart(
    cart: Ts<Cart>,
    country: Ts<Country>,
    shipping: Option<Ts<ShippingRates>>,
) -> Thrown<Ts<QuoteOutcome>> {
    let lines = decode("cart", &cart)?.priced_lines();
    encode(pricing::quote(&lines, decode("country", &country)?, &rates(shipping)?, Cents::ZERO))
}

/// Every tax with its name and rate: of a tax calculation or of an order.
#[wasm_bindgen(js_name = taxLines)]
pub fn tax_lines(breakdown: TaxBreakdowns) -> Thrown<Vec<Ts<TaxLine>>> {
    let breakdown: Vec<TaxBreakdown> = border::read("breakdown", &breakdown)?;
    encode_all(breakdown.iter().map(TaxBreakdown::line))
}

/// Dollars from the provider's whole cents, from -2147483648 to 2147483647: 362 is 3.62. Anything else is thrown back.
#[wasm_bindgen(js_name = dollarsFromCents)]
pub fn dollars_from_cents(cents: Number) -> Thrown<Ts<Cents>> {
    encode(Cents::from_cents(whole("cents", &cents)?))
}

/// `$1,234.50`
#[wasm_bindgen(js_name = formatMoney)]
pub fn format_money(amount: Ts<Cents>) -> Thrown<String> {
    Ok(decode("amount", &amount)?.to_string())
}

/// Dollars as typed into a form: `24.99`.
#[wasm_bindgen(js_name = parseMoney)]
pub fn parse_money(typed: Text) -> Thrown<Ts<MoneyOutcome>> {
    encode(Cents::parse(text("typed", &typed)?.trim()))
}

/// `0.60 lb`
#[wasm_bindgen(js_name = formatWeight)]
pub fn format_weight(pounds: Ts<Weight>) -> Thrown<String> {
    Ok(decode("pounds", &pounds)?.to_string())
}

/// The UTC day of an instant as `MM/dd/yyyy`.
#[wasm_bindgen(js_name = formatDate)]
pub fn format_date(rfc3339: Text) -> Thrown<String> {
    Ok(orders::display_date(&text("rfc3339", &rfc3339)?))
}

/// An e-mail address, trimmed.
#[wasm_bindgen(js_name = validateEmail)]
pub fn validate_email(typed: Text) -> Thrown<Ts<TextOutcome>> {
    encode(Email::parse(&text("typed", &typed)?).map(|email| email.as_str().to_owned()))
}

/// A new password, unchanged. `common_passwords` is the list of the commonest, one a line: it is longer than all rules
/// together, so it is a file of its own that only those load who choose a password.
#[wasm_bindgen(js_name = validatePassword)]
pub fn validate_password(
    typed: Text,
    email: Text,
    shop_name: Text,
    account: Ts<AdminRule>,
    common_passwords: Text,
) -> Thrown<Ts<TextOutcome>> {
    let (typed, email, shop_name) = (text("typed", &typed)?, text("email", &email)?, text("shop_name", &shop_name)?);
    let (admin, common_passwords) = (decode("account", &account)?, text("common_passwords", &common_passwords)?);
    let rules = PasswordRules { email: &email, shop_name: &shop_name, admin, common_passwords: &common_passwords };
    encode(Password::parse(&typed, &rules).map(|password| password.as_str().to_owned()))
}

/// What was typed twice: the sentence to show beside the second field, if they differ.
#[wasm_bindgen(js_name = checkConfirmation)]
pub fn check_confirmation(kind: Ts<Confirmation>, first: Text, second: Text) -> Thrown<Option<String>> {
    Ok(decode("kind", &kind)?.check(&text("first", &first)?, &text("second", &second)?).err())
}

/// A quantity as typed into a form.
#[wasm_bindgen(js_name = validateQuantity)]
pub fn validate_quantity(typed: Text) -> Thrown<Ts<NumberOutcome>> {
    encode(validation::parse_quantity_text(&text("typed", &typed)?).map(Quantity::get))
}

/// An address: trimmed, codes in capitals.
#[wasm_bindgen(js_name = validateAddress)]
pub fn validate_address(address: Ts<Address>) -> Thrown<Ts<AddressOutcome>> {
    encode(decode("address", &address)?.validated())
}

/// A product as typed into a form.
#[wasm_bindgen(js_name = validateProduct)]
pub fn validate_product(form: Ts<ProductForm>) -> Thrown<Ts<ProductOutcome>> {
    encode(decode("form", &form)?.validated())
}

/// A tracking number, trimmed; the empty text where there is none.
#[wasm_bindgen(js_name = validateTrackingNumber)]
pub fn validate_tracking_number(typed: Text) -> Thrown<Ts<TextOutcome>> {
    encode(validation::validate_tracking_number(&text("typed", &typed)?).map(Option::unwrap_or_default))
}

/// The carrier's page about a parcel, where the carrier can be told from the number's form.
#[wasm_bindgen(js_name = trackingLink)]
pub fn tracking_link(tracking_number: Text) -> Thrown<Option<Ts<TrackingLink>>> {
    orders::tracking_link(&text("tracking_number", &tracking_number)?).map(encode).transpose()
}

/// A choice in a form: the code that is sent and the name that is shown.
#[derive(Serialize, Tsify)]
pub struct Choice {
    /// `CA`
    pub code: String,
    /// `California`
    pub name: String,
}

/// The countries the shop ships to.
#[wasm_bindgen]
pub fn countries() -> Thrown<Vec<Ts<Choice>>> {
    encode_all(Country::ALL.map(|country| Choice { code: country.code().into(), name: country.name().into() }))
}

/// The states or provinces of a country.
#[wasm_bindgen]
pub fn states(country: Ts<Country>) -> Thrown<Vec<Ts<Choice>>> {
    let regions = validation::states(decode("country", &country)?);
    encode_all(regions.iter().map(|(code, name)| Choice { code: (*code).into(), name: (*name).into() }))
}

/// The badge for a number of pieces that can be bought now.
#[wasm_bindgen(js_name = stockBadge)]
pub fn stock_badge(available: Number) -> Thrown<Ts<StockBadge>> {
    encode(catalogue::stock_badge(whole("available", &available)?))
}

/// The badge's words.
#[wasm_bindgen(js_name = stockLabel)]
pub fn stock_label(available: Number) -> Thrown<String> {
    Ok(catalogue::stock_badge(whole("available", &available)?).label().to_owned())
}

/// A product's name as part of an address.
#[wasm_bindgen]
pub fn slug(name: Text) -> Thrown<String> {
    Ok(catalogue::slug(&text("name", &name)?))
}

/// The colour a product's lamp is drawn in.
#[wasm_bindgen(js_name = lampColour)]
pub fn lamp_colour(product_id: Text) -> Thrown<Ts<LampColour>> {
    encode(catalogue::lamp_colour(&text("product_id", &product_id)?))
}

/// Every status an administrator can set.
#[wasm_bindgen(js_name = orderStatuses)]
pub fn order_statuses() -> Thrown<Vec<Ts<OrderStatus>>> {
    encode_all(OrderStatus::ALL)
}

/// The statuses that the administrators' list filters by.
#[wasm_bindgen(js_name = orderStatusFilters)]
pub fn order_status_filters() -> Thrown<Vec<Ts<OrderStatus>>> {
    encode_all(OrderStatus::FILTERS)
}

/// Price × quantity of one line of an order.
#[wasm_bindgen(js_name = orderItemTotal)]
pub fn order_item_total(item: Ts<OrderItem>) -> Thrown<Ts<Cents>> {
    encode(fitting(decode("item", &item)?.total())?)
}

/// What a refund of an order with this total would give back.
#[wasm_bindgen(js_name = leftToRefund)]
pub fn left_to_refund(payment: Ts<Payment>, total: Ts<Cents>) -> Thrown<Ts<Cents>> {
    encode(fitting(decode("payment", &payment)?.left(decode("total", &total)?))?)
}

/// A status for people: `Shipped`.
#[wasm_bindgen(js_name = orderStatusLabel)]
pub fn order_status_label(status: Ts<OrderStatus>) -> Thrown<String> {
    Ok(decode("status", &status)?.label().to_owned())
}

/// A payment's status for people: `Partially refunded`.
#[wasm_bindgen(js_name = paymentStatusLabel)]
pub fn payment_status_label(status: Ts<PaymentStatus>) -> Thrown<String> {
    Ok(decode("status", &status)?.label().to_owned())
}
