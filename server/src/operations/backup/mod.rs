//! Backup and restore: a consistent copy of the whole database in one file, restored into an empty SQLite or PostgreSQL
//! database. This is also the way to move from one to the other.

pub mod drill;
pub mod folder;
mod format;
mod read;
mod restore;
mod store;
pub mod tables;
mod write;

use crate::db::{Db, shop_metadata};
use crate::error::{Code, Error};

pub use format::Counts;
pub use restore::{Purpose, restore};
pub use write::back_up;

/// Receives progress messages.
pub type Progress = fn(&str);

/// An error for the operator; nothing was changed.
fn operator_error(message: impl Into<String>) -> Error {
    Error::new(Code::InvalidRequest, message)
}

/// Stores when a backup was made, for the metrics.
///
/// # Errors
/// If the database cannot be written.
pub async fn save_time(db: &Db, now: i64) -> Result<(), Error> {
    db.write(now.to_string(), |tx, at| Box::pin(shop_metadata::set(tx, shop_metadata::BACKED_UP, at))).await
}
