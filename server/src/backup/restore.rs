//! Restores a backup into an empty database.

use std::path::Path;

use sqlx::AnyConnection;

use super::format::{Counts, Row};
use super::read::Reader;
use super::tables::{SEEDED, Table};
use super::{Progress, operator_error, store};
use crate::db::Db;
use crate::http::error::Error;

/// Rows per statement, to save network round trips.
const BATCH: usize = 100;

/// Validates the whole file, then restores it in one transaction.
///
/// # Errors
/// A message for the operator: the file cannot be restored, or the database is not empty.
pub async fn restore(db: &Db, path: &Path, progress: Progress) -> Result<Counts, Error> {
    check(path)?;
    progress("the file is whole");
    db.write_long((path.to_owned(), progress), |tx, (path, progress)| Box::pin(replace(tx, path, *progress))).await
}

async fn replace(tx: &mut AnyConnection, path: &Path, progress: Progress) -> Result<Counts, Error> {
    require_empty(tx).await?;
    store::clear(tx, SEEDED).await?;
    fill(tx, path, progress).await
}

fn check(path: &Path) -> Result<(), Error> {
    let mut reader = Reader::open(path)?;
    while reader.next_row()?.is_some() {}
    Ok(())
}

async fn require_empty(tx: &mut AnyConnection) -> Result<(), Error> {
    match store::find_filled(tx, SEEDED).await? {
        None => Ok(()),
        Some(table) => Err(operator_error(format!(
            "The database is not empty: its table {table} has rows. Restore into a new one, before a shop is started on it."
        ))),
    }
}

/// Validates the file again while reading, so that exactly the validated data is committed.
async fn fill(tx: &mut AnyConnection, path: &Path, progress: Progress) -> Result<Counts, Error> {
    let mut reader = Reader::open(path)?;
    let mut batch = Batch { table: None, rows: Vec::with_capacity(BATCH) };
    while let Some((table, row)) = reader.next_row()? {
        if batch.is_complete_before(table) {
            batch.insert(tx).await?;
        }
        if batch.table.is_none_or(|current| current.name != table.name) {
            progress(&format!("{}: restoring", table.name));
        }
        batch.table = Some(table);
        batch.rows.push(row);
    }
    batch.insert(tx).await?;
    Ok(reader.into_counts())
}

/// Rows of one table that have not been written yet.
struct Batch {
    table: Option<&'static Table>,
    rows: Vec<Row>,
}

impl Batch {
    fn is_complete_before(&self, next: &Table) -> bool {
        self.rows.len() == BATCH || self.table.is_some_and(|table| table.name != next.name)
    }

    async fn insert(&mut self, tx: &mut AnyConnection) -> Result<(), Error> {
        let Some(table) = self.table.filter(|_| !self.rows.is_empty()) else {
            return Ok(());
        };
        store::insert_rows(tx, table, &self.rows).await.map_err(|error| {
            operator_error(format!("The database does not take the rows of {}: {error}.", table.name))
        })?;
        self.rows.clear();
        Ok(())
    }
}
