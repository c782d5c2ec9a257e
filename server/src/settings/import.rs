//! Import of `shop.toml`: on request, and at the first start with a file of other values than the defaults.

use std::path::Path;

use super::daily_totals::DailyTotals;
use super::store;
use super::update::{SettingsPatch, ShippingRatesPatch, Update, ZoneUpdate};
use crate::config::{EnvSettings, ShopToml};
use crate::db::Db;
use crate::error::{Code, Error};

/// The actor in the history.
const ACTOR: &str = "shop.toml";
/// The file in the working directory.
const FILE: &str = "shop.toml";

/// Imports `shop.toml` of the working directory if nobody has changed a setting yet. Afterward the settings of the
/// database are in force.
///
/// # Errors
/// A message that names the file and the invalid entry.
pub async fn import_shop_toml(
    db: &Db,
    environment: &EnvSettings,
    totals: &'static dyn DailyTotals,
    now: i64,
) -> Result<(), String> {
    let version = store::find_version(db.read()).await.map_err(|error| format!("DATABASE_URL: {error}"))?;
    if version.is_some() {
        return Ok(());
    }
    let Some(file) = ShopToml::read(Path::new(FILE))? else { return Ok(()) };
    match import(db, file, Some(0), environment, totals, now).await {
        // Another process was first.
        Err(error) if error.code() == Code::EditConflict => Ok(()),
        imported => imported.map_err(|error| format!("{FILE}: {error}")),
    }
}

/// Imports a file on request.
///
/// # Errors
/// A message that names the file and the invalid entry.
pub async fn import_file(
    db: &Db,
    path: &Path,
    environment: &EnvSettings,
    totals: &'static dyn DailyTotals,
    now: i64,
) -> Result<(), String> {
    let file = ShopToml::read(path)?.ok_or_else(|| format!("{}: file not found", path.display()))?;
    import(db, file, None, environment, totals, now).await.map_err(|error| format!("{}: {error}", path.display()))
}

async fn import(
    db: &Db,
    file: ShopToml,
    version: Option<i64>,
    environment: &EnvSettings,
    totals: &'static dyn DailyTotals,
    now: i64,
) -> Result<(), Error> {
    let ShopToml { time_zone, shipping, delivery } = file;
    let rates = ShippingRatesPatch { us: Some(shipping.us), ca: Some(shipping.ca) };
    let patch = SettingsPatch {
        shipping_rates: Some(rates),
        delivery_times: Some(delivery),
        time_zone,
        version,
        ..SettingsPatch::default()
    };
    let update = Update { patch, environment: EnvSettings::default(), actor: ACTOR.to_owned(), now };
    let update = ZoneUpdate { update, environment: environment.clone(), totals };
    db.write_long(update, |tx, update| Box::pin(update.apply(tx))).await
}
