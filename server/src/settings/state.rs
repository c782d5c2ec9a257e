//! The state of the domain: what its functions work with.

use super::current::CurrentSettings;
use super::daily_totals::DailyTotals;
use crate::accounts::Accounts;
use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::platform::Platform;
use std::sync::Arc;

/// What the endpoints work with.
pub struct SettingsState {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub accounts: Arc<Accounts>,
    pub current: Arc<CurrentSettings>,
    pub totals: &'static dyn DailyTotals,
}

impl SettingsState {
    pub fn new(
        platform: &Platform,
        accounts: Arc<Accounts>,
        current: Arc<CurrentSettings>,
        totals: &'static dyn DailyTotals,
    ) -> Self {
        let Platform { config, db, clock, .. } = platform.clone();
        Self { config, db, clock, accounts, current, totals }
    }
}

impl AsRef<Accounts> for SettingsState {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}
