//! The zone in force and its lock.
//!
//! A transaction that changes daily totals reads the zone with a shared lock ([`load_locked_shared`]), so that it counts
//! in the zone in which it commits, whatever a process has in memory. A change of the zone waits for these transactions
//! and holds an exclusive lock until its totals are committed. Shared locks don't wait for each other.

use sqlx::{Any, AnyConnection, AnyPool, Executor};

use super::ShopZone;
use crate::db::shop_metadata::{self, TIME_ZONE_RULE};
use crate::error::Error;

/// The zone in force.
///
/// # Errors
/// If the database cannot be read.
pub async fn load<'e>(db: impl Executor<'e, Database = Any>) -> Result<ShopZone, Error> {
    parse(shop_metadata::find(db, TIME_ZONE_RULE).await?)
}

/// The zone in force, which stays in force until the transaction ends.
///
/// # Errors
/// If the database cannot be read, or the zone is being changed.
pub async fn load_locked_shared(tx: &mut AnyConnection) -> Result<ShopZone, Error> {
    parse(shop_metadata::find_locked_shared(tx, TIME_ZONE_RULE).await?)
}

/// The zone in force, locked for a change until the transaction ends.
///
/// # Errors
/// If the database cannot be written.
pub async fn load_locked(tx: &mut AnyConnection) -> Result<ShopZone, Error> {
    parse(shop_metadata::find_locked(tx, TIME_ZONE_RULE).await?)
}

/// Brings the zone into force. It must be locked.
///
/// # Errors
/// If the database cannot be written.
pub async fn set(tx: &mut AnyConnection, zone: ShopZone) -> Result<(), Error> {
    shop_metadata::set(tx, TIME_ZONE_RULE, zone.rule()).await
}

/// Reads with the zone in force, and once more if a change of it was committed meanwhile: of several queries, some would
/// have the totals of the previous zone and some those of the new one.
///
/// # Errors
/// If the database cannot be read, or the error of `read`.
pub async fn read_in_one_zone<T, R>(pool: &AnyPool, read: impl Fn(ShopZone) -> R) -> Result<T, Error>
where
    R: Future<Output = Result<T, Error>>,
{
    let mut zone = load(pool).await?;
    loop {
        let found = read(zone).await;
        let after = load(pool).await?;
        if after == zone {
            return found;
        }
        zone = after;
    }
}

fn parse(rule: Option<String>) -> Result<ShopZone, Error> {
    let rule = rule.unwrap_or_default();
    ShopZone::of_rule(&rule).ok_or_else(|| Error::internal(format!("the time zone rule {rule} is unknown")))
}
