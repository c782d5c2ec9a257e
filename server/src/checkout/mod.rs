//! The way from a cart to an order: quote, reserve, pay, finalize.
//!
//! - [`create_intent`]: prices from the database, stock reserved, tax, payment intent.
//! - [`finalize`]: the one way to an order, for the browser, the webhook and the reconciler alike.
//! - [`reconcile`]: expiry, and every payment whose browser and webhook both stayed away.

pub mod create_intent;
pub mod finalize;
pub mod provider;
pub mod reconcile;
pub mod refund;
pub mod store;
pub mod webhook;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(create_intent::create_intent))
        .routes(routes!(finalize::create_order))
        .routes(routes!(webhook::receive))
}
