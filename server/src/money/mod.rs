//! Money after the sale: refunds, disputes and their evidence, payouts, the journal and the tax report.

pub mod disputes;
mod evidence;
pub mod journal;
pub mod payouts;
mod refunds;
mod state;
mod tax_report;

pub use self::state::Money;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::infra::jobs::Jobs;

impl Money {
    /// Synchronizes payouts, also after an event about one.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        let changed = self.checkout.payouts_changed.clone();
        jobs.every_or_when("sync_payouts", payouts::INTERVAL, changed, self, |money| async move {
            payouts::sync(&money).await
        });
    }
}

pub fn admin_routes() -> OpenApiRouter<Arc<Money>> {
    OpenApiRouter::new()
        .routes(routes!(payouts::handlers::get_order_balance))
        .routes(routes!(payouts::handlers::list_payouts))
        .routes(routes!(payouts::handlers::get_payout))
        .routes(routes!(payouts::handlers::export_payout))
        .routes(routes!(disputes::list_order_disputes))
        .routes(routes!(evidence::get_evidence))
        .routes(routes!(journal::handlers::export_journal))
        .routes(routes!(refunds::list_refunds, refunds::create_refund))
        .routes(routes!(refunds::preview_refund))
        .routes(routes!(refunds::settle_refund))
        .routes(routes!(tax_report::get_tax_report))
        .routes(routes!(tax_report::export_tax_report))
}
