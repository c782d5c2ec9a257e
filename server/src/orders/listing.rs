//! Filtered orders: one page of a list, or all of them in batches for an export. Customers and administrators use the
//! same queries.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::{OrderListItem, OrderPage, OrderStatus, PaymentStatus};

use super::daily_totals::store as daily_totals;
use super::filter::{Plan, WhereClause, any_of, disjoint};
use super::query::{Filter, Page};
use super::store::{payment_status, status};
use crate::db::Db;
use crate::http::error::Error;
use crate::infra::clock::{DAY, rfc3339};

/// Largest offset that is read directly. Beyond it, the daily totals locate the page.
const MAX_OFFSET: i64 = 1_000;
/// Largest total of a search. Further matches are neither counted nor paged.
const MAX_COUNTED: i64 = 10_000;

/// Number of newest orders in the sample of a search with very many matches.
const SAMPLE_SIZE: i64 = 500;
/// Number of orders that are read from the newest back faster than all matches of a search with more than
/// [`MAX_COUNTED`].
const TIME_SCAN: i64 = 8_000;

/// Number of matching orders, and whether there are more than were counted.
struct Count {
    total: i64,
    more: bool,
}

/// Lists orders, newest first. A page past the end is empty, and there is always at least one page.
pub async fn list_orders(db: &Db, filter: &Filter, page: Page) -> Result<OrderPage, Error> {
    let offset = (page.number - 1).saturating_mul(page.limit);
    let has_totals = filter.user_id.is_none() && filter.search.is_none();
    let Count { total, more } = if has_totals {
        Count { total: daily_totals::count(db.read(), filter).await?, more: false }
    } else {
        count(db, filter).await?
    };
    let orders = if offset >= total {
        Vec::new()
    } else if has_totals && offset > MAX_OFFSET {
        list_page_by_day(db, filter, page.limit, offset).await?
    } else {
        let plan = if more { choose_plan(db, filter, offset + page.limit).await? } else { Plan::SearchIndex };
        list_page(db, filter, page.limit, offset, plan).await?
    };
    Ok(OrderPage { orders, page: page.number, total_pages: pages(total, page.limit), total, more_than_total: more })
}

async fn count(db: &Db, filter: &Filter) -> Result<Count, Error> {
    let WhereClause { sql, arguments, search } = WhereClause::new(filter, db.binary_collation(), Plan::SearchIndex)?;
    let limit = if search.is_empty() { String::new() } else { format!(" LIMIT {}", MAX_COUNTED + 1) };
    let found: Vec<String> =
        disjoint(&search).map(|either| format!("SELECT 1 AS found FROM orders WHERE {sql} AND {either}")).collect();
    let count = format!("SELECT COUNT(*) FROM ({}{limit}) counted", found.join(" UNION ALL "));
    let total: i64 = sqlx::query_scalar_with(AssertSqlSafe(count), arguments).fetch_one(db.read()).await?;
    let more = !search.is_empty() && total > MAX_COUNTED;
    Ok(Count { total: if more { MAX_COUNTED } else { total }, more })
}

/// Chooses the time index if the sample has enough matches: then a page is full after a short scan.
async fn choose_plan(db: &Db, filter: &Filter, wanted: i64) -> Result<Plan, Error> {
    let WhereClause { sql, arguments, search } = WhereClause::new(filter, db.binary_collation(), Plan::TimeIndex)?;
    let sample = format!(
        "SELECT COUNT(*) FROM (SELECT number, email_key, name_key FROM orders WHERE {sql} \
         ORDER BY created_at DESC, id DESC LIMIT {SAMPLE_SIZE}) newest WHERE {}",
        any_of(&search)
    );
    let found: i64 = sqlx::query_scalar_with(AssertSqlSafe(sample), arguments).fetch_one(db.read()).await?;
    Ok(if found * TIME_SCAN / SAMPLE_SIZE >= wanted { Plan::TimeIndex } else { Plan::SearchIndex })
}

/// Lists a page far down the list, starting from its day.
async fn list_page_by_day(db: &Db, filter: &Filter, limit: i64, offset: i64) -> Result<Vec<OrderListItem>, Error> {
    let Some(position) = daily_totals::find_day(db.read(), filter, offset).await? else {
        return Ok(Vec::new());
    };
    let from_day = Filter { before: Some((position.day + 1) * DAY), ..filter.clone() };
    list_page(db, &from_day, limit, offset - position.newer, Plan::SearchIndex).await
}

