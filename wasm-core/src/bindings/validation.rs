//! Validation of typed fields.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::catalog::ProductForm;
use crate::delivery::DayRange;
use crate::js::JsText;
use crate::js::typed::{JsResult, read, read_text, write, write_all};
use crate::money::Cents;
use crate::results::{AddressResult, AmountResult, DayRangeResult, ProductResult, TextResult};
use crate::validation::{self, Address, AdminRule, Confirmation, Country, Email, Password, PasswordRules};

/// Validates an email address and trims it.
///
/// @returns the address, or the message to show beside the field
/// @throws TypeError if `typed` is not a string
/// @example
/// validateEmail(" ada@example.com ") // { ok: true, value: "ada@example.com" }
/// validateEmail("ada").error // "Enter an email address like name@example.com."
#[wasm_bindgen(js_name = validateEmail)]
pub fn validate_email(typed: JsText) -> JsResult<Ts<TextResult>> {
    write(Email::parse(&read_text("typed", &typed)?).map(|email| email.as_str().to_owned()))
}

/// Validates a new password and returns it unchanged: 10 to 256 characters, 15 for an administrator, and neither a
/// common password nor the account's email address nor the shop's name.
///
/// @param common_passwords the list of common passwords, one a line: `/assets/common-passwords-….txt` of a shop; the
/// empty string skips that rule
/// @returns the password, or the message to show beside the field
/// @throws TypeError for a value of the wrong type
/// @example
/// validatePassword("four small lamps", "ada@example.com", "Nudgelight", "customer", "").ok // true
/// validatePassword("nudgelight", "ada@example.com", "Nudgelight", "customer", "").ok // false
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

/// Compares a field with its confirmation: the message to show beside the second field, or `undefined` if they match.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// checkConfirmation("password", "one", "two") // "Passwords do not match."
/// checkConfirmation("email", "a@example.com", "A@example.com") // undefined
#[wasm_bindgen(js_name = checkConfirmation)]
pub fn check_confirmation(kind: Ts<Confirmation>, first: JsText, second: JsText) -> JsResult<Option<String>> {
    Ok(read("kind", &kind)?.check(&read_text("first", &first)?, &read_text("second", &second)?).err())
}

/// Validates a shipping address in the United States or Canada and normalizes it: trimmed, with its codes in upper
/// case. Missing members count as empty.
///
/// @returns the address, or a message for each invalid field under `name`, `phone`, `address.line1`, `address.city`,
/// `address.state`, `address.postal_code` and `address.country`
/// @throws TypeError for a value of the wrong type
/// @example
/// const typed = { line1: "12 Front St", city: "Toronto", state: "ontario", postal_code: "m5v2t6", country: "ca" };
/// validateAddress({ name: "Ada Lovelace", address: typed }).value.address.postal_code // "M5V 2T6"
/// validateAddress({ name: "", address: typed }).fields // { name: "Enter the recipient’s name." }
#[wasm_bindgen(js_name = validateAddress)]
pub fn validate_address(address: Ts<Address>) -> JsResult<Ts<AddressResult>> {
    write(read("address", &address)?.validated())
}

/// Validates a product as typed into the form of an administrator.
///
/// @returns the body of `POST /api/products`, or a message for each invalid field
/// @throws TypeError for a value of the wrong type
/// @example
/// const form = { name: "Nudgelight Mini", description: "Small.", price: "19.99", stock: "12", weight_pounds: "0.4", active: true };
/// validateProduct(form).value.price // 19.99
/// validateProduct({ ...form, price: "free" }).ok // false
#[wasm_bindgen(js_name = validateProduct)]
pub fn validate_product(form: Ts<ProductForm>) -> JsResult<Ts<ProductResult>> {
    write(read("form", &form)?.validated())
}

/// Parses an amount of dollars as typed into a field: `24.99` or `$24.99`, with at most two decimals.
///
/// @returns the amount in dollars, or the message to show beside the field
/// @throws TypeError if `typed` is not a string
/// @example
/// parseMoney("$24.99") // { ok: true, value: 24.99 }
/// parseMoney("24.999").ok // false
#[wasm_bindgen(js_name = parseMoney)]
pub fn parse_money(typed: JsText) -> JsResult<Ts<AmountResult>> {
    write(Cents::parse_typed(&read_text("typed", &typed)?).map_err(|error| error.to_string()))
}

/// Parses business days as typed into a field: `3-5`, or `3` for a single number of days.
///
/// @returns the range, both ends included, or the message to show beside the field
/// @throws TypeError if `typed` is not a string
/// @example
/// parseDayRange("3-5") // { ok: true, value: { min: 3, max: 5 } }
/// parseDayRange("5-3").ok // false
#[wasm_bindgen(js_name = parseDayRange)]
pub fn parse_day_range(typed: JsText) -> JsResult<Ts<DayRangeResult>> {
    write(DayRange::parse(&read_text("typed", &typed)?))
}

/// Validates a tracking number and trims it; no tracking number is the empty string.
///
/// @returns the number, or the message to show beside the field
/// @throws TypeError if `typed` is not a string
/// @example
/// validateTrackingNumber(" 9400111899223817253416 ").value // "9400111899223817253416"
#[wasm_bindgen(js_name = validateTrackingNumber)]
pub fn validate_tracking_number(typed: JsText) -> JsResult<Ts<TextResult>> {
    write(validation::validate_tracking_number(&read_text("typed", &typed)?).map(Option::unwrap_or_default))
}

/// An option of a select box: the code to send and the name to display.
#[derive(Serialize, Tsify)]
pub struct Choice {
    /// `CA`
    pub code: String,
    /// `California`
    pub name: String,
}

/// The states or provinces of a country, in the order of a select box.
///
/// @throws TypeError if `country` is neither `US` nor `CA`
/// @example
/// states("CA")[0] // { code: "AB", name: "Alberta" }
#[wasm_bindgen]
pub fn states(country: Ts<Country>) -> JsResult<Vec<Ts<Choice>>> {
    let regions = validation::states(read("country", &country)?);
    write_all(regions.iter().map(|(code, name)| Choice { code: (*code).into(), name: (*name).into() }))
}

/// The code of the state or province of a complete postal code, if the postal code decides it; `undefined` otherwise.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// regionOfPostalCode("US", "94110") // "CA"
/// regionOfPostalCode("US", "941") // undefined
#[wasm_bindgen(js_name = regionOfPostalCode)]
pub fn region_of_postal_code(country: Ts<Country>, typed: JsText) -> JsResult<Option<String>> {
    let region = validation::region_of_postal_code(read("country", &country)?, &read_text("typed", &typed)?);
    Ok(region.map(ToOwned::to_owned))
}
