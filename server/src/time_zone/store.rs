//! The zones of the daily totals: the one in force, the ones that are being counted, and their lock.

use sqlx::{Any, AnyConnection, AssertSqlSafe, Executor};

use super::ShopZone;
use crate::db::counters;
use crate::db::rows::for_share;
use crate::error::Error;

/// SQL for the rule of the zone in force.
pub const RULE_IN_FORCE: &str = "(SELECT rule FROM daily_totals_zones WHERE in_force_since IS NOT NULL \
                                 ORDER BY in_force_since DESC, rule LIMIT 1)";
/// `counted_before` of totals that are complete.
pub const COMPLETE: i64 = i64::MAX;

/// A zone whose days have totals.
#[derive(Clone, Copy, Debug)]
pub struct CountedZone {
    pub zone: ShopZone,
    /// Orders and sales from before this time are counted.
    pub counted_before: i64,
}

/// The zone in force.
///
/// # Errors
/// If the database cannot be read.
pub async fn load<'e>(db: impl Executor<'e, Database = Any>) -> Result<ShopZone, Error> {
    let rule: Option<String> =
        sqlx::query_scalar(AssertSqlSafe(format!("SELECT {RULE_IN_FORCE}"))).fetch_one(db).await?;
    parse(&rule.unwrap_or_default())
}

/// # Errors
/// If the rule is not one of the schema's.
pub fn parse(rule: &str) -> Result<ShopZone, Error> {
    ShopZone::of_rule(rule).ok_or_else(|| Error::internal(format!("the time zone rule {rule} is unknown")))
}

/// The zones to count in. They stay as they are until the transaction ends: a rebuild waits for it.
///
/// # Errors
/// If the database cannot be read.
pub async fn lock_shared(tx: &mut AnyConnection) -> Result<Vec<CountedZone>, Error> {
    let lock = format!("SELECT value FROM counters WHERE name = 'daily_totals_rebuild'{}", for_share(tx));
    sqlx::query(AssertSqlSafe(lock)).fetch_one(&mut *tx).await?;
    // A statement of its own, which sees what was committed while it waited for the lock.
    list(tx).await
}

/// Locks the zones for a rebuild, until the transaction ends.
///
/// # Errors
/// If the database cannot be written.
pub async fn lock(tx: &mut AnyConnection) -> Result<(), Error> {
    counters::next(tx, "daily_totals_rebuild").await.map(drop)
}

/// # Errors
/// If the database cannot be read.
pub async fn list(tx: &mut AnyConnection) -> Result<Vec<CountedZone>, Error> {
    let sql = "SELECT rule, counted_before FROM daily_totals_zones ORDER BY rule";
    let rows: Vec<(String, i64)> = sqlx::query_as(sql).fetch_all(tx).await?;
    rows.into_iter().map(|(rule, counted_before)| Ok(CountedZone { zone: parse(&rule)?, counted_before })).collect()
}
