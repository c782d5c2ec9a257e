//! Key-value pairs about this database that outlive a process.

use sqlx::{Any, AnyConnection, AssertSqlSafe, Executor};

use super::rows::for_share;
use crate::error::Error;

/// The first live payment: such a database is never opened in test mode.
pub const LIVE_PAYMENT: &str = "live_payment";
/// Set by the process that inserts the demo data; one of several that start at once.
pub const DEMO: &str = "demo";
/// Time of the last successful readiness check.
pub const LAST_READY: &str = "last_ready";

/// The shop's own id, in the metadata of its payments.
pub const SHOP_ID: &str = "shop_id";
/// Public address of the shop that this database belongs to. Empty in a copy for a drill.
pub const PUBLIC_URL: &str = "public_url";
/// Start of the last complete search for payments that the database lost.
pub const PAYMENTS_LISTED: &str = "payments_listed";
/// Start of the last complete reconciliation of refunds and disputes.
pub const RECONCILED: &str = "compared";

/// End of the period whose balance transactions are stored.
pub const BALANCE_SYNCED: &str = "balance_synced";
/// Start of the last complete sync of payouts.
pub const PAYOUTS_SYNCED: &str = "payouts_synced";

/// Time of the last backup by `nudgelight backup`.
pub const BACKED_UP: &str = "backed_up";
/// Time of the last successful restore drill by `nudgelight drill`.
pub const DRILLED: &str = "drilled";

/// Start of the last complete run of data retention.
pub const RETAINED: &str = "retained";

/// The oldest schema version whose programs may use this database. The schema inserts it.
pub const MIN_READER: &str = "min_reader";

/// The POSIX rule of the time zone in force. The schema inserts it.
pub const TIME_ZONE_RULE: &str = "time_zone_rule";

pub async fn set(tx: &mut AnyConnection, name: &str, value: &str) -> Result<(), Error> {
    sqlx::query("INSERT INTO shop_metadata (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2")
        .bind(name)
        .bind(value)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn remove(tx: &mut AnyConnection, name: &str) -> Result<(), Error> {
    sqlx::query("DELETE FROM shop_metadata WHERE name = $1").bind(name).execute(tx).await?;
    Ok(())
}

/// Inserts the value if it is missing: true for exactly one caller. Concurrent callers wait for its transaction.
pub async fn claim(tx: &mut AnyConnection, name: &str, value: &str) -> Result<bool, Error> {
    let done = sqlx::query("INSERT INTO shop_metadata (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
        .bind(name)
        .bind(value)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn find<'e>(db: impl Executor<'e, Database = Any>, name: &str) -> Result<Option<String>, Error> {
    Ok(sqlx::query_scalar("SELECT value FROM shop_metadata WHERE name = $1").bind(name).fetch_optional(db).await?)
}

/// The value, which stays as it is until the transaction ends. Others may read it with this lock at the same time.
pub async fn find_locked_shared(tx: &mut AnyConnection, name: &str) -> Result<Option<String>, Error> {
    let select = format!("SELECT value FROM shop_metadata WHERE name = $1{}", for_share(tx));
    Ok(sqlx::query_scalar(AssertSqlSafe(select)).bind(name).fetch_optional(tx).await?)
}

/// The value, locked for a change until the transaction ends.
pub async fn find_locked(tx: &mut AnyConnection, name: &str) -> Result<Option<String>, Error> {
    let lock = "UPDATE shop_metadata SET value = value WHERE name = $1 RETURNING value";
    Ok(sqlx::query_scalar(lock).bind(name).fetch_optional(tx).await?)
}
