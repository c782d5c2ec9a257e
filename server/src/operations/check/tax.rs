//! The source of taxes.

use wasm_core::money::Cents;
use wasm_core::validation::PostalAddress;

use super::Status;
use crate::checkout::provider::{Deadline, Provider, TaxLine};
use crate::config::{Config, Payments, StripeKeys, TaxSource};
use crate::infra::clock::Clock;

pub async fn status(config: &Config, clock: &Clock) -> Status {
    match (config.tax, &config.payments) {
        (TaxSource::Table, _) => Status::Works("built-in table of rates, no external service".to_owned()),
        (TaxSource::Stripe, Payments::Test) => Status::Works("built-in mock Stripe".to_owned()),
        (TaxSource::Stripe, Payments::Stripe(keys)) => probe(keys, clock).await.into(),
    }
}

/// Requests the same calculation as a checkout: with complete settings the key may still lack the permission. The
/// calculation is not a sale, and Stripe discards it.
async fn probe(keys: &StripeKeys, clock: &Clock) -> Result<String, String> {
    let provider = Provider::new(&keys.api_base, &keys.secret_key, String::new(), clock.clone())?;
    let (line, address) = (sample_line(), sample_address());
    let key = format!("check-{}", clock.now_ms());
    match provider.calculate_tax(Deadline::start(), &key, vec![line], Cents::ZERO, &address).await {
        Ok(calculation) => {
            let tax = Cents::from_cents(calculation.tax_amount_exclusive);
            Ok(format!(
                "{} calculates {tax} for a sample sale of {} to {}. In which states and provinces tax is collected \
                 is set there",
                keys.api_base,
                sample_line().amount,
                address.city
            ))
        }
        Err(error) => Err(format!(
            "{} does not calculate it: {error}; activate Stripe Tax there, or set SHOP_TAX=table",
            keys.api_base
        )),
    }
}

fn sample_line() -> TaxLine {
    TaxLine { reference: "check".to_owned(), amount: Cents::from_cents(2_500), quantity: 1 }
}

/// The address of San Francisco's city hall.
fn sample_address() -> PostalAddress {
    PostalAddress {
        line1: "1 Dr Carlton B Goodlett Pl".to_owned(),
        line2: None,
        city: "San Francisco".to_owned(),
        state: "CA".to_owned(),
        postal_code: "94102".to_owned(),
        country: "US".to_owned(),
    }
}
