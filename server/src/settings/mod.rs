//! What the shopkeeper can change without a developer: the shop's name and addresses, time zone, shipping rates, delivery times and
//! policies and the announcement.
//!
//! A setting is the value of its environment variable if one is set, else the latest value in the database, else the
//! default. Every process loads changes within seconds.

mod announcement;
mod current;
mod handlers;
mod history;
mod import;
pub mod policies;
mod store;
mod time_zones;
mod update;
pub mod values;
mod wire;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::Accounts;
use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::platform::Platform;

pub use announcement::ShownAnnouncement;
pub use current::{CurrentSettings, load};
pub use import::{import_file, import_shop_toml};

/// What the endpoints work with.
pub struct SettingsState {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub accounts: Arc<Accounts>,
    pub current: Arc<CurrentSettings>,
}

impl SettingsState {
    pub fn new(platform: &Platform, accounts: Arc<Accounts>, current: Arc<CurrentSettings>) -> Self {
        let Platform { config, db, clock, .. } = platform.clone();
        Self { config, db, clock, accounts, current }
    }
}

impl AsRef<Accounts> for SettingsState {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}

pub fn routes() -> OpenApiRouter<Arc<SettingsState>> {
    policies::router()
}

pub fn admin_routes() -> OpenApiRouter<Arc<SettingsState>> {
    policies::admin_router()
        .routes(routes!(handlers::get_settings, handlers::update_settings))
        .routes(routes!(history::list_setting_changes))
        .routes(routes!(time_zones::list_time_zones))
}
