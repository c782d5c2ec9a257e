//! The table of the history of orders. Entries are never changed or deleted.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use super::{Entry, HistoryEvent};
use crate::db::rows::{Insert, Values};
use crate::db::tagged::{Tagged, from_columns};
use crate::error::Error;
use crate::infra::random;

const HISTORY: Insert = Insert("order_history", &["id", "order_id", "created_at", "actor", "kind", "data"]);

/// An entry of an order's history.
pub struct NewEntry<'a> {
    pub order_id: &'a str,
    pub actor: &'a str,
    pub event: HistoryEvent,
}

pub async fn insert(
    tx: &mut AnyConnection,
    order_id: &str,
    actor: &str,
    event: HistoryEvent,
    now: i64,
) -> Result<(), Error> {
    insert_all(tx, &[NewEntry { order_id, actor, event }], now).await
}

pub async fn insert_all(tx: &mut AnyConnection, entries: &[NewEntry<'_>], now: i64) -> Result<(), Error> {
    let entry = |values: &mut Values, entry: &NewEntry<'_>| {
        let Tagged { kind, data } = Tagged::of(&entry.event)?;
        values.text(random::new_id())?.text(entry.order_id)?.whole(now)?.text(entry.actor)?;
        values.text(kind)?.text(data).map(drop)
    };
    HISTORY.run(tx, entries, entry).await
}

/// Lists the history of an order, oldest first.
pub async fn list(connection: &mut AnyConnection, order_id: &str) -> Result<Vec<Entry>, Error> {
    let rows = sqlx::query(
        "SELECT created_at, actor, kind, data FROM order_history WHERE order_id = $1 ORDER BY created_at, id",
    )
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(entry_of).collect()
}

/// Whether the order's history has this event.
pub async fn contains(connection: &mut AnyConnection, order_id: &str, event: &HistoryEvent) -> Result<bool, Error> {
    Ok(list(connection, order_id).await?.iter().any(|entry| entry.event == *event))
}

fn entry_of(row: &AnyRow) -> Result<Entry, Error> {
    Ok(Entry {
        created_at: row.try_get("created_at")?,
        actor: row.try_get("actor")?,
        event: from_columns(row.try_get("kind")?, row.try_get("data")?)?,
    })
}