/// Finds the ids of a page from an index only, then joins the orders.
async fn list_page(db: &Db, filter: &Filter, limit: i64, offset: i64, plan: Plan) -> Result<Vec<OrderListItem>, Error> {
    let mut clause = WhereClause::new(filter, db.binary_collation(), plan)?;
    let limit = clause.bind(limit)?;
    let offset = clause.bind(offset)?;
    let sql = &clause.sql;
    let conditions: Vec<String> = match plan {
        Plan::SearchIndex => disjoint(&clause.search).collect(),
        Plan::TimeIndex => vec![format!("({})", any_of(&clause.search))],
    };
    let found = conditions
        .iter()
        .map(|either| format!("SELECT created_at AS at, id AS found FROM orders WHERE {sql} AND {either}"));
    let select = format!(
        "SELECT id, number, created_at, total, status, name, user_email, payment_status, attention \
         FROM ({} ORDER BY at DESC, found DESC LIMIT {limit} OFFSET {offset}) page JOIN orders ON id = found \
         ORDER BY created_at DESC, id DESC",
        found.collect::<Vec<_>>().join(" UNION ALL ")
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), clause.arguments).fetch_all(db.read()).await?;
    rows.iter().map(item_of).collect()
}

/// An order as a row of an export.
#[derive(Clone, Debug)]
pub struct OrderLine {
    pub id: String,
    pub number: i64,
    pub created_at: i64,
    pub status: OrderStatus,
    pub payment: PaymentStatus,
    pub name: String,
    pub user_email: String,
    pub tracking_number: Option<String>,
    pub subtotal: Cents,
    pub shipping: Cents,
    pub tax: Cents,
    pub total: Cents,
    pub refunded: Cents,
}

/// The next batch of filtered orders, newest first, after the last one of the previous batch.
pub async fn list_lines(
    db: &Db,
    filter: &Filter,
    after: Option<&OrderLine>,
    limit: i64,
) -> Result<Vec<OrderLine>, Error> {
    let mut clause = WhereClause::new(filter, db.binary_collation(), Plan::SearchIndex)?;
    if let Some(last) = after {
        let (at, id) = (clause.bind(last.created_at)?, clause.bind(last.id.clone())?);
        clause.and(&format!("created_at <= {at} AND (created_at < {at} OR id < {id})"));
    }
    let limit = clause.bind(limit)?;
    let select = format!(
        "SELECT id, number, created_at, status, payment_status, name, user_email, tracking_number, subtotal, \
         shipping, tax, total, refunded FROM orders WHERE {} AND ({}) ORDER BY created_at DESC, id DESC LIMIT {limit}",
        clause.sql,
        any_of(&clause.search)
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), clause.arguments).fetch_all(db.read()).await?;
    rows.iter().map(line_of).collect()
}

fn pages(total: i64, limit: i64) -> i64 {
    let full = total / limit;
    (full + i64::from(total % limit != 0)).max(1)
}

fn item_of(row: &AnyRow) -> Result<OrderListItem, Error> {
    Ok(OrderListItem {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        order_date: rfc3339(row.try_get("created_at")?),
        total: cents(row, "total")?,
        status: status(row.try_get("status")?)?,
        name: row.try_get("name")?,
        user_email: Some(row.try_get("user_email")?),
        payment: Some(payment_status(row.try_get("payment_status")?)?),
        needs_attention: Some(row.try_get::<Option<String>, _>("attention")?.is_some()),
    })
}

fn line_of(row: &AnyRow) -> Result<OrderLine, Error> {
    Ok(OrderLine {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        created_at: row.try_get("created_at")?,
        status: status(row.try_get("status")?)?,
        payment: payment_status(row.try_get("payment_status")?)?,
        name: row.try_get("name")?,
        user_email: row.try_get("user_email")?,
        tracking_number: row.try_get("tracking_number")?,
        subtotal: cents(row, "subtotal")?,
        shipping: cents(row, "shipping")?,
        tax: cents(row, "tax")?,
        total: cents(row, "total")?,
        refunded: cents(row, "refunded")?,
    })
}

fn cents(row: &AnyRow, column: &str) -> Result<Cents, Error> {
    Ok(Cents::from_cents(row.try_get(column)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_page() {
        assert_eq!([pages(0, 10), pages(10, 10), pages(11, 10)], [1, 1, 2]);
    }
}
