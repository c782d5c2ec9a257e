//! Ids of the products that the table shows.

use sqlx::any::AnyArguments;
use sqlx::{Arguments as _, AssertSqlSafe};

use super::query::{Direction, ListedStatus, Sort, SortColumn, TableFilter};
use crate::catalog::low_stock::store::IS_LOW_STOCK;
use crate::db::Db;
use crate::error::Error;
use crate::http::page::Page;

pub async fn count(db: &Db, filter: &TableFilter) -> Result<i64, Error> {
    let (condition, arguments) = where_clause(filter)?;
    let count = format!("SELECT COUNT(*) FROM products WHERE {condition}");
    Ok(sqlx::query_scalar_with(AssertSqlSafe(count), arguments).fetch_one(db.read()).await?)
}

pub async fn list_ids(db: &Db, filter: &TableFilter, page: Page) -> Result<Vec<String>, Error> {
    let (condition, mut arguments) = where_clause(filter)?;
    let limit = bind(&mut arguments, page.limit)?;
    let offset = bind(&mut arguments, page.offset())?;
    let order = order_by(filter.sort, db.binary_collation());
    let select = format!("SELECT id FROM products WHERE {condition} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
    Ok(sqlx::query_scalar_with(AssertSqlSafe(select), arguments).fetch_all(db.read()).await?)
}

/// The condition consists of constants and placeholders only.
fn where_clause(filter: &TableFilter) -> Result<(String, AnyArguments), Error> {
    let mut arguments = AnyArguments::default();
    let mut conditions = vec![status_condition(filter.status).to_owned()];
    for word in &filter.words {
        let pattern = bind(&mut arguments, format!("%{}%", escaped(word)))?;
        let has = |column: &str| format!("{column} LIKE {pattern} ESCAPE '!'");
        conditions.push(format!("({} OR {} OR {})", has("name_key"), has("LOWER(sku)"), has("gtin")));
    }
    Ok((conditions.join(" AND "), arguments))
}

fn status_condition(status: Option<ListedStatus>) -> &'static str {
    match status {
        None => "1 = 1",
        Some(ListedStatus::Active) => "active = 1",
        Some(ListedStatus::Hidden) => "active = 0",
        Some(ListedStatus::LowStock) => IS_LOW_STOCK,
    }
}

/// The id decides between equal values, so that no product is on two pages.
fn order_by(Sort { column, direction }: Sort, binary_collation: &str) -> String {
    let direction = match direction {
        Direction::Ascending => "ASC",
        Direction::Descending => "DESC",
    };
    let (value, collation) = match column {
        SortColumn::Created => ("created_at", ""),
        SortColumn::Name => ("name_key ", binary_collation),
        SortColumn::Price => ("price", ""),
        SortColumn::Stock => ("stock", ""),
        SortColumn::Available => ("CASE WHEN stock > reserved THEN stock - reserved ELSE 0 END", ""),
    };
    format!("{value}{collation} {direction}, id {direction}")
}

/// A text as itself in a LIKE pattern.
fn escaped(text: &str) -> String {
    text.replace('!', "!!").replace('%', "!%").replace('_', "!_")
}

/// Binds a value and returns its placeholder.
fn bind<'q, T>(arguments: &mut AnyArguments, value: T) -> Result<String, Error>
where
    T: sqlx::Encode<'q, sqlx::Any> + sqlx::Type<sqlx::Any> + 'q,
{
    arguments.add(value).map_err(Error::internal)?;
    Ok(format!("${}", arguments.len()))
}
