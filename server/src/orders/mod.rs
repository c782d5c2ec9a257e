//! Orders: created by the checkout, read by their customer and by administrators.

pub mod bulk;
pub mod customer_mail;
pub mod daily_totals;
mod filter;
mod handlers;
pub mod insert;
pub mod listing;
pub mod query;
pub mod store;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::Accounts;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::infra::jobs::Jobs;
use crate::platform::Platform;
use crate::settings::CurrentSettings;

/// What the domain works with.
pub struct Orders {
    pub db: Db,
    pub clock: Clock,
    pub stopping: CancellationToken,
    pub accounts: Arc<Accounts>,
    pub settings: Arc<CurrentSettings>,
}

impl Orders {
    pub fn new(platform: &Platform, accounts: Arc<Accounts>, settings: Arc<CurrentSettings>) -> Self {
        let Platform { db, clock, stopping, .. } = platform.clone();
        Self { db, clock, stopping, accounts, settings }
    }

    /// Brings the time zone of the settings into force.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every_or_when(
            "rebuild_daily_totals",
            daily_totals::rebuild::INTERVAL,
            self.settings.changed(),
            self,
            |orders| async move { daily_totals::rebuild::run_once(&orders).await },
        );
    }
}

impl AsRef<Accounts> for Orders {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}

/// For pages of listed origins, too.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Orders>> {
    OpenApiRouter::new().routes(routes!(handlers::get_order)).routes(routes!(handlers::list_own_orders))
}
