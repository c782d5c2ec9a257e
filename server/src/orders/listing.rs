//! Orders under a filter: a page of them for a list, or all of them piece by piece for an export. The customer's
//! list and the administrator's are the same query.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::{OrderListItem, OrderPage, OrderStatus, PaymentStatus};

use super::daily_totals::store as daily_totals;
use super::filter::{Condition, Way, each_once, either};
use super::query::{Filter, Page};
use super::store::{payment_status, status};
use crate::db::Db;
use crate::http::error::Error;
use crate::infra::clock::{DAY, rfc3339};

/// A page that begins after so many orders is found by the kept counts instead of by reading them.
const READ_PAST: i64 = 1_000;
/// Of what a search finds no more are counted, and no more can be paged through.
const COUNTED: i64 = 10_000;

/// A search that finds very many is tried on so many of the newest orders.
const TRIED: i64 = 500;
/// So many orders are read on the way back from the newest one sooner than all that a search finds, when it finds
/// more than [`COUNTED`].
const MET_WITH: i64 = 8_000;

/// How many orders there are under a filter, and whether there are more than were counted.
struct Found {
    total: i64,
    more: bool,
}

/// Newest first. A page past the end is empty; there is always at least one page.
pub async fn list_orders(db: &Db, filter: &Filter, page: Page) -> Result<OrderPage, Error> {
    let offset = (page.number - 1).saturating_mul(page.limit);
    let is_counted = filter.user_id.is_none() && filter.search.is_none();
    let Found { total, more } = if is_counted {
        Found { total: daily_totals::total(db.read(), filter).await?, more: false }
    } else {
        count(db, filter).await?
    };
    let orders = if offset >= total {
        Vec::new()
    } else if is_counted && offset > READ_PAST {
        list_page_of_day(db, filter, page.limit, offset).await?
    } else {
        let way = if more { find_way(db, filter, offset + page.limit).await? } else { Way::BySearch };
        list_page(db, filter, page.limit, offset, way).await?
    };
    Ok(OrderPage { orders, page: page.number, total_pages: pages(total, page.limit), total, more_than_total: more })
}

async fn count(db: &Db, filter: &Filter) -> Result<Found, Error> {
    let Condition { sql, arguments, search } = Condition::of(filter, db.binary_collation(), Way::BySearch)?;
    let most = if search.is_empty() { String::new() } else { format!(" LIMIT {}", COUNTED + 1) };
    let found: Vec<String> =
        each_once(&search).map(|either| format!("SELECT 1 AS found FROM orders WHERE {sql} AND {either}")).collect();
    let count = format!("SELECT COUNT(*) FROM ({}{most}) counted", found.join(" UNION ALL "));
    let total: i64 = sqlx::query_scalar_with(AssertSqlSafe(count), arguments).fetch_one(db.read()).await?;
    let more = !search.is_empty() && total > COUNTED;
    Ok(Found { total: if more { COUNTED } else { total }, more })
}

/// What a good part of the newest orders is found by is soon met with on the way back from the newest one.
async fn find_way(db: &Db, filter: &Filter, wanted: i64) -> Result<Way, Error> {
    let Condition { sql, arguments, search } = Condition::of(filter, db.binary_collation(), Way::ByTime)?;
    let tried = format!(
        "SELECT COUNT(*) FROM (SELECT number, email_key, name_key FROM orders WHERE {sql} \
         ORDER BY created_at DESC, id DESC LIMIT {TRIED}) newest WHERE {}",
        either(&search)
    );
    let found: i64 = sqlx::query_scalar_with(AssertSqlSafe(tried), arguments).fetch_one(db.read()).await?;
    Ok(if found * MET_WITH / TRIED >= wanted { Way::ByTime } else { Way::BySearch })
}

/// Far down the list: from the day on which the page begins.
async fn list_page_of_day(db: &Db, filter: &Filter, limit: i64, offset: i64) -> Result<Vec<OrderListItem>, Error> {
    let Some(place) = daily_totals::find_place(db.read(), filter, offset).await? else {
        return Ok(Vec::new());
    };
    let from_that_day_on = Filter { before: Some((place.day + 1) * DAY), ..filter.clone() };
    list_page(db, &from_that_day_on, limit, offset - place.newer, Way::BySearch).await
}

/// Which orders these are is read from an index alone; only then are they looked up.
async fn list_page(db: &Db, filter: &Filter, limit: i64, offset: i64, way: Way) -> Result<Vec<OrderListItem>, Error> {
    let mut condition = Condition::of(filter, db.binary_collation(), way)?;
    let limit = condition.bind(limit)?;
    let offset = condition.bind(offset)?;
    let sql = &condition.sql;
    let ways: Vec<String> = match way {
        Way::BySearch => each_once(&condition.search).collect(),
        Way::ByTime => vec![format!("({})", either(&condition.search))],
    };
    let found =
        ways.iter().map(|either| format!("SELECT created_at AS at, id AS found FROM orders WHERE {sql} AND {either}"));
    let select = format!(
        "SELECT id, number, created_at, total, status, name, user_email, payment_status, attention \
         FROM ({} ORDER BY at DESC, found DESC LIMIT {limit} OFFSET {offset}) page JOIN orders ON id = found \
         ORDER BY created_at DESC, id DESC",
        found.collect::<Vec<_>>().join(" UNION ALL ")
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), condition.arguments).fetch_all(db.read()).await?;
    rows.iter().map(item_of).collect()
}

/// An order as one line of an export.
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

/// The next `limit` orders under the filter, newest first, after the one that came last.
pub async fn list_lines(
    db: &Db,
    filter: &Filter,
    after: Option<&OrderLine>,
    limit: i64,
) -> Result<Vec<OrderLine>, Error> {
    let mut condition = Condition::of(filter, db.binary_collation(), Way::BySearch)?;
    if let Some(last) = after {
        let (at, id) = (condition.bind(last.created_at)?, condition.bind(last.id.clone())?);
        condition.and(&format!("created_at <= {at} AND (created_at < {at} OR id < {id})"));
    }
    let limit = condition.bind(limit)?;
    let select = format!(
        "SELECT id, number, created_at, status, payment_status, name, user_email, tracking_number, subtotal, \
         shipping, tax, total, refunded FROM orders WHERE {} AND ({}) ORDER BY created_at DESC, id DESC LIMIT {limit}",
        condition.sql,
        either(&condition.search)
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), condition.arguments).fetch_all(db.read()).await?;
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
