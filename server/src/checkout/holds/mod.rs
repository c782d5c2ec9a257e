//! Holds: an open or lost dispute, an inquiry, or an actionable early fraud warning takes an order out of what is packed,
//! until the cause ends or an administrator ships it anyway.
//!
//! Each cause has its own `released`, so a released one stays released when another begins or ends. The order's `hold` is
//! derived from its causes and stored for lists; the audit compares them.

pub mod store;

use sqlx::AnyConnection;

use crate::error::Error;
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::{StoredOrder, store as orders};

/// Derives the order's hold from its causes. The order must be locked.
pub async fn update(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    let causes = store::list_unreleased(tx, order_id).await?;
    orders::set_hold(tx, order_id, causes.first().copied()).await
}

/// Releases the order from all of its causes, and returns it. The order must be locked.
pub async fn release(tx: &mut AnyConnection, order: StoredOrder, actor: &str, now: i64) -> Result<StoredOrder, Error> {
    let Some(reason) = order.hold() else { return Ok(order) };
    store::release(tx, &order.id).await?;
    update(tx, &order.id).await?;
    history::insert(tx, &order.id, actor, HistoryEvent::HoldReleased { reason }, now).await?;
    orders::load_order(tx, &order.id).await
}
