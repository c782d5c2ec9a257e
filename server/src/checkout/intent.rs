//! Prepares a reserved checkout for payment: its tax calculation, and a payment intent for the total.

use std::sync::Arc;

use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::pricing::{self, TaxCalculation};

use super::errors::payment_expired;
use super::provider::{Deadline, NewIntent, NewPayment, TaxLine};
use super::store::{self, StoredCheckout};
use super::{quote_metadata, shop_id};
use crate::checkout::Checkout;
use crate::config::TaxSource;
use crate::error::Error;

/// Prefix of the id of a calculation by the built-in tax table.
pub const TABLE_CALCULATION: &str = "table-";

/// A checkout that is ready to be paid.
pub struct PreparedCheckout {
    pub intent: NewIntent,
    pub tax: TaxCalculation,
    pub total: Cents,
    pub checkout: StoredCheckout,
}

/// Requests the tax calculation and the payment intent, with idempotency keys, and stores both on the checkout.
pub async fn prepare(
    state: &Arc<Checkout>,
    deadline: Deadline,
    checkout: StoredCheckout,
    items: Vec<OrderItem>,
) -> Result<PreparedCheckout, Error> {
    let before_tax = check_total(checkout.subtotal.checked_add(checkout.shipping)?)?;
    let tax = calculate_tax(state, deadline, &checkout, &items).await?;
    let total = check_total(before_tax.checked_add(tax.total())?)?;
    let metadata = quote_metadata::write(&shop_id::load(state).await?, &checkout, &items, &tax)?;
    let payment = NewPayment {
        checkout_id: &checkout.id,
        user_id: &checkout.user_id,
        metadata,
        amount: total,
        description: &description(&state.settings.get().shop_name, &items),
        shipping: &checkout.address,
    };
    let intent = state.provider.create_intent(deadline, payment).await?;
    let prepared = PreparedCheckout { intent, tax, total, checkout };
    if save_intent(state, &prepared).await? { Ok(prepared) } else { Err(payment_expired()) }
}

/// False when the checkout is no longer open.
async fn save_intent(state: &Checkout, prepared: &PreparedCheckout) -> Result<bool, Error> {
    let args = (prepared.checkout.id.clone(), prepared.intent.clone(), prepared.tax.clone(), prepared.total);
    state
        .db
        .write(args, |tx, (checkout_id, intent, tax, total)| {
            Box::pin(store::set_intent(tx, checkout_id, &intent.id, &intent.client_secret, tax, *total))
        })
        .await
}

/// As in `Nudgelight: 2 × Nudgelight One, 1 × Nudgelight Halo`.
fn description(shop_name: &str, items: &[OrderItem]) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("{} × {}", item.quantity, item.product_name)).collect();
    format!("{shop_name}: {}", items.join(", "))
}

/// A larger amount is rejected here: the provider's own error would look like an outage.
fn check_total(total: Cents) -> Result<Cents, Error> {
    pricing::check_total(total).map_err(|message| Error::invalid_field("items", message))
}

async fn calculate_tax(
    state: &Checkout,
    deadline: Deadline,
    checkout: &StoredCheckout,
    items: &[OrderItem],
) -> Result<TaxCalculation, Error> {
    match state.config.tax {
        TaxSource::Table => calculate_by_table(checkout),
        TaxSource::Stripe => {
            let lines = items.iter().map(tax_line).collect::<Result<Vec<_>, Error>>()?;
            let address = &checkout.address.address;
            state.provider.calculate_tax(deadline, &checkout.id, lines, checkout.shipping, address).await
        }
    }
}

fn calculate_by_table(checkout: &StoredCheckout) -> Result<TaxCalculation, Error> {
    let id = format!("{TABLE_CALCULATION}{}", checkout.id);
    let state = &checkout.address.address.state;
    Ok(TaxCalculation::by_table(id, checkout.destination()?, state, checkout.subtotal, checkout.shipping)?)
}

fn tax_line(item: &OrderItem) -> Result<TaxLine, Error> {
    Ok(TaxLine {
        reference: item.product_id.clone(),
        amount: item.price.times(item.quantity)?,
        quantity: item.quantity,
    })
}
