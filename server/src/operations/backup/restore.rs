//! Restores a backup into an empty database.

use std::path::Path;

use sqlx::AnyConnection;

use super::format::{Counts, Row, Value};
use super::read::Reader;
use super::tables::{SEEDED, TABLES, Table};
use super::{Progress, operator_error, store};
use crate::checkout::confirmation;
use crate::db::{Db, find_applied_schema, schema_version};
use crate::error::Error;
use crate::orders::insert::store::continue_numbers;

/// Rows per statement, to save network round trips.
const BATCH: usize = 100;
/// Bytes of a statement's values: a photo is a statement of its own.
const BATCH_BYTES: usize = 256 * 1024;

/// What a restored database is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is the shop from now on.
    Shop,
    /// A copy, which moves no money.
    Drill,
}

/// Validates the whole file, then restores it in one transaction.
///
/// # Errors
/// A message for the operator: the file cannot be restored, or the database is not empty.
pub async fn restore(db: &Db, path: &Path, purpose: Purpose, progress: Progress) -> Result<Counts, Error> {
    let whole = check(path)?;
    progress("the file is whole");
    require_own_schema(db).await?;
    if whole.has_mock_stripe() {
        // Before the tables are created: a database that is not empty stays as it is.
        let shop: Vec<&Table> = TABLES.iter().collect();
        require_empty(&mut *db.read().acquire().await?, &shop).await?;
        db.apply(&mock_stripe::migrator()).await.map_err(operator_error)?;
    }
    let tables: Vec<&Table> = whole.tables().collect();
    let args = (path.to_owned(), tables, purpose, progress);
    db.write_long(args, |tx, (path, tables, purpose, progress)| {
        Box::pin(replace(tx, path, tables, *purpose, *progress))
    })
    .await
}

async fn replace(
    tx: &mut AnyConnection,
    path: &Path,
    tables: &[&'static Table],
    purpose: Purpose,
    progress: Progress,
) -> Result<Counts, Error> {
    require_empty(tx, tables).await?;
    store::clear(tx, SEEDED).await?;
    let counts = fill(tx, path, progress).await?;
    continue_numbers(tx).await?;
    if purpose == Purpose::Drill {
        confirmation::mark_as_copy(tx).await?;
    }
    Ok(counts)
}

/// The rows of the file lack what the migrations of a newer schema have changed.
async fn require_own_schema(db: &Db) -> Result<(), Error> {
    let (applied, own) = (find_applied_schema(&mut *db.read().acquire().await?).await?, schema_version());
    if applied == Some(own) {
        return Ok(());
    }
    Err(operator_error(format!("The database doesn't have this program's schema {own}. Restore into a new one.")))
}

/// Reads the file to its end.
fn check(path: &Path) -> Result<Reader, Error> {
    let mut reader = Reader::open(path)?;
    while reader.next_row()?.is_some() {}
    Ok(reader)
}

async fn require_empty(tx: &mut AnyConnection, tables: &[&'static Table]) -> Result<(), Error> {
    match store::find_filled(tx, tables).await? {
        None => Ok(()),
        Some(table) => Err(operator_error(format!(
            "The database is not empty: its table {table} has rows. Restore into a new one, before a shop is started on it."
        ))),
    }
}

/// Validates the file again while reading, so that exactly the validated data is committed.
async fn fill(tx: &mut AnyConnection, path: &Path, progress: Progress) -> Result<Counts, Error> {
    let mut reader = Reader::open(path)?;
    let mut batch = Batch { table: None, rows: Vec::with_capacity(BATCH), bytes: 0 };
    while let Some((table, row)) = reader.next_row()? {
        if batch.is_complete_before(table) {
            batch.insert(tx).await?;
        }
        if batch.table.is_none_or(|current| current.name != table.name) {
            progress(&format!("{}: restoring", table.name));
        }
        batch.add(table, row);
    }
    batch.insert(tx).await?;
    Ok(reader.into_counts())
}

/// Rows of one table that have not been written yet.
struct Batch {
    table: Option<&'static Table>,
    rows: Vec<Row>,
    bytes: usize,
}

impl Batch {
    fn is_complete_before(&self, next: &Table) -> bool {
        let is_full = self.rows.len() == BATCH || self.bytes >= BATCH_BYTES;
        is_full || self.table.is_some_and(|table| table.name != next.name)
    }

    fn add(&mut self, table: &'static Table, row: Row) {
        self.table = Some(table);
        self.bytes += row.iter().map(Value::size).sum::<usize>();
        self.rows.push(row);
    }

    async fn insert(&mut self, tx: &mut AnyConnection) -> Result<(), Error> {
        let Some(table) = self.table.filter(|_| !self.rows.is_empty()) else {
            return Ok(());
        };
        store::insert_rows(tx, table, &self.rows).await.map_err(|error| {
            operator_error(format!("The database does not take the rows of {}: {error}.", table.name))
        })?;
        self.rows.clear();
        self.bytes = 0;
        Ok(())
    }
}
