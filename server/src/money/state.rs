//! The state of the domain: what its functions work with.

use crate::accounts::Accounts;
use crate::checkout::Checkout;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::platform::Platform;
use crate::settings::{CurrentSettings, SettingsState};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

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
}

impl AsRef<Accounts> for Money {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}
