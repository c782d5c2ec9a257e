//! Where the tax of a sale comes from, and whether it comes.

use wasm_core::money::Cents;
use wasm_core::validation::PostalAddress;

use super::Verdict;
use crate::checkout::provider::{Deadline, Provider, TaxLine};
use crate::config::{Config, Payments, StripeKeys, TaxSource};
use crate::infra::clock::Clock;

pub async fn verdict(config: &Config, clock: &Clock) -> Verdict {
    match (config.tax, &config.payments) {
        (TaxSource::Table, _) => Verdict::Works("by the built-in table of rates, which needs no service".to_owned()),
        (TaxSource::Stripe, Payments::Test) => Verdict::Works("by the test-mode Stripe inside the server".to_owned()),
        (TaxSource::Stripe, Payments::Stripe(keys)) => ask(keys, clock).await.into(),
    }
}

/// Asks for what each checkout asks for: Stripe's settings could be complete and the key still not allowed to. The
/// calculation is no sale, and Stripe forgets it.
async fn ask(keys: &StripeKeys, clock: &Clock) -> Result<String, String> {
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
