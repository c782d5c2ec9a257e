//! Rebuild of the daily totals in another time zone.
//!
//! Batches count the orders by time, in transactions of their own; a crash continues after the last one. Meanwhile each
//! change of an order is also counted in the new zone if its order is before the batches' end. The zone comes into force
//! with the last batch, so that readers see the old totals or the new ones. Several processes may count: each batch locks
//! the zone and continues where the last one ended.

pub mod store;

use std::time::Duration;

use crate::error::Error;
use crate::infra::clock::MINUTE;
use crate::orders::Orders;
use crate::time_zone::ShopZone;

pub const INTERVAL: Duration = Duration::from_secs(2);
/// Orders per batch, so that a purchase waits for a fraction of a second.
const BATCH_SIZE: i64 = 5_000;
/// How long the totals of the previous zone are kept up to date, for requests that began with them.
const KEPT_FOR: i64 = MINUTE;

/// Brings the zone of the settings into force, and drops the totals of others.
pub async fn run_once(state: &Orders) -> Result<(), Error> {
    let wanted = state.settings.get().zone();
    while store::is_pending(state.db.read(), wanted).await? && !state.stopping.is_cancelled() {
        count_batch(state, wanted).await?;
    }
    let unneeded_since = state.clock.now_ms() - KEPT_FOR;
    if store::has_unneeded(state.db.read(), wanted, unneeded_since).await? {
        state.db.write(wanted, |tx, wanted| Box::pin(store::drop_others(tx, *wanted))).await?;
    }
    Ok(())
}

/// Counts the next orders. The last batch brings the zone into force.
async fn count_batch(state: &Orders, zone: ShopZone) -> Result<(), Error> {
    let args = (zone, state.clock.now_ms());
    state.db.write(args, |tx, (zone, now)| Box::pin(store::count_batch(tx, *zone, BATCH_SIZE, *now))).await
}
