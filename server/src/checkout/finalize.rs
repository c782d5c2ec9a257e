//! The one way to an order. The browser's return, the webhook and the reconciler all come here, in any order
//! and any number of times; a unique key decides, and everybody gets the same order.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wasm_core::money::Cents;

use super::alerts::Shopkeeper;
use super::auto_refund::{give_money_back, returned};
use super::provider::{Budget, CURRENCY, Intent, IntentState};
use super::reserve::expired;
use super::sale::{Outcome, Sale};
use super::store::{self, Checkout};
use super::unknown_payment;
use super::webhook::Note;
use crate::auth::SignedIn;
use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::http::extract::Body;
use crate::orders::store as orders;
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
pub struct CreateOrder {
    #[serde(rename = "paymentIntentId", default)]
    #[schema(required, min_length = 1)]
    payment_intent_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedOrder {
    #[serde(rename = "orderId")]
    order_id: String,
}

/// An order and whether this very call made it.
#[derive(Clone, Debug)]
pub struct Finalized {
    pub id: String,
    pub made_now: Made,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    Now,
    Before,
}

error_responses!(OrderErrors: [BODY, SIGNED_IN] PaymentNotCompleted NotFound InsufficientStockError IntentExpired PaymentProviderUnavailable);

/// The order of one's own paid intent: 201 for the call that made it, 200 for every other.
#[utoipa::path(
    post,
    path = "/api/orders",
    tag = "Checkout",
    request_body = CreateOrder,
    security(("accessToken" = [])),
    responses((status = 201, description = "The order, made now.", body = CreatedOrder), (status = 200, description = "The order, made before.", body = CreatedOrder), OrderErrors),
)]
pub async fn create_order(
    State(shop): State<Arc<Shop>>,
    SignedIn(caller): SignedIn,
    Body(body): Body<CreateOrder>,
) -> Result<(StatusCode, Json<CreatedOrder>), Error> {
    let intent_id = body.payment_intent_id.trim();
    if intent_id.is_empty() {
        return Err(Error::invalid_field("paymentIntentId", "This is required."));
    }
    let _lock = shop.payment_locks.lock(intent_id).await;
    let checkout = store::find_by_intent(shop.db.read(), intent_id).await?;
    let own = checkout.filter(|checkout| checkout.user_id == caller.user_id);
    let checkout = own.ok_or_else(|| Error::not_found("Payment"))?;
    let order = finalize_checkout(&shop, intent_id, &checkout, &Note::none()).await?;
    let status = match order.made_now {
        Made::Now => StatusCode::CREATED,
        Made::Before => StatusCode::OK,
    };
    Ok((status, Json(CreatedOrder { order_id: order.id })))
}

/// Makes the order of a paid intent, or finds the one it has. With what it writes it notes the event that told of it.
///
/// # Errors
/// 402 while it is not paid, 409 `IntentExpired` once it cannot be, 404 for an intent that is not ours. An intent
/// that the provider does not know is a 503 until its checkout expires, and a 409 from then on. A
/// payment that does not match its quote, or whose goods are gone, is refunded in full and is a 409.
pub async fn finalize(shop: &Arc<Shop>, intent_id: &str, note: &Note) -> Result<Finalized, Error> {
    let _lock = shop.payment_locks.lock(intent_id).await;
    let checkout =
        store::find_by_intent(shop.db.read(), intent_id).await?.ok_or_else(|| Error::not_found("Payment"))?;
    finalize_checkout(shop, intent_id, &checkout, note).await
}

async fn finalize_checkout(
    shop: &Arc<Shop>,
    intent_id: &str,
    checkout: &Checkout,
    note: &Note,
) -> Result<Finalized, Error> {
    match checkout.state {
        store::State::Ordered => return existing(shop, checkout).await,
        store::State::Refunded => return Err(returned()),
        store::State::Open | store::State::Closed => {}
    }
    let budget = Budget::start();
    let Some(intent) = shop.provider.find_intent(budget, intent_id).await? else {
        unknown_payment::close_if_expired(shop, checkout, note).await?;
        let closed = store::find_by_intent(shop.db.read(), intent_id).await?;
        return Err(unknown_payment::refusal(closed.as_ref().unwrap_or(checkout)));
    };
    match intent.state {
        IntentState::Succeeded => {}
        IntentState::Canceled => return Err(expired()),
        IntentState::Unpaid => {
            return Err(Error::new(Code::PaymentNotCompleted, "This payment is not complete yet."));
        }
    }
    if let Some(mismatch) = mismatch(shop, checkout, &intent) {
        return give_money_back(shop, budget, checkout, &intent, mismatch, note).await;
    }
    match make_order(shop, checkout, &intent, note).await {
        Ok(Outcome::Made(id)) => {
            shop.mail_enqueued.notify_one();
            Ok(Finalized { id, made_now: Made::Now })
        }
        Ok(Outcome::MadeBefore) => existing(shop, checkout).await,
        Ok(Outcome::Refunded) => Err(returned()),
        Err(error) if error.code() == Code::InsufficientStockError => {
            let reason = format!("{} sold out before your payment arrived.", error.message());
            give_money_back(shop, budget, checkout, &intent, reason, note).await
        }
        Err(error) => Err(error),
    }
}

/// What differs between the payment and what was quoted; each is refused, whatever the others say.
fn mismatch(shop: &Shop, checkout: &Checkout, intent: &Intent) -> Option<String> {
    if checkout.is_without_address() {
        return Some("It arrived long after its time had run out.".to_owned());
    }
    if Some(intent.amount_received) != checkout.total {
        return Some(format!("You paid {}, which is not the sum we had asked for.", intent.amount_received));
    }
    if intent.currency != CURRENCY {
        return Some(format!("You paid in {}, not in US dollars.", intent.currency));
    }
    if let Some(refunded) = intent.refunded.filter(|refunded| *refunded > Cents::ZERO) {
        return Some(format!("{refunded} of it had already been given back."));
    }
    if !shop.provider.same_mode(intent) {
        return Some("A test and a live payment were mixed up.".to_owned());
    }
    // The checkout was found by the id that the provider gave its intent; metadata can only contradict that.
    if intent.checkout_id.as_ref().is_some_and(|id| *id != checkout.id) {
        return Some("The payment belongs to another checkout.".to_owned());
    }
    None
}

async fn make_order(shop: &Arc<Shop>, checkout: &Checkout, intent: &Intent, note: &Note) -> Result<Outcome, Error> {
    let sale = Sale {
        checkout: checkout.clone(),
        billing: intent.billing.clone().unwrap_or_else(|| checkout.address.clone()),
        live_intent: shop.provider.is_live().then(|| intent.id.clone()),
        shopkeeper: Shopkeeper::of(shop),
        note: note.clone(),
        now: shop.clock.now_ms(),
    };
    shop.db
        .write_closure(move |tx| {
            let sale = sale.clone();
            Box::pin(async move { sale.write(tx).await })
        })
        .await
}

async fn existing(shop: &Shop, checkout: &Checkout) -> Result<Finalized, Error> {
    let id = orders::load_id_by_checkout(shop.db.read(), &checkout.id).await?;
    Ok(Finalized { id, made_now: Made::Before })
}
