//! Tax calculations: lines, shipping cost and destination in; taxes of the built-in table out, in Stripe's form. Every
//! cent of tax is assigned to a line or to the shipping.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wasm_core::money::{Cents, Overflow};
use wasm_core::pricing::{TaxBreakdown, TaxRateDetails, shares, table_tax};
use wasm_core::validation::{Country, states};

use crate::api_error::ApiError;
use crate::clock;
use crate::ids;
use crate::metadata::Metadata;
use crate::postal::Postal;
use crate::store::{Document, Kind};

/// Validity of a calculation.
const VALIDITY: i64 = 90 * clock::DAY;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub id: String,
    /// In cents for the whole line, without tax.
    pub amount: i64,
    pub amount_tax: i64,
    pub quantity: i64,
    pub reference: String,
    pub product: Option<String>,
    pub tax_code: String,
    pub metadata: Metadata,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShippingCost {
    pub amount: i64,
    pub amount_tax: i64,
    pub tax_code: String,
}

/// The customer's location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    pub address: Postal,
    pub address_source: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calculation {
    pub id: String,
    pub currency: String,
    pub destination: Destination,
    pub ship_from: Option<Postal>,
    pub lines: Vec<Line>,
    pub shipping: Option<ShippingCost>,
    breakdown: Vec<TaxBreakdown>,
    /// The taxable amounts, one entry for each tax.
    taxable: Vec<i64>,
    /// In seconds, as the two after it.
    pub created: i64,
    pub expires_at: i64,
    pub tax_date: i64,
}

impl Document for Calculation {
    const KIND: Kind = Kind::TaxCalculation;

    fn id(&self) -> &str {
        &self.id
    }
}

/// Inputs of a calculation; lines and shipping have no tax yet.
#[derive(Clone, Debug)]
pub struct Request {
    pub currency: String,
    pub destination: Destination,
    pub ship_from: Option<Postal>,
    pub lines: Vec<Line>,
    pub shipping: Option<ShippingCost>,
    pub tax_date: Option<i64>,
}

pub fn calculate(request: Request, now_ms: i64) -> Result<Calculation, ApiError> {
    let too_large = |_: Overflow| ApiError::invalid("The amounts are too large.").code("amount_too_large");
    let Request { currency, destination, ship_from, mut lines, mut shipping, tax_date } = request;
    let subtotal = total(lines.iter().map(|line| line.amount)).map_err(too_large)?;
    let freight = Cents::from_cents(shipping.as_ref().map_or(0, |cost| cost.amount));
    let all = subtotal.checked_add(freight).map_err(too_large)?;

    let breakdown = taxes(&destination.address, subtotal, freight)?;
    let on_freight = taxes(&destination.address, Cents::ZERO, freight)?;
    let tax = total(breakdown.iter().map(|entry| entry.amount)).map_err(too_large)?;
    let freight_tax = total(on_freight.iter().map(|entry| entry.amount)).map_err(too_large)?;
    let items_tax = tax.checked_sub(freight_tax).map_err(too_large)?;
    if let Some(cost) = &mut shipping {
        cost.amount_tax = freight_tax.cents();
    }
    let weights: Vec<i64> = lines.iter().map(|line| line.amount).collect();
    for (line, share) in lines.iter_mut().zip(shares(items_tax.cents(), &weights)) {
        line.amount_tax = share;
    }
    let taxable = breakdown
        .iter()
        .zip(&on_freight)
        .map(|(entry, on_freight)| match (is_levied(entry), on_freight.amount > 0) {
            (false, _) => 0,
            (true, true) => all.cents(),
            (true, false) => subtotal.cents(),
        })
        .collect();
    let created = now_ms / clock::SECOND;
    Ok(Calculation {
        id: ids::new_id("taxcalc"),
        currency,
        destination,
        ship_from,
        lines,
        shipping,
        breakdown,
        taxable,
        created,
        expires_at: (now_ms + VALIDITY) / clock::SECOND,
        tax_date: tax_date.unwrap_or(created),
    })
}

fn total(mut amounts: impl Iterator<Item = i64>) -> Result<Cents, Overflow> {
    amounts.try_fold(Cents::ZERO, |sum, amount| sum.checked_add(Cents::from_cents(amount)))
}

