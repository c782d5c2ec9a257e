//! From a reserved checkout to one that can be paid: its tax, and a payment intent over the total.

use std::sync::Arc;

use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::pricing::{TaxCalculation, table_tax};

use super::provider::{Budget, NewIntent, NewPayment, TaxLine};
use super::reserve::expired;
use super::store::{self, Checkout};
use crate::config::TaxSource;
use crate::http::error::Error;
use crate::shop::Shop;

/// What the id of a calculation begins with that the provider knows nothing of.
pub const TABLE_CALCULATION: &str = "table-";

const LARGEST: Cents = Cents::from_cents(99_999_999);

/// A checkout that waits to be paid.
pub struct Prepared {
    pub intent: NewIntent,
    pub tax: TaxCalculation,
    pub total: Cents,
    pub checkout: Checkout,
}

/// Asks for tax and intent, with keys that make asking twice harmless, and writes both to the checkout.
pub async fn prepare(
    shop: &Arc<Shop>,
    budget: Budget,
    checkout: Checkout,
    lines: Vec<OrderItem>,
) -> Result<Prepared, Error> {
    let untaxed = payable(checkout.subtotal.checked_add(checkout.shipping)?)?;
    let tax = tax_for(shop, budget, &checkout, &lines).await?;
    let total = payable(untaxed.checked_add(Cents::from_cents(tax.tax_amount_exclusive))?)?;
    let payment = NewPayment {
        checkout_id: &checkout.id,
        user_id: &checkout.user_id,
        amount: total,
        description: &description(&shop.config.shop_name, &lines),
        shipping: &checkout.address,
    };
    let intent = shop.provider.create_intent(budget, payment).await?;
    let (checkout_id, made, calculation) = (checkout.id.clone(), intent.clone(), tax.clone());
    let stored = shop
        .db
        .write_closure(move |tx| {
            let (checkout_id, made, calculation) = (checkout_id.clone(), made.clone(), calculation.clone());
            Box::pin(async move {
                store::set_intent(tx, &checkout_id, &made.id, &made.client_secret, &calculation, total).await
            })
        })
        .await?;
    if stored { Ok(Prepared { intent, tax, total, checkout }) } else { Err(expired()) }
}

/// As in `Nudgelight: 2 × Nudgelight One, 1 × Nudgelight Halo`.
fn description(shop_name: &str, lines: &[OrderItem]) -> String {
    let items: Vec<String> = lines.iter().map(|line| format!("{} × {}", line.quantity, line.product_name)).collect();
    format!("{shop_name}: {}", items.join(", "))
}

/// The provider takes no larger sum, and would refuse it as if it were out of order.
fn payable(sum: Cents) -> Result<Cents, Error> {
    if sum > LARGEST {
        return Err(Error::invalid_field("items", format!("An order comes to {LARGEST} at most. Please order less.")));
    }
    Ok(sum)
}

async fn tax_for(
    shop: &Shop,
    budget: Budget,
    checkout: &Checkout,
    lines: &[OrderItem],
) -> Result<TaxCalculation, Error> {
    let address = &checkout.address.address;
    match shop.config.tax {
        TaxSource::Table => {
            let country = checkout
                .address
                .address
                .destination()
                .ok_or_else(|| Error::internal("a checked address has no known country"))?;
            let tax_breakdown = table_tax(country, &address.state, checkout.subtotal, checkout.shipping)?;
            Ok(TaxCalculation {
                id: format!("{TABLE_CALCULATION}{}", checkout.id),
                tax_amount_exclusive: tax_breakdown.iter().map(|entry| entry.amount).sum(),
                tax_breakdown,
            })
        }
        TaxSource::Stripe => {
            let lines = lines
                .iter()
                .map(|line| {
                    Ok(TaxLine {
                        reference: line.product_id.clone(),
                        amount: line.price.times(line.quantity)?,
                        quantity: line.quantity,
                    })
                })
                .collect::<Result<Vec<_>, Error>>()?;
            shop.provider.calculate_tax(budget, &checkout.id, lines, checkout.shipping, address).await
        }
    }
}
