//! What a change of the time zone needs from the domains above.

use sqlx::{AnyConnection, AnyPool};

use crate::db::Work;
use crate::time_zone::ShopZone;

/// The daily totals, whose days are those of the zone in force. Their tables belong to higher domains.
pub trait DailyTotals: Send + Sync {
    /// Locks the zone in force. If it is another one, recounts all totals and brings this one into force.
    fn bring_into_force<'c>(&self, tx: &'c mut AnyConnection, zone: ShopZone) -> Work<'c, ()>;

    /// About how long a change of the zone takes, in seconds.
    fn estimate_seconds<'c>(&self, pool: &'c AnyPool) -> Work<'c, i64>;
}
