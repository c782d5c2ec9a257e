//! Stored webhook events. An event is marked as processed in the transaction that applies it: a crash leaves both or
//! neither.

pub mod store;

use sqlx::AnyConnection;

use crate::db::Db;
use crate::error::Error;

/// The event that triggered a change, if any; marked as processed in the transaction of that change.
#[derive(Clone, Debug, Default)]
pub struct ProcessedEvent {
    event: Option<(String, i64)>,
}

/// Whether the event has already been marked as processed, in the transaction of its change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    Marked,
    Unmarked,
}

impl ProcessedEvent {
    /// For a change that no event triggered.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn new(event_id: &str, now: i64) -> Self {
        Self { event: Some((event_id.to_owned(), now)) }
    }

    pub async fn mark(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        match &self.event {
            Some((id, now)) => store::mark_event_applied(tx, id, *now).await,
            None => Ok(()),
        }
    }

    /// Marks an event that changes nothing.
    pub async fn mark_alone(self, db: &Db) -> Result<(), Error> {
        db.write(self, |tx, event| Box::pin(event.mark(tx))).await
    }
}
