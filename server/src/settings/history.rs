//! The history of the settings: who changed what, and when.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::store::{self, Change};
use super::values::Settings;
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Params;
use crate::http::page::Page;
use crate::infra::clock::rfc3339;
use crate::settings::SettingsState;
use crate::time_zone::{self, ShopZone};

const PAGE_SIZE: i64 = 20;

/// The changes to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct HistoryQuery {
    /// Page number, starting at 1.
    #[param(value_type = i64, required = false, minimum = 1, maximum = 1000000000, default = 1, example = 1)]
    page: Option<String>,
    /// Only the changes of the setting with this name. For example: `shipping_rates`.
    #[param(value_type = String, required = false)]
    name: Option<String>,
}

/// One page of changes, latest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({
    "changes": [{
        "version": 3, "name": "shop_name", "before": null, "value": "Nudgelight", "actor": "admin@nudgelight.example",
        "created_at": "2026-12-24T18:30:00Z", "created_at_local": "2026-12-24T13:30:00-05:00",
    }],
    "page": 1, "totalPages": 1,
})))]
pub struct SettingChanges {
    changes: Vec<SettingChange>,
    page: i64,
    total_pages: i64,
}

/// A change of one setting.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "version": 3,
    "name": "shop_name",
    "before": null,
    "value": "Nudgelight",
    "actor": "admin@nudgelight.example",
    "created_at": "2026-12-24T18:30:00Z",
    "created_at_local": "2026-12-24T13:30:00-05:00",
})))]
pub struct SettingChange {
    version: i64,
    /// As in `Settings`.
    name: String,
    /// The earlier value; `null` if it was the default.
    before: Value,
    value: Value,
    /// Email address of the administrator, or the name of the imported file.
    actor: String,
    /// RFC 3339 in UTC.
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    created_at_local: String,
}

impl SettingChange {
    fn of(change: Change, zone: ShopZone) -> Result<Self, serde_json::Error> {
        let Change { version, name, before, value, actor, created_at } = change;
        let before = before.map_or(Ok(Value::Null), |before| serde_json::from_str(&before))?;
        Ok(Self {
            version,
            name,
            before,
            value: serde_json::from_str(&value)?,
            actor,
            created_at: rfc3339(created_at),
            created_at_local: zone.local(created_at),
        })
    }
}

error_responses!(HistoryErrors: [QUERY, ADMIN]);

/// List changes of settings
///
/// Returns one page of changes, latest first, 20 a page: who changed which setting, when, from what and to what. An
/// invalid page and an unknown name are a 400.
#[utoipa::path(
    get,
    path = "/api/admin/settings/history",
    tag = "Administration",
    params(HistoryQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of changes.", body = SettingChanges), HistoryErrors),
)]
pub async fn list_setting_changes(
    State(state): State<Arc<SettingsState>>,
    Admin(_): Admin,
    Params(query): Params<HistoryQuery>,
) -> Result<Json<SettingChanges>, Error> {
    let (name, page) = (query.name()?, Page::of_size(PAGE_SIZE, query.page.as_deref())?);
    let pool = state.db.read();
    let total = store::count_changes(pool, name).await?;
    let changes = store::list_changes(pool, name, page).await?;
    let zone = time_zone::store::load(pool).await?;
    let changes: Result<_, _> = changes.into_iter().map(|change| SettingChange::of(change, zone)).collect();
    let (page, total_pages) = (page.number, page.total_pages(total));
    Ok(Json(SettingChanges { changes: changes.map_err(Error::internal)?, page, total_pages }))
}

impl HistoryQuery {
    /// Empty for all settings.
    fn name(&self) -> Result<&str, Error> {
        let name = self.name.as_deref().unwrap_or_default();
        let all = serde_json::to_value(Settings::default()).map_err(Error::internal)?;
        if name.is_empty() || all.get(name).is_some() {
            return Ok(name);
        }
        Err(Error::invalid_field("name", "There is no setting with this name."))
    }
}
