//! SQL of backup and restore, built from the list of tables only, never from the file.

use futures_util::TryStreamExt as _;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{AnyConnection, Arguments as _, AssertSqlSafe, Row as _};

use super::format::{Row, Value};
use super::tables::{Kind, SEEDED, Table};
use crate::error::Error;

/// Passes every row of the table to `take`, ordered by its key in `binary_collation`.
pub async fn each_row(
    connection: &mut AnyConnection,
    table: &Table,
    binary_collation: &str,
    mut take: impl FnMut(Row) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let mut rows = sqlx::query(AssertSqlSafe(select_sql(table, binary_collation))).fetch(connection);
    while let Some(row) = rows.try_next().await? {
        take(read(table, &row)?)?;
    }
    Ok(())
}

fn select_sql(table: &Table, binary_collation: &str) -> String {
    let order: Vec<String> = table
        .key
        .iter()
        .map(
            |column| {
                if table.texts.contains(column) { format!("{column} {binary_collation}") } else { (*column).into() }
            },
        )
        .collect();
    format!("SELECT {} FROM {} ORDER BY {}", table.column_names().join(", "), table.name, order.join(", "))
}

fn read(table: &Table, row: &AnyRow) -> Result<Row, sqlx::Error> {
    table
        .columns()
        .enumerate()
        .map(|(index, (_, kind))| match kind {
            Kind::Text => row.try_get(index).map(Value::Text),
            Kind::Integer => row.try_get(index).map(Value::Integer),
            Kind::Blob => row.try_get(index).map(Value::Blob),
        })
        .collect()
}

/// The first table that is not empty, except those that are never empty.
pub async fn find_filled(tx: &mut AnyConnection, tables: &[&'static Table]) -> Result<Option<&'static str>, Error> {
    for table in tables.iter().filter(|table| !SEEDED.contains(&table.name)) {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", table.name);
        if sqlx::query(AssertSqlSafe(sql)).fetch_optional(&mut *tx).await?.is_some() {
            return Ok(Some(table.name));
        }
    }
    Ok(None)
}

pub async fn clear(tx: &mut AnyConnection, tables: &[&str]) -> Result<(), Error> {
    for name in tables {
        sqlx::query(AssertSqlSafe(format!("DELETE FROM {name}"))).execute(&mut *tx).await?;
    }
    Ok(())
}

pub async fn insert_rows(tx: &mut AnyConnection, table: &Table, rows: &[Row]) -> Result<(), sqlx::Error> {
    let mut arguments = AnyArguments::default();
    for value in rows.iter().flatten() {
        match value {
            Value::Text(text) => arguments.add(text.as_deref()),
            Value::Integer(number) => arguments.add(*number),
            Value::Blob(bytes) => arguments.add(bytes.as_slice()),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    sqlx::query_with(AssertSqlSafe(insert_sql(table, rows.len())), arguments).execute(tx).await?;
    Ok(())
}

fn insert_sql(table: &Table, rows: usize) -> String {
    let columns = table.column_names();
    let row = |row: usize| {
        let first = row * columns.len() + 1;
        let places: Vec<String> = (first..first + columns.len()).map(|place| format!("${place}")).collect();
        format!("({})", places.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("INSERT INTO {} ({}) VALUES {}", table.name, columns.join(", "), rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VISITS: Table =
        Table { name: "visits", key: &["day", "page"], texts: &["page"], integers: &["day"], blobs: &[] };

    #[test]
    fn only_texts_need_to_be_told_how_they_are_ordered() {
        assert_eq!(select_sql(&VISITS, "BYTES"), "SELECT page, day FROM visits ORDER BY day, page BYTES");
    }

    #[test]
    fn every_value_of_a_batch_has_a_place_of_its_own() {
        assert_eq!(insert_sql(&VISITS, 2), "INSERT INTO visits (page, day) VALUES ($1, $2), ($3, $4)");
    }
}
