//! Parameters of a tax calculation.

use std::collections::BTreeSet;

use crate::api_error::ApiError;
use crate::form::Form;
use crate::ids;
use crate::metadata::{self, Metadata};
use crate::postal::{self, Postal};
use crate::tax_calculation::{Destination, Line, Request, ShippingCost};

const TANGIBLE_GOODS: &str = "txcd_99999999";
const SHIPPING: &str = "txcd_92010001";
/// Maximum amount of a line: that of a payment.
const LARGEST: i64 = 99_999_999;

pub fn request(mut form: Form) -> Result<Request, ApiError> {
    let currency = form.take_text("currency")?.ok_or_else(|| ApiError::missing("currency"))?;
    let lines = form.take_forms("line_items")?;
    let details = form.take_form("customer_details")?.ok_or_else(|| ApiError::missing("customer_details"))?;
    let shipping = form.take_form("shipping_cost")?.map(shipping_cost).transpose()?;
    let ship_from = form.take_form("ship_from_details")?.map(ship_from).transpose()?;
    let tax_date = form.take_integer("tax_date")?;
    form.reject_unknown()?;
    if lines.is_empty() {
        return Err(ApiError::missing("line_items"));
    }
    let lines = lines.into_iter().enumerate().map(line).collect::<Result<Vec<_>, _>>()?;
    let mut references = BTreeSet::new();
    if let Some(twice) = lines.iter().find(|line| !references.insert(&line.reference)) {
        let message = format!("Line item references must be unique; '{}' is not.", twice.reference);
        return Err(ApiError::invalid(message).param("line_items"));
    }
    Ok(Request {
        currency: currency.to_ascii_lowercase(),
        destination: destination(details)?,
        ship_from,
        lines,
        shipping,
        tax_date,
    })
}

fn line((at, mut form): (usize, Form)) -> Result<Line, ApiError> {
    let amount = take_amount(&mut form)?;
    let quantity = form.take_integer("quantity")?.unwrap_or(1);
    if quantity < 1 {
        let error = ApiError::invalid("This value must be greater than or equal to 1.");
        return Err(error.code("parameter_invalid_integer").param(&form.name_of("quantity")));
    }
    refuse_inclusive(&mut form)?;
    let change = metadata::take_metadata(&mut form)?.unwrap_or_default();
    let line = Line {
        id: ids::new_id("tax_li"),
        amount,
        amount_tax: 0,
        quantity,
        reference: form.take_text("reference")?.unwrap_or_else(|| format!("L{}", at + 1)),
        product: form.take_text("product")?,
        tax_code: form.take_text("tax_code")?.unwrap_or_else(|| TANGIBLE_GOODS.to_owned()),
        metadata: metadata::merged(&Metadata::new(), change)?,
    };
    form.reject_unknown()?;
    Ok(line)
}

fn shipping_cost(mut form: Form) -> Result<ShippingCost, ApiError> {
    let amount = take_amount(&mut form)?;
    refuse_inclusive(&mut form)?;
    let tax_code = form.take_text("tax_code")?.unwrap_or_else(|| SHIPPING.to_owned());
    form.reject_unknown()?;
    Ok(ShippingCost { amount, amount_tax: 0, tax_code })
}

fn take_amount(form: &mut Form) -> Result<i64, ApiError> {
    let param = form.name_of("amount");
    let amount = form.take_integer("amount")?.ok_or_else(|| ApiError::missing(&param))?;
    if (0..=LARGEST).contains(&amount) {
        return Ok(amount);
    }
    let error = ApiError::invalid(format!("This value must be 0 to {LARGEST}."));
    Err(error.code("parameter_invalid_integer").param(&param))
}

/// Only exclusive tax is supported: the shop's prices are without tax.
fn refuse_inclusive(form: &mut Form) -> Result<(), ApiError> {
    form.take_choice("tax_behavior", &["exclusive"]).map(|_| ())
}

fn destination(mut form: Form) -> Result<Destination, ApiError> {
    let address = form.take_form("address")?.ok_or_else(|| ApiError::missing(&form.name_of("address")))?;
    let country = address.name_of("country");
    let address_source = form.take_choice("address_source", &["billing", "shipping"])?;
    form.take_choice("taxability_override", &["none"])?;
    form.ignore("ip_address");
    form.reject_unknown()?;
    let address = postal::from_form(address)?;
    if address.country.is_none() {
        return Err(ApiError::missing(&country));
    }
    Ok(Destination { address, address_source })
}

fn ship_from(mut form: Form) -> Result<Postal, ApiError> {
    let address = form.take_form("address")?.ok_or_else(|| ApiError::missing(&form.name_of("address")))?;
    form.reject_unknown()?;
    postal::from_form(address)
}
