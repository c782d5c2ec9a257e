//! Endpoints of the settings.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use super::update::{SettingsPatch, Update};
use super::values::SettingsVersion;
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Body;
use crate::settings::SettingsState;

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
    let update = Update { patch, environment, actor: caller.email, now: state.clock.now_ms() };
    state.db.write(update, |tx, update| Box::pin(update.apply(tx))).await?;
    state.current.reload().await?;
    Ok(Json(state.current.version()))
}
