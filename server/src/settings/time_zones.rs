//! The time zones to choose from, and how a zone comes into force.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::schedule::{Text, zone_names};

use super::current;
use super::daily_totals::DailyTotals;
use crate::accounts::Admin;
use crate::config::EnvSettings;
use crate::db::Db;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::settings::SettingsState;
use crate::time_zone::{self, ShopZone, offset_text};

/// Brings the zone of the settings into force, at startup: an environment variable or the rule of the zone may be another
/// one than at the last start. Other processes use it at once.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn bring_zone_into_force(
    db: &Db,
    environment: &EnvSettings,
    totals: &'static dyn DailyTotals,
) -> Result<(), Error> {
    let mut connection = db.read().acquire().await?;
    let wanted = current::load(&mut connection, environment).await?.zone();
    if time_zone::store::load(&mut *connection).await? == wanted {
        return Ok(());
    }
    drop(connection);
    tracing::info!(rule = wanted.rule(), "counting the daily totals for another time zone");
    db.write_long(wanted, move |tx, wanted| totals.bring_into_force(tx, *wanted)).await
}

/// Time zones by name.
#[derive(Serialize, ToSchema)]
pub struct TimeZones {
    zones: Vec<TimeZoneChoice>,
    /// About how many seconds a change of the time zone takes. It recounts the daily totals of all orders; meanwhile
    /// nothing else can be saved.
    #[schema(examples(4))]
    change_seconds: i64,
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
/// Returns the names for the setting `time_zone` with their present offsets, and about how long a change takes.
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
    let change_seconds = state.totals.estimate_seconds(state.db.read()).await?;
    Ok(Json(TimeZones { zones: choices(state.clock.now_ms()), change_seconds }))
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
