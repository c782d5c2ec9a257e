//! Exported JavaScript functions: each one reads its arguments, calls a rule and writes the result.
//!
//! An invalid input is a [result](crate::results). A value of the wrong type throws a `TypeError` that names the
//! argument ([`js`]), since only a bug in the calling code can pass one.
//!
//! Amounts are dollars (`24.99`) and weights pounds (`0.6`) in JavaScript, as in JSON. TypeScript calls them `Dollars`
//! and `Pounds`; only Rust's [`Cents`] and [`Weight`] count hundredths.
#![expect(clippy::missing_errors_doc, reason = "each function throws for a value of the wrong type, as said above")]

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::cart::{self, Cart, CartLine};
use crate::catalogue::{self, Product, ProductForm, StockBadge};
use crate::codec;
use crate::js::typed::{JsResult, read, read_text, write, write_all};
use crate::js::{self, DisplayDate, JsCents, JsNumber, JsText, JsTime};
use crate::money::Cents;
use crate::orders::{self, Card, OrderItem, OrderStatus, Payment, PaymentStatus, TrackingLink};
use crate::pricing::{self, PricedLine, ShippingRates, TaxBreakdown, TaxLine};
use crate::results::{AddressResult, CartResult, ProductResult, QuoteResult, TextResult};
use crate::validation::{
    self, Address, AdminRule, Confirmation, Country, Email, Message, Password, PasswordRules, Quantity,
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

/// A whole number of 32 bits: a count, or cents.
fn read_i32(argument: &str, value: &JsValue) -> JsResult<i32> {
    let number: i64 = js::read(argument, value)?;
    number.try_into().map_err(|_| js::type_error(argument, "expected a number from -2147483648 to 2147483647"))
}

fn read_rates(rates: Option<Ts<ShippingRates>>) -> JsResult<ShippingRates> {
    Ok(rates.as_ref().map(|rates| read("shipping", rates)).transpose()?.unwrap_or_default())
}

/// A quantity, validated by its decimal text: the rule rejects 2.5, and the `NaN` of an empty field.
pub(crate) fn read_quantity(quantity: &JsNumber) -> JsResult<Result<Quantity, Message>> {
    let number = js::read("quantity", quantity)?;
    Ok(validation::parse_quantity_text(&codec::float_text(number)))
}

/// Throws an arithmetic overflow, which only amounts far beyond the rules' limits can cause.
fn throw_overflow<T>(argument: &str, result: Result<T, impl ToString>) -> JsResult<T> {
    result.map_err(|error| js::type_error(argument, &error.to_string()))
}

/// Reads the cart from the text in the browser's storage; unreadable lines are left out.
#[wasm_bindgen(js_name = readCart)]
pub fn read_cart(stored: Option<JsText>) -> JsResult<Ts<Cart>> {
    let stored = stored.map(|stored| read_text("stored", &stored)).transpose()?;
    write(Cart::from_storage(stored.as_deref().unwrap_or_default()))
}

/// Adds a product to the cart, or to the quantity of its line.
#[wasm_bindgen(js_name = addToCart)]
pub fn add_to_cart(cart: Ts<Cart>, product: Ts<Product>, quantity: JsNumber) -> JsResult<Ts<CartResult>> {
    let (cart, product) = (read("cart", &cart)?, read("product", &product)?);
    let quantity = read_quantity(&quantity)?;
    write(quantity.and_then(|quantity| cart.add(&product, quantity).map_err(|error| error.to_string())))
}

/// Sets the quantity of a product in the cart.
#[wasm_bindgen(js_name = setQuantity)]
pub fn set_quantity(cart: Ts<Cart>, id: JsText, quantity: JsNumber) -> JsResult<Ts<CartResult>> {
    let (cart, id) = (read("cart", &cart)?, read_text("id", &id)?);
    let quantity = read_quantity(&quantity)?;
    write(quantity.and_then(|quantity| cart.set_quantity(&id, quantity).map_err(|error| error.to_string())))
}

/// Removes a product from the cart.
#[wasm_bindgen(js_name = removeFromCart)]
pub fn remove_from_cart(cart: Ts<Cart>, id: JsText) -> JsResult<Ts<Cart>> {
    write(read("cart", &cart)?.remove(&read_text("id", &id)?))
}

/// Puts a removed line back at its place in the cart.
#[wasm_bindgen(js_name = restoreCartLine)]
pub fn restore_cart_line(cart: Ts<Cart>, line: Ts<CartLine>, position: JsNumber) -> JsResult<Ts<CartResult>> {
    let (cart, line) = (read("cart", &cart)?, read("line", &line)?);
    // A position before the first line is the first.
    let position = usize::try_from(read_i32("position", &position)?).unwrap_or_default();
    write(cart.restored(line, position))
}

/// The cart with each quantity reduced to the available units.
#[wasm_bindgen(js_name = limitCartToStock)]
pub fn limit_cart_to_stock(cart: Ts<Cart>) -> JsResult<Ts<Cart>> {
    write(read("cart", &cart)?.limited_to_stock())
}

/// Number of items in the cart, for the badge: the sum of quantities.
#[wasm_bindgen(js_name = cartCount)]
pub fn cart_count(cart: Ts<Cart>) -> JsResult<u32> {
    throw_overflow("cart", u32::try_from(read("cart", &cart)?.count()))
}

/// Subtotal of the cart: the sum of price × quantity.
#[wasm_bindgen(js_name = cartSubtotal)]
pub fn cart_subtotal(cart: Ts<Cart>) -> JsResult<Ts<Cents>> {
    write(throw_overflow("cart", read("cart", &cart)?.subtotal())?)
}

/// Total of one cart line: price × quantity.
#[wasm_bindgen(js_name = lineTotal)]
pub fn line_total(line: Ts<CartLine>) -> JsResult<Ts<Cents>> {
    write(throw_overflow("line", read("line", &line)?.total())?)
}

/// The cart with current prices, names and stock.
#[wasm_bindgen(js_name = refreshCart)]
pub fn refresh_cart(cart: Ts<Cart>, products: Products) -> JsResult<Ts<Cart>> {
    let products: Vec<Product> = js::read("products", &products)?;
    write(read("cart", &cart)?.refreshed(&products))
}

/// The largest quantity of a product that a customer can choose: 0 if it is sold out, at most 99.
#[wasm_bindgen(js_name = quantityLimit)]
pub fn quantity_limit(available: JsNumber) -> JsResult<u32> {
    throw_overflow("available", u32::try_from(cart::quantity_limit(read_i32("available", &available)?.into())))
}

/// Price of an order: subtotal, shipping, tax and total. Without `shipping` the default rates apply.
#[wasm_bindgen]
pub fn quote(
    lines: PricedLines,
    country: Ts<Country>,
    tax: Ts<Cents>,
    shipping: Option<Ts<ShippingRates>>,
) -> JsResult<Ts<QuoteResult>> {
    let lines: Vec<PricedLine> = js::read("lines", &lines)?;
    write_quote(&lines, read("country", &country)?, &read_rates(shipping)?, read("tax", &tax)?)
}

/// Price of a cart. Without `shipping` the default rates apply, without `tax` it is the price before tax.
#[wasm_bindgen(js_name = quoteCart)]
pub fn quote_cart(
    cart: Ts<Cart>,
    country: Ts<Country>,
    shipping: Option<Ts<ShippingRates>>,
    tax: Option<Ts<Cents>>,
) -> JsResult<Ts<QuoteResult>> {
    let lines = read("cart", &cart)?.priced_lines();
    let tax = tax.as_ref().map(|tax| read("tax", tax)).transpose()?.unwrap_or_default();
    write_quote(&lines, read("country", &country)?, &read_rates(shipping)?, tax)
}

fn write_quote(lines: &[PricedLine], country: Country, rates: &ShippingRates, tax: Cents) -> JsResult<Ts<QuoteResult>> {
    write(pricing::quote(lines, country, rates, tax).map_err(|error| error.to_string()))
}

/// Name, rate and amount of each tax in a tax calculation or an order.
#[wasm_bindgen(js_name = taxLines)]
pub fn tax_lines(breakdown: TaxBreakdowns) -> JsResult<Vec<Ts<TaxLine>>> {
    let breakdown: Vec<TaxBreakdown> = js::read("breakdown", &breakdown)?;
    write_all(breakdown.iter().map(TaxBreakdown::line))
}

/// Dollars from the payment provider's whole cents, from -2147483648 to 2147483647: 362 is 3.62.
#[wasm_bindgen(js_name = dollarsFromCents)]
pub fn dollars_from_cents(cents: JsCents) -> JsResult<Ts<Cents>> {
    write(Cents::from_cents(read_i32("cents", &cents)?.into()))
}

/// `$1,234.50`
#[wasm_bindgen(js_name = formatMoney)]
pub fn format_money(amount: Ts<Cents>) -> JsResult<String> {
    Ok(read("amount", &amount)?.to_string())
}

/// `0.60 lb`
#[wasm_bindgen(js_name = formatWeight)]
pub fn format_weight(pounds: Ts<Weight>) -> JsResult<String> {
    Ok(read("pounds", &pounds)?.to_string())
}

/// The UTC day of a timestamp as `MM/dd/yyyy`.
#[wasm_bindgen(js_name = formatDate)]
pub fn format_date(rfc3339: JsTime) -> JsResult<DisplayDate> {
    let text: String = js::read("rfc3339", &rfc3339)?;
    Ok(JsValue::from(orders::display_date(&text)).unchecked_into())
}

/// `Visa ending in 4242`
#[wasm_bindgen(js_name = cardLabel)]
pub fn card_label(card: Ts<Card>) -> JsResult<String> {
    Ok(read("card", &card)?.label())
}

/// Validates an email address and trims it.
#[wasm_bindgen(js_name = validateEmail)]
pub fn validate_email(typed: JsText) -> JsResult<Ts<TextResult>> {
    write(Email::parse(&read_text("typed", &typed)?).map(|email| email.as_str().to_owned()))
}

/// Validates a new password and returns it unchanged. `common_passwords` is the list of common passwords, one a line:
/// an asset of its own, because it is larger than all rules together.
#[wasm_bindgen(js_name = validatePassword)]
pub fn validate_password(
    typed: JsText,
    email: JsText,
    shop_name: JsText,
    account: Ts<AdminRule>,
    common_passwords: JsText,
) -> JsResult<Ts<TextResult>> {
    let (typed, email) = (read_text("typed", &typed)?, read_text("email", &email)?);
    let (shop_name, admin) = (read_text("shop_name", &shop_name)?, read("account", &account)?);
    let common_passwords = read_text("common_passwords", &common_passwords)?;
    let rules = PasswordRules { email: &email, shop_name: &shop_name, admin, common_passwords: &common_passwords };
    write(Password::parse(&typed, &rules).map(|password| password.as_str().to_owned()))
}

/// Compares a field with its confirmation: the message to show beside the second field if they differ.
#[wasm_bindgen(js_name = checkConfirmation)]
pub fn check_confirmation(kind: Ts<Confirmation>, first: JsText, second: JsText) -> JsResult<Option<String>> {
    Ok(read("kind", &kind)?.check(&read_text("first", &first)?, &read_text("second", &second)?).err())
}

/// Validates an address and normalizes it: trimmed, with its codes in upper case.
#[wasm_bindgen(js_name = validateAddress)]
pub fn validate_address(address: Ts<Address>) -> JsResult<Ts<AddressResult>> {
    write(read("address", &address)?.validated())
}

/// Validates a product as typed into the form.
#[wasm_bindgen(js_name = validateProduct)]
pub fn validate_product(form: Ts<ProductForm>) -> JsResult<Ts<ProductResult>> {
    write(read("form", &form)?.validated())
}

/// Validates a tracking number and trims it; no tracking number is the empty string.
#[wasm_bindgen(js_name = validateTrackingNumber)]
pub fn validate_tracking_number(typed: JsText) -> JsResult<Ts<TextResult>> {
    write(validation::validate_tracking_number(&read_text("typed", &typed)?).map(Option::unwrap_or_default))
}

/// The carrier's tracking page, if the format of the number identifies the carrier.
#[wasm_bindgen(js_name = trackingLink)]
pub fn tracking_link(tracking_number: JsText) -> JsResult<Option<Ts<TrackingLink>>> {
    orders::tracking_link(&read_text("tracking_number", &tracking_number)?).map(write).transpose()
}

/// An option of a select box: the code to send and the name to display.
#[derive(Serialize, Tsify)]
pub struct Choice {
    /// `CA`
    pub code: String,
    /// `California`
    pub name: String,
}

/// The states or provinces of a country.
#[wasm_bindgen]
pub fn states(country: Ts<Country>) -> JsResult<Vec<Ts<Choice>>> {
    let regions = validation::states(read("country", &country)?);
    write_all(regions.iter().map(|(code, name)| Choice { code: (*code).into(), name: (*name).into() }))
}

/// The code of the state or province of a complete postal code, if the postal code decides it.
#[wasm_bindgen(js_name = regionOfPostalCode)]
pub fn region_of_postal_code(country: Ts<Country>, typed: JsText) -> JsResult<Option<String>> {
    let region = validation::region_of_postal_code(read("country", &country)?, &read_text("typed", &typed)?);
    Ok(region.map(ToOwned::to_owned))
}

/// The stock badge for a number of available units.
#[wasm_bindgen(js_name = stockBadge)]
pub fn stock_badge(available: JsNumber) -> JsResult<Ts<StockBadge>> {
    write(catalogue::stock_badge(read_i32("available", &available)?.into()))
}

/// The label of the stock badge.
#[wasm_bindgen(js_name = stockLabel)]
pub fn stock_label(available: JsNumber) -> JsResult<String> {
    Ok(catalogue::stock_badge(read_i32("available", &available)?.into()).label().to_owned())
}

/// Every status an administrator can set.
#[wasm_bindgen(js_name = orderStatuses)]
pub fn order_statuses() -> JsResult<Vec<Ts<OrderStatus>>> {
    write_all(OrderStatus::ALL)
}

/// The statuses by which administrators can filter the list of orders.
#[wasm_bindgen(js_name = orderStatusFilters)]
pub fn order_status_filters() -> JsResult<Vec<Ts<OrderStatus>>> {
    write_all(OrderStatus::FILTERS)
}

/// Total of one line of an order: price × quantity.
#[wasm_bindgen(js_name = orderItemTotal)]
pub fn order_item_total(item: Ts<OrderItem>) -> JsResult<Ts<Cents>> {
    write(throw_overflow("item", read("item", &item)?.total())?)
}

/// The amount of an order with this total that is not refunded yet.
#[wasm_bindgen(js_name = leftToRefund)]
pub fn left_to_refund(payment: Ts<Payment>, total: Ts<Cents>) -> JsResult<Ts<Cents>> {
    write(throw_overflow("payment", read("payment", &payment)?.left(read("total", &total)?))?)
}

/// An order's status as displayed: `Shipped`.
#[wasm_bindgen(js_name = orderStatusLabel)]
pub fn order_status_label(status: Ts<OrderStatus>) -> JsResult<String> {
    Ok(read("status", &status)?.label().to_owned())
}

/// A payment's status as displayed: `Partially refunded`.
#[wasm_bindgen(js_name = paymentStatusLabel)]
pub fn payment_status_label(status: Ts<PaymentStatus>) -> JsResult<String> {
    Ok(read("status", &status)?.label().to_owned())
}
