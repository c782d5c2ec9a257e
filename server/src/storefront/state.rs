//! The state of the domain: what its functions work with.

use super::analytics::PageViews;
use super::pages::{Firmware, UncachedPages};
use crate::accounts::RelyingParty;
use crate::catalog::Catalog;
use crate::config::Config;
use crate::db::Db;
use crate::http::response_cache::{ResponseCache, ResponseCaches};
use crate::infra::clock::Clock;
use crate::platform::Platform;
use crate::settings::{CurrentSettings, SettingsState};
use axum::http::HeaderMap;
use std::sync::Arc;

/// What the domain works with.
pub struct Storefront {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub public_url: Arc<str>,
    pub settings: Arc<CurrentSettings>,
    /// Renders the policies in force.
    pub policies: Arc<SettingsState>,
    pub catalog: Arc<Catalog>,
    pub common_headers: HeaderMap,
    /// Cached responses that never change while the process runs.
    pub documents: Arc<ResponseCache>,
    /// Limit of the pages that are not cached.
    pub uncached_pages: UncachedPages,
    /// Page views that are not written to the database yet.
    pub page_views: PageViews,
    /// The light's firmware, if the shop offers it.
    pub firmware: Option<Firmware>,
    /// The provider's publishable key, for the browser.
    pub publishable_key: String,
    /// The origin whose pages offer passkeys.
    pub passkey_origin: Option<String>,
}

impl Storefront {
    pub fn new(
        platform: &Platform,
        policies: Arc<SettingsState>,
        catalog: Arc<Catalog>,
        caches: &ResponseCaches,
        publishable_key: String,
    ) -> Self {
        let Platform { config, db, clock, public_url, .. } = platform.clone();
        Self {
            settings: policies.current.clone(),
            common_headers: caches.common_headers.clone(),
            documents: Arc::new(caches.create()),
            uncached_pages: UncachedPages::default(),
            page_views: PageViews::default(),
            firmware: Firmware::find(&config.data_dir),
            config,
            db,
            clock,
            passkey_origin: RelyingParty::of(&public_url).ok().map(|party| party.origin().to_owned()),
            public_url,
            policies,
            catalog,
            publishable_key,
        }
    }
}