/// Taxes of the United States and Canada by the table; none elsewhere.
fn taxes(address: &Postal, subtotal: Cents, shipping: Cents) -> Result<Vec<TaxBreakdown>, ApiError> {
    let unknown_place = || {
        ApiError::invalid("We could not determine the customer's tax location based on the provided customer address.")
            .code("customer_tax_location_invalid")
            .param("customer_details[address]")
    };
    let code = address.country.as_deref().ok_or_else(unknown_place)?;
    let Ok(country) = Country::parse(code) else {
        return Ok(vec![TaxBreakdown {
            amount: 0,
            tax_rate_details: TaxRateDetails {
                percentage_decimal: "0.0".to_owned(),
                country: Some(code.to_owned()),
                state: None,
                tax_type: None,
            },
        }]);
    };
    let state = address.state.as_deref().ok_or_else(unknown_place)?;
    if !states(country).iter().any(|(known, _)| *known == state) {
        return Err(unknown_place());
    }
    table_tax(country, state, subtotal, shipping)
        .map_err(|_| ApiError::invalid("The amounts are too large.").code("amount_too_large"))
}

fn is_levied(entry: &TaxBreakdown) -> bool {
    entry.tax_rate_details.percentage_decimal.bytes().any(|digit| (b'1'..=b'9').contains(&digit))
}

impl Calculation {
    fn tax(&self) -> i64 {
        self.breakdown.iter().map(|entry| entry.amount).sum()
    }

    fn total(&self) -> i64 {
        let lines: i64 = self.lines.iter().map(|line| line.amount).sum();
        lines + self.shipping.as_ref().map_or(0, |cost| cost.amount) + self.tax()
    }

    /// Without `line_items`, which must be expanded.
    pub fn to_json(&self) -> Value {
        let breakdown: Vec<Value> =
            self.breakdown.iter().zip(&self.taxable).map(|(entry, taxable)| breakdown_json(entry, *taxable)).collect();
        json!({
            "id": self.id,
            "object": "tax.calculation",
            "amount_total": self.total(),
            "currency": self.currency,
            "customer": null,
            "customer_details": self.destination.to_json(),
            "expires_at": self.expires_at,
            "livemode": false,
            "ship_from_details": ship_from_json(self.ship_from.as_ref()),
            "shipping_cost": self.shipping.as_ref().map(ShippingCost::to_json),
            "tax_amount_exclusive": self.tax(),
            "tax_amount_inclusive": 0,
            "tax_breakdown": breakdown,
            "tax_date": self.tax_date,
        })
    }

    pub fn lines_json(&self) -> Vec<Value> {
        self.lines
            .iter()
            .map(|line| {
                let mut shown = line.to_json();
                shown["object"] = json!("tax.calculation_line_item");
                shown
            })
            .collect()
    }
}

fn breakdown_json(entry: &TaxBreakdown, taxable: i64) -> Value {
    let rate = &entry.tax_rate_details;
    json!({
        "amount": entry.amount,
        "inclusive": false,
        "tax_rate_details": {
            "country": rate.country,
            "flat_amount": null,
            "percentage_decimal": rate.percentage_decimal,
            "rate_type": "percentage",
            "state": rate.state,
            "tax_type": rate.tax_type,
        },
        "taxability_reason": if is_levied(entry) { "standard_rated" } else { "not_collecting" },
        "taxable_amount": taxable,
    })
}

impl Line {
    /// Without `object`, which names the type of its owner.
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "amount": self.amount,
            "amount_tax": self.amount_tax,
            "livemode": false,
            "metadata": self.metadata,
            "product": self.product,
            "quantity": self.quantity,
            "reference": self.reference,
            "tax_behavior": "exclusive",
            "tax_code": self.tax_code,
        })
    }
}

impl ShippingCost {
    pub fn to_json(&self) -> Value {
        json!({
            "amount": self.amount,
            "amount_tax": self.amount_tax,
            "tax_behavior": "exclusive",
            "tax_code": self.tax_code,
        })
    }
}

impl Destination {
    pub fn to_json(&self) -> Value {
        json!({
            "address": self.address.to_json(),
            "address_source": self.address_source,
            "ip_address": null,
            "tax_ids": [],
            "taxability_override": "none",
        })
    }
}

pub fn ship_from_json(ship_from: Option<&Postal>) -> Value {
    ship_from.map_or(Value::Null, |address| json!({ "address": address.to_json() }))
}
