//! The state of the domain: what its functions work with.

use crate::accounts::Accounts;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::platform::Platform;
use crate::settings::CurrentSettings;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

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
}

impl AsRef<Accounts> for Orders {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}
