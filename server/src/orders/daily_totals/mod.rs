//! Daily totals: the number and sales of orders for each day and status, updated in the transaction that changes an
//! order. Lists and statistics read them instead of every order.
//!
//! The days are those of the time zone in force. A change of the zone recounts everything in one transaction
//! ([ADR 56](../../../../docs/adr/0056-days-in-the-shops-time-zone.md)).

pub mod store;

use sqlx::{AnyConnection, AnyPool};

use crate::catalog::daily_totals::store as product_totals;
use crate::db::Work;
use crate::error::Error;
use crate::settings::DailyTotals;
use crate::time_zone::{self, ShopZone};

/// Orders and their sales that a recount counts in a second at least, with both databases and cold caches.
const ORDERS_PER_SECOND: i64 = 25_000;

/// The totals of orders and of products.
pub struct OrderTotals;

impl DailyTotals for OrderTotals {
    fn bring_into_force<'c>(&self, tx: &'c mut AnyConnection, zone: ShopZone) -> Work<'c, ()> {
        Box::pin(async move {
            if time_zone::store::load_locked(tx).await? == zone {
                return Ok(());
            }
            recount_in(tx, zone).await?;
            time_zone::store::set(tx, zone).await
        })
    }

    fn estimate_seconds<'c>(&self, pool: &'c AnyPool) -> Work<'c, i64> {
        Box::pin(async move { Ok(1 + store::count_all(pool).await? / ORDERS_PER_SECOND) })
    }
}

/// Recounts all totals, after orders were inserted without them.
///
/// # Errors
/// The database's error.
pub async fn recount(tx: &mut AnyConnection) -> Result<(), Error> {
    let zone = time_zone::store::load_locked(tx).await?;
    recount_in(tx, zone).await
}

async fn recount_in(tx: &mut AnyConnection, zone: ShopZone) -> Result<(), Error> {
    store::recount(tx, zone).await?;
    product_totals::recount(tx, zone).await
}
