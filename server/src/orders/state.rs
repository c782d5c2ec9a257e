//! The state of the domain: what its functions work with.

use crate::accounts::Accounts;
use crate::db::Db;
use std::sync::Arc;

/// What the domain works with.
pub struct Orders {
    pub db: Db,
    pub accounts: Arc<Accounts>,
}

impl AsRef<Accounts> for Orders {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}
