//! The embedded test-mode Stripe: Stripe's own HTTP API for what the shop uses, so that the whole way of a
//! payment can be walked without an account, and made to go wrong on purpose.
//!
//! It is mounted at `/test-stripe`, in test mode alone. The server calls `/test-stripe/v1/…` with the secret
//! key through the same client as Stripe; the browser confirms with the publishable key and an intent's
//! `client_secret`; the bank's page of 3-D Secure is `/test-stripe/3ds/{intent}`; and `/test-stripe/control`
//! makes webhooks and calls misbehave. Its events go to the shop, and to whatever else is registered at
//! `/test-stripe/v1/webhook_endpoints`: so another shop may have it behind its `STRIPE_API_BASE`. An event that nobody
//! has subscribed to is not written. What must be remembered is in `teststripe_…` tables, and each call is one transaction
//! with its guard inside, so any number of processes may serve it.
//!
//! All cards that Stripe documents for payments by card are here, with what comes of them: refunds that a bank decides
//! on later, and disputes, which the documented texts of evidence decide.
//!
//! Where it is milder than Stripe: `return_url` may be missing when an intent is confirmed, even if payment
//! methods that redirect are allowed; and a key used again after the first call failed on our side starts
//! afresh, because nothing of that call was kept.

mod call;
mod card_input;
mod cards;
mod charge;
mod charges;
mod control;
mod dispute;
mod disputes;
mod early_fraud_warning;
mod endpoints;
mod events;
mod expand;
mod fault;
mod faults;
mod form;
mod idempotency;
mod ids;
mod intent;
mod intent_input;
mod intent_progress;
mod intent_state;
mod keys;
mod lists;
mod memory;
mod metadata;
mod payment_intents;
mod payment_method;
mod postal;
mod queue;
mod refund;
mod refunds;
mod store;
mod tax;
mod tax_calculation;
mod tax_input;
mod tax_transaction;
#[cfg(test)]
mod tests;
mod three_d_secure;
mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::extract::FromRef;
use axum::routing::{any, delete, get, post};
use tokio_util::sync::CancellationToken;

pub use keys::{MockStripeKeys, keys};
pub use memory::Memory;
pub use webhooks::deliver_webhooks;

use crate::checkout::webhook::SUBSCRIBED;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::shop::Shop;
use call::served;

/// The version of Stripe's API that is spoken here.
pub const API_VERSION: &str = "2026-09-30.endive";

/// What the handlers use of the shop.
#[derive(Clone)]
struct MockStripe {
    db: Db,
    clock: Clock,
    /// Where people find this server; without a slash at its end.
    public_url: String,
    /// The types of events that the shop wants to be told of; `*` is all.
    subscribed: &'static [&'static str],
    memory: Memory,
}

impl FromRef<Arc<Shop>> for MockStripe {
    fn from_ref(shop: &Arc<Shop>) -> Self {
        Self {
            db: shop.db.clone(),
            clock: shop.clock.clone(),
            public_url: shop.public_url.clone(),
            subscribed: &SUBSCRIBED,
            memory: shop.test_stripe.clone(),
        }
    }
}

/// To be nested at `/test-stripe`, or served alone: Stripe's own clients for Node cannot be given a path before `/v1`.
pub fn router() -> Router<Arc<Shop>> {
    routes()
}

/// Lets the banks decide on refunds, until `stop`; one of these runs in every process.
pub async fn settle_refunds(shop: Arc<Shop>, stop: CancellationToken) {
    refunds::settle(MockStripe::from_ref(&shop), stop).await;
}

fn routes<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    MockStripe: FromRef<S>,
{
    Router::new()
        .nest("/v1", api())
        .route("/3ds/{intent}", get(three_d_secure::show).post(three_d_secure::answer))
        .route("/control", get(control::show).post(control::set).delete(control::clear))
}

fn api<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    MockStripe: FromRef<S>,
{
    Router::new()
        .route("/payment_intents", get(served(payment_intents::list)).post(served(payment_intents::create)))
        .route("/payment_intents/{id}", get(served(payment_intents::retrieve)).post(served(payment_intents::update)))
        .route("/payment_intents/{id}/confirm", post(served(payment_intents::confirm)))
        .route("/payment_intents/{id}/cancel", post(served(payment_intents::cancel)))
        .route("/charges", get(served(charges::list)))
        .route("/charges/{id}", get(served(charges::retrieve)))
        .route("/refunds", get(served(refunds::list)).post(served(refunds::create)))
        .route("/refunds/{id}", get(served(refunds::retrieve)).post(served(refunds::update)))
        .route("/disputes", get(served(disputes::list)))
        .route("/disputes/{id}", get(served(disputes::retrieve)).post(served(disputes::update)))
        .route("/disputes/{id}/close", post(served(disputes::close)))
        .route("/radar/early_fraud_warnings", get(served(early_fraud_warning::list)))
        .route("/radar/early_fraud_warnings/{id}", get(served(early_fraud_warning::retrieve)))
        .route("/tax/calculations", post(served(tax::calculate)))
        .route("/tax/calculations/{id}", get(served(tax::retrieve_calculation)))
        .route("/tax/calculations/{id}/line_items", get(served(tax::list_calculation_lines)))
        .route("/tax/transactions/create_from_calculation", post(served(tax::record)))
        .route("/tax/transactions/create_reversal", post(served(tax::reverse)))
        .route("/tax/transactions/{id}", get(served(tax::retrieve_transaction)))
        .route("/tax/transactions/{id}/line_items", get(served(tax::list_transaction_lines)))
        .route("/webhook_endpoints", get(served(endpoints::list)).post(served(endpoints::create)))
        .route("/webhook_endpoints/{id}", delete(served(endpoints::delete)))
        // A route and not a fallback: a fallback does not survive being nested twice.
        .route("/{*rest}", any(call::unknown_url))
        .method_not_allowed_fallback(call::unknown_url)
        .layer(axum::Extension(idempotency::InProgress::default()))
}
