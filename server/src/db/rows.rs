//! Statements that bind many rows.

use serde::Serialize;
use sqlx::any::AnyArguments;
use sqlx::{AnyConnection, Arguments as _, AssertSqlSafe};

use super::json::to_json;
use crate::error::Error;

/// Rows per statement. SQLite's lookup of a parameter is linear: ten times as many rows make each row ten times as
/// expensive.
pub const ROWS: usize = 20;

/// A table and its bound columns.
pub struct Insert(pub &'static str, pub &'static [&'static str]);

impl Insert {
    fn sql(&self, rows: usize) -> String {
        format!("INSERT INTO {} ({}) VALUES {}", self.0, self.1.join(", "), value_rows(rows, self.1.len()))
    }

    /// Inserts the rows, whose values the closure binds.
    ///
    /// # Errors
    /// The database's error, or the closure's.
    pub async fn run<T>(
        &self,
        tx: &mut AnyConnection,
        rows: &[T],
        values: impl Fn(&mut Values, &T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for rows in rows.chunks(ROWS) {
            let mut bound = Values::default();
            for row in rows {
                values(&mut bound, row)?;
            }
            sqlx::query_with(AssertSqlSafe(self.sql(rows.len())), bound.0).execute(&mut *tx).await?;
        }
        Ok(())
    }
}

/// Bound values, row by row.
#[derive(Default)]
pub struct Values(pub AnyArguments);

impl Values {
    pub fn text(&mut self, text: impl Into<String>) -> Result<&mut Self, Error> {
        self.0.add(text.into()).map_err(Error::internal)?;
        Ok(self)
    }

    pub fn maybe_text(&mut self, text: Option<String>) -> Result<&mut Self, Error> {
        self.0.add(text).map_err(Error::internal)?;
        Ok(self)
    }

    pub fn json<T: Serialize>(&mut self, value: &T) -> Result<&mut Self, Error> {
        self.text(to_json(value)?)
    }

    pub fn whole(&mut self, number: i64) -> Result<&mut Self, Error> {
        self.0.add(number).map_err(Error::internal)?;
        Ok(self)
    }

    pub fn maybe_whole(&mut self, number: Option<i64>) -> Result<&mut Self, Error> {
        self.0.add(number).map_err(Error::internal)?;
        Ok(self)
    }
}

/// For SQL in which the two databases differ.
pub fn is_postgres(tx: &AnyConnection) -> bool {
    tx.backend_name() == "PostgreSQL"
}

/// The clause that keeps the selected rows as they are until the transaction ends. SQLite needs none: it has one writer.
pub fn for_share(tx: &AnyConnection) -> &'static str {
    if is_postgres(tx) { " FOR SHARE" } else { "" }
}

/// The clause with which a worker selects rows that it is about to claim, without those that another worker is claiming:
/// two that wait for each other's rows would deadlock. SQLite needs none.
///
/// Select them in a `WITH … AS MATERIALIZED`: PostgreSQL may run a subquery with a limit once for each row of the update,
/// and each time it skips what the statement itself has locked.
pub fn skip_locked(tx: &AnyConnection, table: &str) -> String {
    if is_postgres(tx) { format!(" FOR NO KEY UPDATE OF {table} SKIP LOCKED") } else { String::new() }
}

/// The placeholders of rows, each in parentheses: `($1, $2), ($3, $4)`.
pub fn value_rows(rows: usize, columns: usize) -> String {
    let row = |row: usize| format!("({})", placeholders(row * columns + 1, columns));
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// An `IN` list: its placeholders from `$1`, and the bound values.
pub fn in_list<T>(values: impl IntoIterator<Item = T>) -> Result<(String, AnyArguments), Error>
where
    T: sqlx::Encode<'static, sqlx::Any> + sqlx::Type<sqlx::Any> + 'static,
{
    let mut bound = AnyArguments::default();
    for value in values {
        bound.add(value).map_err(Error::internal)?;
    }
    Ok((placeholders(1, bound.len()), bound))
}

/// Placeholders from `$first`.
pub fn placeholders(first: usize, count: usize) -> String {
    (first..first + count).map(|position| format!("${position}")).collect::<Vec<_>>().join(", ")
}
