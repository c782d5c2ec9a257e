//! The state of the domain: what its functions work with.

use super::metrics::CheckoutMetrics;
use super::payment_locks::PaymentLocks;
use super::provider::Provider;
use super::seen_refunds::SeenRefunds;
use crate::accounts::Accounts;
use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::limits::Limits;
use crate::platform::Platform;
use crate::settings::CurrentSettings;
use std::sync::Arc;
use tokio::sync::{Notify, OnceCell};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What the domain works with.
pub struct Checkout {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub stopping: CancellationToken,
    pub tasks: TaskTracker,
    pub accounts: Arc<Accounts>,
    pub settings: Arc<CurrentSettings>,
    pub limits: Arc<Limits>,
    pub mail_enqueued: Arc<Notify>,
    pub provider: Provider,
    /// Payments that are being processed.
    pub payment_locks: PaymentLocks,
    /// Refunds that are already reconciled.
    pub seen_refunds: SeenRefunds,
    pub shop_id: OnceCell<String>,
    /// Notified by events about payouts.
    pub payouts_changed: Arc<Notify>,
    pub metrics: CheckoutMetrics,
}

impl Checkout {
    /// # Errors
    /// If the registry already has a metric.
    pub fn new(
        platform: &Platform,
        accounts: Arc<Accounts>,
        settings: Arc<CurrentSettings>,
        provider: Provider,
    ) -> prometheus::Result<Self> {
        let Platform { config, db, clock, registry, stopping, tasks, .. } = platform.clone();
        provider.metrics.register(&registry)?;
        Ok(Self {
            metrics: CheckoutMetrics::new(&registry)?,
            limits: accounts.limits.clone(),
            mail_enqueued: accounts.mail_enqueued.clone(),
            payment_locks: PaymentLocks::default(),
            seen_refunds: SeenRefunds::default(),
            shop_id: OnceCell::new(),
            payouts_changed: Arc::default(),
            config,
            db,
            clock,
            stopping,
            tasks,
            accounts,
            settings,
            provider,
        })
    }
}

impl AsRef<Accounts> for Checkout {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}

impl AsRef<Config> for Checkout {
    fn as_ref(&self) -> &Config {
        &self.config
    }
}
