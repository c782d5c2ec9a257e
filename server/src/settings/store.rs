//! Stored changes of the settings. The latest value of each name is in force.

use serde_json::{Map, Value};
use sqlx::{AnyConnection, AnyPool};

use super::values::Settings;
use crate::db::counters;
use crate::error::Error;
use crate::http::page::Page;

/// The settings in the database, and the version of the latest change: 0 without any.
pub struct Stored {
    pub version: i64,
    pub settings: Settings,
}

/// A change of one setting.
pub struct Change {
    pub version: i64,
    pub name: String,
    pub before: Option<String>,
    pub value: String,
    pub actor: String,
    pub created_at: i64,
}

/// Version of the latest change.
pub async fn find_version(pool: &AnyPool) -> Result<Option<i64>, Error> {
    let sql = "SELECT version FROM setting_changes ORDER BY version DESC LIMIT 1";
    Ok(sqlx::query_scalar(sql).fetch_optional(pool).await?)
}

pub async fn load(connection: &mut AnyConnection) -> Result<Stored, Error> {
    let rows: Vec<(i64, String, String)> = sqlx::query_as(
        "SELECT version, name, value FROM setting_changes AS latest WHERE version = \
         (SELECT MAX(version) FROM setting_changes AS any_version WHERE any_version.name = latest.name)",
    )
    .fetch_all(connection)
    .await?;
    let version = rows.iter().map(|(version, ..)| *version).max().unwrap_or(0);
    let settings = settings_of(rows.into_iter().map(|(_, name, value)| (name, value)).collect())?;
    Ok(Stored { version, settings })
}

/// The settings that were stored at this time.
pub async fn load_at(connection: &mut AnyConnection, time: i64) -> Result<Settings, Error> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "SELECT name, value FROM setting_changes AS latest WHERE version = \
         (SELECT MAX(version) FROM setting_changes AS earlier \
          WHERE earlier.name = latest.name AND earlier.created_at <= $1)",
    )
    .bind(time)
    .fetch_all(connection)
    .await?;
    settings_of(rows)
}

fn settings_of(rows: Vec<(String, String)>) -> Result<Settings, Error> {
    let values = rows.into_iter().map(|(name, value)| Ok((name, serde_json::from_str(&value)?)));
    let values: Result<Map<String, Value>, serde_json::Error> = values.collect();
    let settings = values.and_then(Settings::from_values);
    settings.map_err(|error| Error::internal(format!("a stored setting is invalid: {error}")))
}

/// Locks the settings until the end of the transaction, and returns the version of the next change.
pub async fn lock(tx: &mut AnyConnection) -> Result<i64, Error> {
    counters::next(tx, "settings_version").await
}

/// Names of the settings that were changed after this version.
pub async fn list_changed_since(tx: &mut AnyConnection, version: i64) -> Result<Vec<String>, Error> {
    let sql = "SELECT DISTINCT name FROM setting_changes WHERE version > $1";
    Ok(sqlx::query_scalar(sql).bind(version).fetch_all(tx).await?)
}

pub async fn insert_change(
    tx: &mut AnyConnection,
    version: i64,
    (name, value): (&str, &Value),
    actor: &str,
    now: i64,
) -> Result<(), Error> {
    sqlx::query("INSERT INTO setting_changes (version, name, value, actor, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(version)
        .bind(name)
        .bind(value.to_string())
        .bind(actor)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// One page of changes, latest first: of the setting with this name, or of all for an empty one.
pub async fn list_changes(pool: &AnyPool, name: &str, page: Page) -> Result<Vec<Change>, Error> {
    let rows: Vec<(i64, String, Option<String>, String, String, i64)> = sqlx::query_as(
        "SELECT version, name, \
         (SELECT earlier.value FROM setting_changes AS earlier \
          WHERE earlier.name = change.name AND earlier.version < change.version \
          ORDER BY earlier.version DESC LIMIT 1), \
         value, actor, created_at FROM setting_changes AS change \
         WHERE $1 = '' OR name = $1 ORDER BY version DESC, name LIMIT $2 OFFSET $3",
    )
    .bind(name)
    .bind(page.limit)
    .bind(page.offset())
    .fetch_all(pool)
    .await?;
    let change =
        |(version, name, before, value, actor, created_at)| Change { version, name, before, value, actor, created_at };
    Ok(rows.into_iter().map(change).collect())
}

pub async fn count_changes(pool: &AnyPool, name: &str) -> Result<i64, Error> {
    let sql = "SELECT COUNT(*) FROM setting_changes WHERE $1 = '' OR name = $1";
    Ok(sqlx::query_scalar(sql).bind(name).fetch_one(pool).await?)
}
