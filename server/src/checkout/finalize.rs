//! Finalize: turns a paid checkout into an order. The browser, the webhook and the reconciler all call it, in any order
//! and any number of times. It is idempotent: a unique key decides, and every caller gets the same order.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wasm_core::money::Cents;

use super::alerts::Shopkeeper;
use super::auto_refund::{Record, auto_refund};
use super::checkout_state::CheckoutState;
use super::errors::{payment_charged_back, payment_expired, payment_refunded};
use super::metrics::OrderSource;
use super::provider::{CURRENCY, Deadline, Intent, IntentState};
use super::sale::{Sale, SaleResult};
use super::store::{self, StoredCheckout};
use super::unknown_payment;
use super::webhook_events::{Handled, ProcessedEvent};
use crate::accounts::SignedIn;
use crate::checkout::Checkout;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Body;
use crate::infra::request_id;
use crate::orders::alerts::NoOrderReason;
use crate::orders::store as orders;

#[derive(Deserialize, ToSchema)]
pub struct CreateOrder {
    /// Id of the paid payment intent.
    #[serde(rename = "paymentIntentId", default)]
    #[schema(required, min_length = 1, examples("pi_3PqLkX2eZvKYlo2C1f9Nd0aB"))]
    payment_intent_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedOrder {
    /// Id of the order.
    #[serde(rename = "orderId")]
    #[schema(examples("0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21"))]
    order_id: String,
}

#[derive(Clone, Debug)]
pub struct FinalizedOrder {
    pub id: String,
    pub created: Created,
}

/// When the order was created: by this call, or by an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    Now,
    Earlier,
}

error_responses!(OrderErrors: [BODY, SIGNED_IN] PaymentNotCompleted NotFound InsufficientStockError IntentExpired PaymentProviderUnavailable);

/// Create an order
///
/// Returns the id of the order of a paid payment intent: with 201 if this request created the order, with 200 if it
/// already existed. Safe to retry. An unpaid intent is a 402, another customer's or an unknown one a 404, an expired
/// one a 409.
#[utoipa::path(
    post,
    path = "/api/orders",
    tag = "Checkout",
    request_body = CreateOrder,
    security(("accessToken" = [])),
    responses((status = 201, description = "The order was created.", body = CreatedOrder), (status = 200, description = "The order already existed.", body = CreatedOrder), OrderErrors),
)]
pub async fn create_order(
    State(state): State<Arc<Checkout>>,
    SignedIn(caller): SignedIn,
    Body(body): Body<CreateOrder>,
) -> Result<(StatusCode, Json<CreatedOrder>), Error> {
    let intent_id = body.payment_intent_id.trim();
    if intent_id.is_empty() {
        return Err(Error::invalid_field("paymentIntentId", "This is required."));
    }
    let _lock = state.payment_locks.lock(intent_id).await;
    let checkout = store::find_by_intent(state.db.read(), intent_id).await?;
    let own = checkout.filter(|checkout| checkout.user_id == caller.user_id);
    let checkout = own.ok_or_else(|| Error::not_found("Payment"))?;
    request_id::record_payment(intent_id);
    let no_event = ProcessedEvent::none();
    let order = finalize_checkout(&state, intent_id, &checkout, &no_event, OrderSource::Browser).await?;
    request_id::record_order(&order.id);
    let status = match order.created {
        Created::Now => StatusCode::CREATED,
        Created::Earlier => StatusCode::OK,
    };
    Ok((status, Json(CreatedOrder { order_id: order.id })))
}

/// Creates the order of a paid intent, or finds the existing one. The event is marked as processed in the transaction
/// that creates the order.
///
/// # Errors
/// 402 while the intent is unpaid, 409 `IntentExpired` once it cannot be paid, 404 for an unknown checkout. An intent
/// that the provider does not know is a 503 until its checkout expires, and a 409 from then on. A payment that differs
/// from its quote, or whose items are out of stock, is refunded in full and is a 409.
pub async fn finalize(
    state: &Arc<Checkout>,
    intent_id: &str,
    event: &ProcessedEvent,
    source: OrderSource,
) -> Result<FinalizedOrder, Error> {
    let _lock = state.payment_locks.lock(intent_id).await;
    let checkout =
        store::find_by_intent(state.db.read(), intent_id).await?.ok_or_else(|| Error::not_found("Payment"))?;
    finalize_checkout(state, intent_id, &checkout, event, source).await
}

/// The result of finalizing for a background task. A payment of another application and a refunded one need no retry.
pub fn handled(result: Result<FinalizedOrder, Error>) -> Result<Handled, Error> {
    match result {
        Ok(FinalizedOrder { created: Created::Now, .. }) => Ok(Handled::Marked),
        Ok(FinalizedOrder { created: Created::Earlier, .. }) => Ok(Handled::Unmarked),
        Err(error) if matches!(error.code(), Code::NotFound | Code::IntentExpired) => {
            tracing::info!(%error, "payment needs no further action");
            Ok(Handled::Unmarked)
        }
        Err(error) => Err(error),
    }
}

