//! Facts about this database that outlive a process.

use sqlx::{AnyConnection, AnyPool};

use crate::http::error::Error;

/// Set once a live payment was taken: such a database is never opened in test mode.
pub const LIVE_PAYMENT: &str = "live_payment";
/// Set by the process that put the demo into the database; of several that start at once, one.
pub const DEMO: &str = "demo";
/// When the database was last found writable.
pub const LAST_READY: &str = "last_ready";

/// When the last comparison of all refunds and disputes with the payment provider began.
pub const COMPARED: &str = "compared";

pub async fn set(tx: &mut AnyConnection, name: &str, value: &str) -> Result<(), Error> {
    sqlx::query("INSERT INTO shop_metadata (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2")
        .bind(name)
        .bind(value)
        .execute(tx)
        .await?;
    Ok(())
}

/// Sets it if nobody has: true for one caller alone. Whoever comes at the same moment waits for that one's end.
pub async fn claim(tx: &mut AnyConnection, name: &str, value: &str) -> Result<bool, Error> {
    let done = sqlx::query("INSERT INTO shop_metadata (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
        .bind(name)
        .bind(value)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn find(pool: &AnyPool, name: &str) -> Result<Option<String>, Error> {
    Ok(sqlx::query_scalar("SELECT value FROM shop_metadata WHERE name = $1").bind(name).fetch_optional(pool).await?)
}
