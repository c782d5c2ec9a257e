//! Money after the sale: refunds, disputes and their evidence, payouts, the journal and the tax report.

pub mod disputes;
mod evidence;
pub mod journal;
pub mod payouts;
mod refunds;
mod tax_report;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::Accounts;
use crate::checkout::Checkout;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::infra::jobs::Jobs;
use crate::platform::Platform;
use crate::settings::{CurrentSettings, SettingsState};

/// What the domain works with.
pub struct Money {
    pub db: Db,
    pub clock: Clock,
    pub stopping: CancellationToken,
    pub accounts: Arc<Accounts>,
    pub settings: Arc<CurrentSettings>,
    /// Renders the policies of an order's day.
    pub policies: Arc<SettingsState>,
    pub checkout: Arc<Checkout>,
}

impl Money {
    pub fn new(platform: &Platform, policies: Arc<SettingsState>, checkout: Arc<Checkout>) -> Self {
        let Platform { db, clock, stopping, .. } = platform.clone();
        let (accounts, settings) = (checkout.accounts.clone(), checkout.settings.clone());
        Self { db, clock, stopping, accounts, settings, policies, checkout }
    }

    /// Synchronizes payouts, also after an event about one.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        let changed = self.checkout.payouts_changed.clone();
        jobs.every_or_when("sync_payouts", payouts::INTERVAL, changed, self, |money| async move {
            payouts::sync(&money).await
        });
    }
}

impl AsRef<Accounts> for Money {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
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
        .routes(routes!(tax_report::get_tax_report))
        .routes(routes!(tax_report::export_tax_report))
}
