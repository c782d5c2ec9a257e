//! Payouts: stores the provider's payouts and balance transactions, and explains each transaction by the shop's own
//! records. A payout is payments − refunds − fees − disputes ± adjustments; what has no explanation is listed in the
//! admin area.
//!
//! - [`sync`]: lists what is new at the provider.
//! - [`explain`]: why a transaction has no explanation.

mod category;
mod explain;
pub mod handlers;
pub mod store;
mod sync;

use std::time::Duration;

pub use self::category::Category;
pub use self::sync::sync;

pub const INTERVAL: Duration = Duration::from_mins(10);
