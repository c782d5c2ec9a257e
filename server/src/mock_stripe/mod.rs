//! Mock of Stripe for test mode: the part of Stripe's HTTP API that the shop uses, so that every payment flow works
//! without an account, with fault injection.
//!
//! Mounted at `/test-stripe` in test mode only. The server calls `/test-stripe/v1/…` with the secret key, through the
//! same client as Stripe. The browser confirms with the publishable key and an intent's `client_secret`. The bank's 3-D
//! Secure page is `/test-stripe/3ds/{intent}`, and `/test-stripe/control` injects faults. Events go to the shop and to
//! endpoints registered at `/test-stripe/v1/webhook_endpoints`, so another shop can use the mock as its
//! `STRIPE_API_BASE`. Events without a subscriber are not written. State is in `mock_stripe_…` tables, and each request
//! is one guarded transaction, so any number of processes may serve it.
//!
//! All cards that Stripe documents for card payments are implemented with their effects, including refunds that a bank
//! decides later, and disputes that the documented evidence texts decide.
//!
//! More lenient than Stripe in two points: `return_url` is optional even if payment methods with redirects are allowed,
//! and an idempotency key is free again after an internal error, because nothing of that request was stored.

mod api_error;
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
mod fault_injection;
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

use axum::Router;
use axum::extract::FromRef;
use axum::routing::{any, delete, get, post};

pub use keys::{MockStripeKeys, keys};
pub use memory::Memory;
pub use refunds::settle as settle_refunds;
pub use webhooks::deliver_webhooks;

use crate::db::Db;
use crate::infra::clock::Clock;
use call::endpoint;

/// The implemented version of Stripe's API.
pub const API_VERSION: &str = "2026-09-30.endive";

/// The dependencies of the mock.
#[derive(Clone)]
pub struct MockStripe {
    pub db: Db,
    pub clock: Clock,
    /// Public address of this server, without a trailing slash.
    pub public_url: String,
    /// Event types that the shop subscribes to; `*` for all.
    pub subscribed: &'static [&'static str],
    pub memory: Memory,
}

/// Mounted at `/test-stripe`, or at the root of a port of its own: Stripe's clients for Node do not support a path
/// before `/v1`.
pub fn router<S>() -> Router<S>
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
        .route("/payment_intents", get(endpoint(payment_intents::list)).post(endpoint(payment_intents::create)))
        .route(
            "/payment_intents/{id}",
            get(endpoint(payment_intents::retrieve)).post(endpoint(payment_intents::update)),
        )
        .route("/payment_intents/{id}/confirm", post(endpoint(payment_intents::confirm)))
        .route("/payment_intents/{id}/cancel", post(endpoint(payment_intents::cancel)))
        .route("/charges", get(endpoint(charges::list)))
        .route("/charges/{id}", get(endpoint(charges::retrieve)))
        .route("/refunds", get(endpoint(refunds::list)).post(endpoint(refunds::create)))
        .route("/refunds/{id}", get(endpoint(refunds::retrieve)).post(endpoint(refunds::update)))
        .route("/disputes", get(endpoint(disputes::list)))
        .route("/disputes/{id}", get(endpoint(disputes::retrieve)).post(endpoint(disputes::update)))
        .route("/disputes/{id}/close", post(endpoint(disputes::close)))
        .route("/radar/early_fraud_warnings", get(endpoint(early_fraud_warning::list)))
        .route("/radar/early_fraud_warnings/{id}", get(endpoint(early_fraud_warning::retrieve)))
        .route("/tax/calculations", post(endpoint(tax::calculate)))
        .route("/tax/calculations/{id}", get(endpoint(tax::retrieve_calculation)))
        .route("/tax/calculations/{id}/line_items", get(endpoint(tax::list_calculation_lines)))
        .route("/tax/transactions/create_from_calculation", post(endpoint(tax::record)))
        .route("/tax/transactions/create_reversal", post(endpoint(tax::reverse)))
        .route("/tax/transactions/{id}", get(endpoint(tax::retrieve_transaction)))
        .route("/tax/transactions/{id}/line_items", get(endpoint(tax::list_transaction_lines)))
        .route("/webhook_endpoints", get(endpoint(endpoints::list)).post(endpoint(endpoints::create)))
        .route("/webhook_endpoints/{id}", delete(endpoint(endpoints::delete)))
        // A route instead of a fallback: a fallback does not survive being nested twice.
        .route("/{*rest}", any(call::unknown_url))
        .method_not_allowed_fallback(call::unknown_url)
        .layer(axum::Extension(idempotency::InProgress::default()))
}
