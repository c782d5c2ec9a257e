//! The shop: the platform and the state of each domain, composed.

use std::sync::Arc;

use axum::http::HeaderMap;
use mock_stripe::MockStripe;

use crate::accounts::{self, Accounts};
use crate::catalog::Catalog;
use crate::checkout::Checkout;
use crate::fulfillment::Fulfillment;
use crate::http::Http;
use crate::http::response_cache::{CachedResponse, CachedResponses, ResponseCache};
use crate::money::Money;
use crate::operations::Operations;
use crate::orders::Orders;
use crate::platform::Platform;
use crate::settings::SettingsState;
use crate::storefront::Storefront;

pub struct Shop {
    pub platform: Platform,
    pub http: Arc<Http>,
    pub accounts: Arc<Accounts>,
    pub settings: Arc<SettingsState>,
    pub catalog: Arc<Catalog>,
    pub orders: Arc<Orders>,
    pub checkout: Arc<Checkout>,
    pub money: Arc<Money>,
    pub storefront: Arc<Storefront>,
    pub fulfillment: Arc<Fulfillment>,
    pub operations: Arc<Operations>,
    /// In test mode.
    pub mock_stripe: Option<MockStripe>,
}

impl Shop {
    pub fn start_jobs(&self) {
        let jobs = &self.platform.jobs;
        self.http.start_jobs(jobs);
        self.accounts.start_jobs(jobs);
        self.settings.current.start_jobs(jobs);
        self.catalog.start_jobs(jobs);
        self.checkout.start_jobs(jobs);
        self.money.start_jobs(jobs);
        self.storefront.start_jobs(jobs);
        self.operations.start_jobs(jobs);
    }
}

/// The cached responses of the whole shop.
pub struct PublicResponses {
    pub accounts: Arc<Accounts>,
    pub catalog: Arc<Catalog>,
    pub documents: Arc<ResponseCache>,
}

impl CachedResponses for PublicResponses {
    fn find(&self, path: &str) -> Option<Arc<CachedResponse>> {
        let of_catalog = self.catalog.snapshot.current_if_cached().and_then(|contents| contents.responses.find(path));
        of_catalog.or_else(|| self.documents.find(path))
    }

    fn find_stale(&self, path: &str) -> Option<Arc<CachedResponse>> {
        self.catalog.snapshot.latest_available()?.responses.find(path)
    }

    /// Administrators see hidden products.
    fn is_privileged(&self, headers: &HeaderMap) -> bool {
        accounts::claims_admin(headers, &self.accounts)
    }
}
