//! Mock of Stripe for test mode: the part of Stripe's HTTP API that the shop uses, so that every payment flow works
//! without an account, with fault injection.
//!
//! [`router`] has three parts. A server calls `/v1/…` with the secret key, through the same client as Stripe; a browser
//! confirms with the publishable key and an intent's `client_secret`. The bank's 3-D Secure page is `/3ds/{intent}`, and
//! `/control` injects faults. Events go to the shop and to endpoints registered at `/v1/webhook_endpoints`, so another
//! shop can use the mock as its Stripe. Events without a subscriber are not written. State is in `mock_stripe_…` tables,
//! and each request is one guarded transaction, so any number of processes may serve it.
//!
//! All cards that Stripe documents for card payments are implemented with their effects, including refunds that a bank
//! decides later, and disputes that the documented evidence texts decide. Each movement of money is a balance transaction
//! that a payout pays out.
//!
//! More lenient than Stripe in two points: `return_url` is optional even if payment methods with redirects are allowed,
//! and an idempotency key is free again after an internal error, because nothing of that request was stored.

mod api_error;
mod api_response;
mod auth;
mod balance_transaction;
mod cache;
mod call;
mod card_input;
mod cards;
mod charge;
mod charges;
mod clock;
mod control;
mod db;
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
mod metadata;
mod payment_intents;
mod payment_method;
mod payout;
mod payouts;
mod postal;
mod queue;
mod refund;
mod refunds;
mod resources;
mod store;
mod tax;
mod tax_calculation;
mod tax_input;
mod tax_transaction;
#[cfg(test)]
mod tests;
mod three_d_secure;
mod webhook_faults;
mod webhook_sender;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, delete, get, post};
use tokio_util::sync::CancellationToken;

pub use clock::Clock;
pub use db::{Db, MIGRATIONS_TABLE, migrator};
pub use keys::Keys;

use balance_transaction::BalanceTransaction;
use cache::Cache;
use call::endpoint;
use charge::Charge;
use dispute::Dispute;
use early_fraud_warning::EarlyFraudWarning;
use idempotency::InProgress;
use payout::Payout;
use refund::Refund;
use webhook_sender::WebhookSender;

/// The implemented version of Stripe's API.
pub const API_VERSION: &str = "2026-09-30.endive";

/// Maximum body size in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// A test account. Clones share it.
#[derive(Clone)]
pub struct MockStripe {
    db: Db,
    clock: Clock,
    /// Public address of [`router`], without a trailing slash.
    base_url: String,
    /// Event types that the shop subscribes to; `*` for all.
    subscribed: &'static [&'static str],
    cache: Cache,
    in_progress: InProgress,
}

impl MockStripe {
    /// The tables of [`migrator`] must exist. `base_url` is the public address of [`router`], without a trailing slash,
    /// and `subscribed` are the event types for [`MockStripe::deliver_webhooks`]; `*` for all.
    pub fn new(db: Db, clock: Clock, base_url: String, subscribed: &'static [&'static str]) -> Self {
        let (cache, in_progress) = (Cache::default(), InProgress::default());
        Self { db, clock, base_url, subscribed, cache, in_progress }
    }

    /// The API keys.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub async fn keys(&self) -> Result<Keys, sqlx::Error> {
        self.cache.keys(&self.db).await
    }

    /// Posts events to the shop's `endpoint` and to registered ones until `stop`, signed for the shop with `secret`. One
    /// instance runs in every process.
    pub async fn deliver_webhooks(self, endpoint: String, secret: String, stop: CancellationToken) {
        WebhookSender::new(&self, endpoint, secret).run(stop).await;
    }

    /// Decides pending refunds until `stop`. One instance runs in every process.
    pub async fn settle_refunds(self, stop: CancellationToken) {
        refunds::settle(&self, stop).await;
    }
}

/// Mounted below a path, or at the root of an address of its own: Stripe's clients for Node do not support a path before
/// `/v1`.
pub fn router<S>(stripe: MockStripe) -> Router<S> {
    Router::new()
        .nest("/v1", api())
        .route("/3ds/{intent}", get(three_d_secure::show).post(three_d_secure::submit_challenge))
        .route("/control", get(control::show).post(control::set).delete(control::clear))
        .route("/control/payouts", post(payouts::pay_out))
        .route("/control/refunds/{id}/fail", post(refunds::fail_now))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(stripe)
}

fn api() -> Router<MockStripe> {
    Router::new()
        .route("/payment_intents", get(endpoint(payment_intents::list)).post(endpoint(payment_intents::create)))
        .route(
            "/payment_intents/{id}",
            get(endpoint(payment_intents::retrieve)).post(endpoint(payment_intents::update)),
        )
        .route("/payment_intents/{id}/confirm", post(endpoint(payment_intents::confirm)))
        .route("/payment_intents/{id}/cancel", post(endpoint(payment_intents::cancel)))
        .route("/balance_transactions", get(endpoint(payouts::list_balance_transactions)))
        .route("/balance_transactions/{id}", get(endpoint(resources::retrieve::<BalanceTransaction>)))
        .route("/charges", get(endpoint(charges::list)))
        .route("/charges/{id}", get(endpoint(resources::retrieve::<Charge>)))
        .route("/refunds", get(endpoint(resources::list_of_charge::<Refund>)).post(endpoint(refunds::create)))
        .route("/refunds/{id}", get(endpoint(resources::retrieve::<Refund>)).post(endpoint(refunds::update)))
        .route("/disputes", get(endpoint(resources::list_of_charge::<Dispute>)))
        .route("/disputes/{id}", get(endpoint(resources::retrieve::<Dispute>)).post(endpoint(disputes::update)))
        .route("/disputes/{id}/close", post(endpoint(disputes::close)))
        .route("/radar/early_fraud_warnings", get(endpoint(resources::list_of_charge::<EarlyFraudWarning>)))
        .route("/radar/early_fraud_warnings/{id}", get(endpoint(resources::retrieve::<EarlyFraudWarning>)))
        .route("/payouts", get(endpoint(payouts::list)))
        .route("/payouts/{id}", get(endpoint(resources::retrieve::<Payout>)))
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
}
