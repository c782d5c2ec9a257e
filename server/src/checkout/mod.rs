//! The way from a cart to an order: quote, reserve, pay, finalize.
//!
//! - [`create_intent`]: the call; [`reserve`] prices from the database and holds the stock, [`intent`] asks the
//!   provider for the tax and for something to pay.
//! - [`finalize`]: the one way to an order, for the browser, the webhook and the reconciler alike; [`sale`]: what it
//!   writes; [`return_payment`]: what cannot become one goes back.
//! - [`reconcile`]: expiry, and every payment whose browser and webhook both stayed away.
//! - [`unknown_payment`]: a payment that the provider does not know ends too; [`release`]: an administrator ends a
//!   checkout by command.
//! - [`disputes`]: what the customer's bank takes up with the provider.
//! - [`attention`]: what a person has to look at.
//! - [`payment_locks`]: who is at work on a payment in this process.
//! - [`tax_records`]: what the provider is told about the tax of sales and refunds.

pub mod alerts;
mod auto_refund;
pub mod create_intent;
pub mod disputes;
pub mod finalize;
mod intent;
mod payment_locks;
pub mod provider;
pub mod reconcile;
pub mod refund;
pub mod release;
pub mod reserve;
pub mod sale;
pub mod store;
pub mod tax_records;
mod unknown_payment;
pub mod webhook;

use std::sync::Arc;

pub use self::payment_locks::PaymentLocks;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(create_intent::create_intent))
        .routes(routes!(finalize::create_order))
        .routes(routes!(webhook::receive))
}
