//! The application state, shared by all handlers.

use std::sync::Arc;

use app::mail::ShopInfo;
use axum::http::HeaderMap;
use mock_stripe::MockStripe;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::accounts::bot_check::BotCheck;
use crate::accounts::{Keys, Passwords};
use crate::catalog::images::Bitmaps;
use crate::catalog::photos::Photos;
use crate::catalog::products::CatalogSnapshot;
use crate::checkout::PaymentLocks;
use crate::checkout::provider::Provider;
use crate::checkout::reconcile::SeenRefunds;
use crate::config::Config;
use crate::db::Db;
use crate::http::cors::Cors;
use crate::http::load_shedding::LoadShedding;
use crate::http::overload_log::OverloadLog;
use crate::http::response_cache::ResponseCache;
use crate::infra::clock::Clock;
use crate::limits;
use crate::operations::health::Readiness;
use crate::operations::metrics::Metrics;
use crate::settings::CurrentSettings;
use crate::settings::values::Settings;
use crate::storefront::analytics::PageViews;
use crate::storefront::pages::Firmware;

pub struct Shop {
    pub config: Config,
    pub db: Db,
    pub clock: Clock,
    pub keys: Keys,
    pub passwords: Passwords,
    pub bot_check: BotCheck,
    pub provider: Provider,
    /// Payments that are being processed.
    pub payment_locks: PaymentLocks,
    /// Refunds that are already reconciled.
    pub seen_refunds: SeenRefunds,
    /// In test mode.
    pub mock_stripe: Option<MockStripe>,
    /// Publishable key, for the browser.
    pub publishable_key: String,
    pub settings: CurrentSettings,
    /// Base URL of links in emails and of canonical URLs, without a trailing slash.
    pub public_url: String,
    /// Snapshot of the catalog, and the cached responses about it.
    pub catalog: Arc<CatalogSnapshot>,
    /// Limits of photo uploads, and the photos that were served recently.
    pub photos: Photos,
    /// Bitmaps of the drawings.
    pub bitmaps: Bitmaps,
    /// Cached responses that never change while the process runs.
    pub documents: ResponseCache,
    pub metrics: Metrics,
    pub cors: Cors,
    pub load_shedding: LoadShedding,
    pub readiness: Readiness,
    /// Page views that are not written to the database yet.
    pub page_views: PageViews,
    /// Rate limits that were exceeded recently.
    pub limits: limits::RejectionCache,
    /// Requests rejected by limits since the last log line.
    pub overload_log: OverloadLog,
    /// Headers of every response that does not set them itself.
    pub common_headers: HeaderMap,
    /// The light's firmware, if the shop offers it.
    pub firmware: Option<Firmware>,
    /// Wakes the email worker when an email is enqueued.
    pub mail_enqueued: Arc<Notify>,
    /// Wakes the payout sync after an event about a payout.
    pub payouts_changed: Notify,
    /// Wakes the rebuild of the daily totals after a change of the settings.
    pub time_zone_changed: Notify,
    pub stopping: CancellationToken,
    /// Background tasks of requests; shutdown waits for them.
    pub tasks: TaskTracker,
}

impl Shop {
    /// The settings in force.
    pub fn settings(&self) -> Arc<Settings> {
        self.settings.get()
    }

    pub fn mail_shop(&self) -> ShopInfo {
        let settings = self.settings();
        ShopInfo {
            name: settings.shop_name.clone(),
            public_url: self.public_url.clone(),
            support_email: settings.support_email.clone(),
        }
    }
}
