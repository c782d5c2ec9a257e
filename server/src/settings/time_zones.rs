//! The time zones to choose from.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::schedule::{Text, zone_names};

use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::settings::SettingsState;
use crate::time_zone::{self, ShopZone, offset_text};

/// Time zones by name.
#[derive(Serialize, ToSchema)]
pub struct TimeZones {
    zones: Vec<TimeZoneChoice>,
    /// Whether the days of lists and totals are those of the setting. After a change they follow it as soon as the daily
    /// totals are recounted.
    in_force: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "name": "America/New_York", "offset": "-05:00" })))]
pub struct TimeZoneChoice {
    /// Name in the IANA time zone database.
    name: String,
    /// Offset from UTC at the time of the request.
    offset: String,
}

error_responses!(ListErrors: [ADMIN]);

/// List time zones
///
/// Returns the names for the setting `time_zone` with their present offsets, and whether the setting is in force.
#[utoipa::path(
    get,
    path = "/api/admin/time-zones",
    tag = "Administration",
    security(("accessToken" = [])),
    responses((status = 200, description = "The time zones.", body = TimeZones), ListErrors),
)]
pub async fn list_time_zones(
    State(state): State<Arc<SettingsState>>,
    Admin(_): Admin,
) -> Result<Json<TimeZones>, Error> {
    let in_force = time_zone::store::load(state.db.read()).await? == state.current.get().zone();
    Ok(Json(TimeZones { zones: choices(state.clock.now_ms()), in_force }))
}

fn choices(now: i64) -> Vec<TimeZoneChoice> {
    let offset = |rule| ShopZone::of_rule(rule).unwrap_or_default().offset_minutes(now);
    let choice = |(name, rule): (Text<48>, _)| TimeZoneChoice {
        name: name.as_str().to_owned(),
        offset: offset_text(offset(rule)),
    };
    let mut zones: Vec<TimeZoneChoice> = zone_names().map(choice).collect();
    zones.sort_by(|a, b| a.name.cmp(&b.name));
    zones
}
