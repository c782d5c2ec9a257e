//! The state of the domain: what its functions work with.

use super::database_check::DatabaseCheck;
use super::metrics::Metrics;
use crate::accounts::Accounts;
use crate::checkout::Checkout;
use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::platform::Platform;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What the domain works with.
pub struct Operations {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub draining: CancellationToken,
    pub metrics: Metrics,
    pub database_check: DatabaseCheck,
    pub checkout: Arc<Checkout>,
}

impl Operations {
    /// # Errors
    /// If the registry already has a metric.
    pub fn new(platform: &Platform, checkout: Arc<Checkout>) -> prometheus::Result<Self> {
        let Platform { config, db, clock, registry, draining, .. } = platform.clone();
        let (metrics, database_check) = (Metrics::new(&registry, &db)?, DatabaseCheck::default());
        Ok(Self { config, db, clock, draining, metrics, database_check, checkout })
    }
}

impl AsRef<Accounts> for Operations {
    fn as_ref(&self) -> &Accounts {
        &self.checkout.accounts
    }
}
