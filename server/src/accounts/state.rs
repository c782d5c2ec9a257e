//! The state of the domain: what its functions work with.

use super::bot_check::BotCheck;
use super::keys::Keys;
use super::passkeys::RelyingParty;
use super::password::Passwords;
use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::limits::Limits;
use crate::mail::Letterhead;
use crate::platform::Platform;
use std::sync::Arc;
use tokio::sync::Notify;

/// What the domain works with.
pub struct Accounts {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub keys: Keys,
    pub passwords: Passwords,
    pub bot_check: BotCheck,
    pub limits: Arc<Limits>,
    pub letterhead: Arc<dyn Letterhead>,
    pub mail_enqueued: Arc<Notify>,
    /// `None` at an address that can't have passkeys.
    pub relying_party: Option<RelyingParty>,
}

impl Accounts {
    pub fn new(
        platform: &Platform,
        keys: Keys,
        bot_check: BotCheck,
        limits: Arc<Limits>,
        letterhead: Arc<dyn Letterhead>,
        mail_enqueued: Arc<Notify>,
    ) -> Self {
        let Platform { config, db, clock, public_url, .. } = platform.clone();
        let relying_party = RelyingParty::of(&public_url).ok();
        let passwords = Passwords::new(config.password_cost.clone());
        Self { config, db, clock, keys, passwords, bot_check, limits, letterhead, mail_enqueued, relying_party }
    }
}

impl AsRef<Config> for Accounts {
    fn as_ref(&self) -> &Config {
        &self.config
    }
}

impl AsRef<Self> for Accounts {
    fn as_ref(&self) -> &Self {
        self
    }
}
