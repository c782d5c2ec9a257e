//! What the shopkeeper can change without a developer: the shop's name and addresses, time zone, shipping rates, delivery times and
//! policies and the announcement.
//!
//! A setting is the value of its environment variable if one is set, else the latest value in the database, else the
//! default. Every process loads changes within seconds.

mod announcement;
mod current;
mod daily_totals;
mod handlers;
mod history;
mod import;
pub mod policies;
mod state;
mod store;
mod time_zones;
mod update;
pub mod values;
mod wire;

pub use self::state::SettingsState;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use announcement::ShownAnnouncement;
pub use current::{CurrentSettings, load};
pub use daily_totals::DailyTotals;
pub use handlers::{CHANGE_TIME, ROUTE};
pub use import::{import_file, import_shop_toml};
pub use time_zones::bring_zone_into_force;

pub fn routes() -> OpenApiRouter<Arc<SettingsState>> {
    policies::router()
}

pub fn admin_routes() -> OpenApiRouter<Arc<SettingsState>> {
    policies::admin_router()
        .routes(routes!(handlers::get_settings, handlers::update_settings))
        .routes(routes!(history::list_setting_changes))
        .routes(routes!(time_zones::list_time_zones))
}
