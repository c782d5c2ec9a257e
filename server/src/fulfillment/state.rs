//! The state of the domain: what its functions work with.

use crate::accounts::Accounts;
use crate::catalog::Catalog;
use crate::checkout::Checkout;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::limits::Limits;
use crate::platform::Platform;
use crate::settings::CurrentSettings;
use crate::storefront::Storefront;
use std::sync::Arc;
use tokio::sync::{Mutex, Notify};

/// What the domain works with.
pub struct Fulfillment {
    pub db: Db,
    pub clock: Clock,
    pub accounts: Arc<Accounts>,
    pub settings: Arc<CurrentSettings>,
    pub limits: Arc<Limits>,
    pub mail_enqueued: Arc<Notify>,
    pub catalog: Arc<Catalog>,
    pub checkout: Arc<Checkout>,
    pub storefront: Arc<Storefront>,
    /// Held while a file of tracking numbers is read.
    pub tracking_files: Mutex<()>,
}

impl Fulfillment {
    pub fn new(platform: &Platform, checkout: Arc<Checkout>, storefront: Arc<Storefront>) -> Self {
        let Platform { db, clock, .. } = platform.clone();
        Self {
            accounts: checkout.accounts.clone(),
            settings: checkout.settings.clone(),
            limits: checkout.limits.clone(),
            mail_enqueued: checkout.mail_enqueued.clone(),
            catalog: storefront.catalog.clone(),
            db,
            clock,
            checkout,
            storefront,
            tracking_files: Mutex::new(()),
        }
    }
}

impl AsRef<Accounts> for Fulfillment {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}
