//! Checkout: from a cart to an order in four steps: quote, reserve, pay, finalize.
//!
//! - [`create_intent`]: the endpoint. [`reserve`] prices the cart from the database and reserves its stock; [`intent`]
//!   requests the tax calculation and the payment intent from the payment provider.
//! - [`finalize`]: turns a paid checkout into an order, for the browser, the webhook and the reconciler alike. [`sale`]
//!   is its transaction; [`auto_refund`] refunds a payment that cannot become an order.
//! - [`webhook`]: receives the provider's events. [`webhook_events`] stores them and marks them as processed.
//! - [`reconcile`]: expires checkouts, and compares open payments, refunds, disputes and early fraud warnings with the
//!   provider. [`sync`] does so for one checkout.
//! - [`refunds`], [`disputes`], [`fraud_warnings`], [`tax_records`]: what follows a sale.
//! - [`unknown_payment`]: closes the checkout of a payment that the provider does not know. [`unknown_report`]: the alert
//!   about an event whose object it does not know. [`release`]: closes a checkout by command.
//! - [`lost_payments`]: makes the orders of payments that the database lost, by the [`quote_metadata`] of those with the
//!   [`shop_id`] of this shop. [`confirmation`]: a copy of the database moves no money.
//! - [`alerts`]: what an administrator must review.
//! - [`payment_locks`]: one task at a time for each payment of this process.
//! - [`provider`]: the client of the payment provider.

pub mod alerts;
mod auto_refund;
pub mod checkout_state;
pub mod confirmation;
mod create_intent;
pub mod disputes;
mod errors;
mod finalize;
pub mod fraud_warnings;
pub mod holds;
mod intent;
mod lost_payments;
pub mod metrics;
mod payment_locks;
pub mod provider;
mod quote_metadata;
pub mod reconcile;
mod reconcile_report;
pub mod refunds;
pub mod release;
pub mod reserve;
pub mod sale;
mod seen_refunds;
mod shop_id;
mod state;
pub mod store;
mod sync;
pub mod tax_records;
mod unknown_payment;
mod unknown_report;
pub mod webhook;
pub mod webhook_events;

pub use self::state::Checkout;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::infra::jobs::Jobs;

pub use self::payment_locks::PaymentLocks;
pub use self::reconcile_report::ReconcileReport;

impl Checkout {
    /// Expiry and stored events; the comparison with the provider, which is independent of them because after a long
    /// downtime it has many pages of refunds to read; tax records.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every("expire_checkouts", reconcile::EXPIRY_INTERVAL, self, |checkout| async move {
            reconcile::expire(&checkout).await
        });
        jobs.every("reconcile", reconcile::RECONCILE_INTERVAL, self, |checkout| async move {
            reconcile::run_and_remind(&checkout).await
        });
        jobs.every("tax_records", tax_records::INTERVAL, self, |checkout| async move {
            tax_records::process_pending(&checkout).await
        });
    }
}

pub fn routes() -> OpenApiRouter<Arc<Checkout>> {
    OpenApiRouter::new().routes(routes!(webhook::receive))
}

/// For pages of listed origins, too.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Checkout>> {
    OpenApiRouter::new().routes(routes!(create_intent::create_intent)).routes(routes!(finalize::create_order))
}