async fn finalize_checkout(
    state: &Arc<Checkout>,
    intent_id: &str,
    checkout: &StoredCheckout,
    event: &ProcessedEvent,
    source: OrderSource,
) -> Result<FinalizedOrder, Error> {
    match checkout.state {
        CheckoutState::Ordered => return find_existing(state, checkout).await,
        CheckoutState::Refunded => return Err(payment_refunded()),
        CheckoutState::ChargedBack => return Err(payment_charged_back()),
        CheckoutState::Open | CheckoutState::Closed => {}
    }
    let deadline = Deadline::start();
    let Some(intent) = state.provider.find_intent(deadline, intent_id).await? else {
        unknown_payment::close_if_expired(state, checkout, event).await?;
        let closed = store::find_by_intent(state.db.read(), intent_id).await?;
        return Err(unknown_payment::error_for(closed.as_ref().unwrap_or(checkout)));
    };
    match intent.state {
        IntentState::Succeeded => {
            let order = sell(state, deadline, checkout, &intent, event).await?;
            if order.created == Created::Now {
                state.metrics.count_order(source, intent.amount_received);
            }
            Ok(order)
        }
        IntentState::Canceled => Err(payment_expired()),
        IntentState::Unpaid => Err(Error::new(Code::PaymentNotCompleted, "This payment is not complete yet.")),
    }
}

async fn sell(
    state: &Arc<Checkout>,
    deadline: Deadline,
    checkout: &StoredCheckout,
    intent: &Intent,
    event: &ProcessedEvent,
) -> Result<FinalizedOrder, Error> {
    if let Some(mismatch) = find_mismatch(state, checkout, intent) {
        return Err(auto_refund(state, deadline, checkout, intent, mismatch, event, Record::Checkout).await?);
    }
    match write_sale(state, checkout, intent, event).await {
        Ok(SaleResult::Ordered(id)) => {
            tracing::info!(order = id, payment = intent.id, "order created");
            state.mail_enqueued.notify_one();
            Ok(FinalizedOrder { id, created: Created::Now })
        }
        Ok(SaleResult::AlreadyOrdered) => find_existing(state, checkout).await,
        Ok(SaleResult::AlreadyRefunded) => Err(payment_refunded()),
        Ok(SaleResult::AlreadyChargedBack) => Err(payment_charged_back()),
        Err(error) if error.code() == Code::InsufficientStockError => {
            let reason = NoOrderReason::SoldOut { product_name: error.message().to_owned() };
            Err(auto_refund(state, deadline, checkout, intent, reason, event, Record::Checkout).await?)
        }
        Err(error) => Err(error),
    }
}

/// The first difference between the payment and its quote. Any difference prevents the order.
fn find_mismatch(state: &Checkout, checkout: &StoredCheckout, intent: &Intent) -> Option<NoOrderReason> {
    if checkout.is_without_address() {
        return Some(NoOrderReason::Late);
    }
    if Some(intent.amount_received) != checkout.total {
        return Some(NoOrderReason::OtherAmount { paid: intent.amount_received });
    }
    if intent.currency != CURRENCY {
        return Some(NoOrderReason::OtherCurrency { currency: intent.currency.clone() });
    }
    if let Some(refunded) = intent.refunded.filter(|refunded| *refunded > Cents::ZERO) {
        return Some(NoOrderReason::AlreadyRefunded { refunded });
    }
    if !state.provider.same_mode(intent) {
        return Some(NoOrderReason::OtherMode);
    }
    // The checkout was found by the intent's id. The metadata can only contradict it.
    if intent.checkout_id.as_ref().is_some_and(|id| *id != checkout.id) {
        return Some(NoOrderReason::OtherCheckout);
    }
    None
}

async fn write_sale(
    state: &Arc<Checkout>,
    checkout: &StoredCheckout,
    intent: &Intent,
    event: &ProcessedEvent,
) -> Result<SaleResult, Error> {
    let sale = Sale {
        checkout: checkout.clone(),
        billing: intent.billing.clone().unwrap_or_else(|| checkout.address.clone()),
        card: intent.card.clone(),
        live_intent: state.provider.is_live().then(|| intent.id.clone()),
        shopkeeper: Shopkeeper::of(state),
        event: event.clone(),
        now: state.clock.now_ms(),
    };
    state.db.write(sale, |tx, sale| Box::pin(sale.write(tx))).await
}

async fn find_existing(state: &Checkout, checkout: &StoredCheckout) -> Result<FinalizedOrder, Error> {
    let id = orders::load_id_by_checkout(state.db.read(), &checkout.id).await?;
    Ok(FinalizedOrder { id, created: Created::Earlier })
}
