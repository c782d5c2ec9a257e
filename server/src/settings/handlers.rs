//! Endpoints of the settings.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;

use super::update::{SettingsPatch, Update, ZoneUpdate};
use super::values::SettingsVersion;
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Body;
use crate::settings::SettingsState;

/// The route whose `PATCH` has [`CHANGE_TIME`] instead of the time of other requests.
pub const ROUTE: &str = "/api/admin/settings";
/// The longest time of a change of the time zone: several times that of a million orders.
pub const CHANGE_TIME: Duration = Duration::from_secs(300);

error_responses!(GetErrors: [ADMIN]);

/// Get the settings
///
/// Returns the settings in force with their version, and those that environment variables set.
#[utoipa::path(
    get,
    path = "/api/admin/settings",
    tag = "Administration",
    security(("accessToken" = [])),
    responses((status = 200, description = "The settings.", body = SettingsVersion), GetErrors),
)]
pub async fn get_settings(
    State(state): State<Arc<SettingsState>>,
    Admin(_): Admin,
) -> Result<Json<SettingsVersion>, Error> {
    // Another process may have changed them a second ago.
    state.current.reload().await?;
    Ok(Json(state.current.version()))
}

error_responses!(UpdateErrors: [BODY, ADMIN] EditConflict);

/// Change settings
///
/// Changes the given settings, all or none, and returns the settings in force. Every process uses them within five
/// seconds; open checkouts keep the shipping that they were quoted. Invalid members are a 400 with a message for each,
/// and so are those that an environment variable sets. With `version`, a change of settings that are newer is an
/// `EditConflict` (optimistic concurrency).
///
/// Another `time_zone` recounts the daily totals of all orders in the same transaction, which takes seconds
/// (`change_seconds` of the time zones). Reads go on meanwhile; other requests that write wait for a moment and then get
/// a 503 with `Retry-After`. The change is completed even if the connection breaks.
#[utoipa::path(
    patch,
    path = "/api/admin/settings",
    tag = "Administration",
    request_body = SettingsPatch,
    security(("accessToken" = [])),
    responses((status = 200, description = "The settings.", body = SettingsVersion), UpdateErrors),
)]
pub async fn update_settings(
    State(state): State<Arc<SettingsState>>,
    Admin(caller): Admin,
    Body(patch): Body<SettingsPatch>,
) -> Result<Json<SettingsVersion>, Error> {
    let environment = state.current.environment().clone();
    let has_zone = patch.time_zone.is_some();
    let update = Update { patch, environment: environment.clone(), actor: caller.email, now: state.clock.now_ms() };
    if has_zone {
        let update = ZoneUpdate { update, environment, totals: state.totals };
        state.db.write_within(CHANGE_TIME, update, |tx, update| Box::pin(update.apply(tx))).await?;
    } else {
        state.db.write(update, |tx, update| Box::pin(update.apply(tx))).await?;
    }
    state.current.reload().await?;
    Ok(Json(state.current.version()))
}
