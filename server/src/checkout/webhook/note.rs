//! That an event is dealt with, written in the very transaction that does what it asks for: a crash leaves both or
//! neither.

use sqlx::AnyConnection;

use super::store;
use crate::http::error::Error;
use crate::shop::Shop;

/// The event that a change answers, if one told of it.
#[derive(Clone, Debug, Default)]
pub struct Note {
    event: Option<(String, i64)>,
}

/// Whether the event was noted as dealt with, beside what it led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    Here,
    NotYet,
}

impl Note {
    /// Where no event told of it.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn of(event_id: &str, now: i64) -> Self {
        Self { event: Some((event_id.to_owned(), now)) }
    }

    pub async fn write(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        match &self.event {
            Some((id, now)) => store::mark_event_applied(tx, id, *now).await,
            None => Ok(()),
        }
    }

    /// For an event that changes nothing.
    pub(super) async fn write_alone(self, shop: &Shop) -> Result<(), Error> {
        shop.db
            .write_closure(move |tx| {
                let note = self.clone();
                Box::pin(async move { note.write(tx).await })
            })
            .await
    }
}
