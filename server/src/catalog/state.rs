//! The state of the domain: what its functions work with.

use super::photos::Photos;
use super::products::CatalogSnapshot;
use crate::accounts::Accounts;
use crate::config::Config;
use crate::db::Db;
use crate::http::response_cache::{PageVersion, ResponseCaches};
use crate::infra::clock::Clock;
use crate::limits::Limits;
use crate::platform::Platform;
use crate::settings::CurrentSettings;
use axum::http::HeaderMap;
use std::sync::Arc;
use tokio::sync::Notify;

/// What the domain works with.
pub struct Catalog {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub accounts: Arc<Accounts>,
    pub settings: Arc<CurrentSettings>,
    pub limits: Arc<Limits>,
    pub mail_enqueued: Arc<Notify>,
    pub common_headers: HeaderMap,
    /// Snapshot of the products, and the cached responses about them.
    pub snapshot: Arc<CatalogSnapshot>,
    /// Limits of photo uploads, and the photos that were served recently.
    pub photos: Photos,
}

impl Catalog {
    /// # Errors
    /// If the registry already has a metric.
    pub fn new(
        platform: &Platform,
        accounts: Arc<Accounts>,
        settings: Arc<CurrentSettings>,
        caches: &ResponseCaches,
        pages: PageVersion,
    ) -> prometheus::Result<Self> {
        let Platform { config, db, clock, registry, .. } = platform.clone();
        Ok(Self {
            snapshot: Arc::new(CatalogSnapshot::new(db.clone(), caches.clone(), pages, &registry)?),
            photos: Photos::default(),
            common_headers: caches.common_headers.clone(),
            limits: accounts.limits.clone(),
            mail_enqueued: accounts.mail_enqueued.clone(),
            config,
            db,
            clock,
            accounts,
            settings,
        })
    }
}

impl AsRef<Accounts> for Catalog {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}

impl AsRef<Config> for Catalog {
    fn as_ref(&self) -> &Config {
        &self.config
    }
}
