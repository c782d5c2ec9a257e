//! Payouts: stores the provider's payouts and balance transactions, and explains each transaction by the shop's own
//! records. A payout is payments − refunds − fees − disputes ± adjustments; what has no explanation is listed in the
//! admin area.
//!
//! - [`sync`]: lists what is new at the provider.
//! - [`explain`]: the category of a transaction, and why it has no explanation.

mod explain;
pub mod handlers;
pub mod store;
mod sync;

use std::sync::Arc;
use std::time::Duration;

pub use self::explain::Category;
pub use self::sync::sync;
use crate::shop::Shop;

const INTERVAL: Duration = Duration::from_mins(10);

/// Synchronizes at the start, every ten minutes, and after an event about a payout, until the shop stops.
pub async fn run(shop: Arc<Shop>) {
    let mut tick = tokio::time::interval(INTERVAL);
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            _ = tick.tick() => {}
            () = shop.payouts_changed.notified() => {}
        }
        if let Err(error) = sync(&shop).await {
            tracing::warn!(%error, "synchronizing payouts failed; it will be retried");
        }
    }
}
