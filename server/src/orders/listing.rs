//! Filtered orders: one page of a list, or all of them in batches for an export. Customers and administrators use the
//! same queries.

use std::ops::Range;

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::{AdminOrderListItem, AdminOrderPage, HoldReason, OrderListItem, OrderStatus, PaymentStatus};

use super::daily_totals::store as daily_totals;
use super::filter::WhereClause;
use super::query::Filter;
use super::sort::Sort;
use super::store::{hold_of, payment_status, status};
use crate::db::Db;
use crate::error::Error;
use crate::http::page::Page;
use crate::infra::clock::rfc3339;
use crate::time_zone::ShopZone;

/// Largest offset that is read directly. Beyond it, the daily totals locate the page.
const MAX_OFFSET: i64 = 1_000;
/// Largest total without daily totals. Further matches are neither counted nor paged.
const MAX_COUNTED: i64 = 10_000;
/// [`MAX_COUNTED`] for the orders of a product, and for a search of product words or frequent words alone: each row is
/// looked up among the orders.
const MAX_LOOKED_UP: i64 = 500;

/// Columns of an [`AdminOrderListItem`].
const ITEM: &str = "id, number, created_at, total, status, name, user_email, payment_status, hold, \
                    (SELECT COUNT(*) FROM alerts a WHERE a.order_id = orders.id AND a.resolved_at IS NULL) AS open_alerts";

/// Lists orders in the order of the filter. A page past the end is empty, and there is always at least one page.
pub async fn list_orders(db: &Db, filter: &Filter, page: Page) -> Result<AdminOrderPage, Error> {
    let offset = page.offset();
    if filter.search.is_some() || filter.product_id.is_some() {
        return list_matches(db, filter, page, offset).await;
    }
    let has_totals = filter.has_totals();
    let (total, more_than_total) = count(db, filter).await?;
    let orders = if offset >= total {
        Vec::new()
    } else if has_totals && offset > MAX_OFFSET {
        list_far_page(db, filter, page.limit, offset..total).await?
    } else {
        list_page(db, filter, page.limit, offset).await?
    };
    Ok(order_page(orders, page, total, more_than_total))
}

fn order_page(orders: Vec<AdminOrderListItem>, page: Page, total: i64, more_than_total: bool) -> AdminOrderPage {
    AdminOrderPage { orders, page: page.number, total_pages: page.total_pages(total), total, more_than_total }
}

/// A page of a search or of a product's orders, and its total, in one query, so that the matches are read once. The total
/// is in every row; a page past the end is a row without an order.
async fn list_matches(db: &Db, filter: &Filter, page: Page, offset: i64) -> Result<AdminOrderPage, Error> {
    let mut clause = WhereClause::load_first(db, filter, MAX_LOOKED_UP + 1).await?;
    let is_counted = filter.search.is_some() && !clause.is_limited;
    let most = if is_counted { MAX_COUNTED } else { MAX_LOOKED_UP };
    if filter.search.is_none() {
        clause.materialize_first(most + 1)?;
    }
    let limit = clause.bind(if offset < most { page.limit } else { 0 })?;
    let offset = clause.bind(offset)?;
    let WhereClause { with, from, sql, sort, arguments, .. } = clause;
    let by_time = sort.by_time();
    let select = format!(
        "{with}SELECT matching, {ITEM} FROM (SELECT COUNT(*) AS matching FROM {from} WHERE {sql}) counted \
         LEFT JOIN (SELECT id AS found FROM {from} WHERE {sql} \
                    ORDER BY {by_time} LIMIT {limit} OFFSET {offset}) page ON 1 = 1 \
         LEFT JOIN orders ON id = found ORDER BY {by_time}"
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(db.read()).await?;
    let matching: i64 = rows.first().map_or(Ok(0), |row| row.try_get("matching"))?;
    let mut orders = Vec::new();
    for row in &rows {
        if row.try_get::<Option<String>, _>("id")?.is_some() {
            orders.push(item_of(row, filter.zone)?);
        }
    }
    Ok(order_page(orders, page, matching.min(most), matching > most))
}

/// The number of matches, and whether there are more. The daily totals count all of a day and status; those that are not
/// on hold are all but a few.
async fn count(db: &Db, filter: &Filter) -> Result<(i64, bool), Error> {
    let everything = Filter { held: None, ..filter.clone() };
    if filter.held == Some(true) || !everything.has_totals() {
        return count_matches(db, filter).await;
    }
    let total = daily_totals::count(db.read(), &everything).await?;
    if filter.held.is_none() {
        return Ok((total, false));
    }
    let (held, _) = count_matches(db, &Filter { held: Some(true), ..everything }).await?;
    Ok(((total - held).max(0), false))
}

/// The number of matches up to a maximum, and whether there are more. A customer's own orders are all counted.
async fn count_matches(db: &Db, filter: &Filter) -> Result<(i64, bool), Error> {
    let most = if filter.user_id.is_some() { i64::MAX } else { MAX_COUNTED };
    let matching = count_rows(db, WhereClause::load(db, filter).await?, most.saturating_add(1)).await?;
    Ok((matching.min(most), matching > most))
}

/// The number of filtered orders that have shipped.
pub async fn count_shipped(db: &Db, filter: &Filter) -> Result<i64, Error> {
    let mut clause = WhereClause::load(db, filter).await?;
    clause.have_shipped();
    count_rows(db, clause, i64::MAX).await
}

async fn count_rows(db: &Db, mut clause: WhereClause, limit: i64) -> Result<i64, Error> {
    let limit = clause.bind(limit)?;
    let WhereClause { with, from, sql, arguments, .. } = clause;
    let count = format!("{with}SELECT COUNT(*) FROM (SELECT 1 FROM {from} WHERE {sql} LIMIT {limit}) counted");
    Ok(sqlx::query_scalar_with(AssertSqlSafe(count), arguments).fetch_one(db.read()).await?)
}

/// Lists a page far down the list, whose rows from its first one to the last are `rows`. The days are counted from the
/// newest one.
async fn list_far_page(
    db: &Db,
    filter: &Filter,
    limit: i64,
    rows: Range<i64>,
) -> Result<Vec<AdminOrderListItem>, Error> {
    if filter.sort == Sort::Newest {
        return list_page_by_day(db, filter, limit, rows.start).await;
    }
    let from_newest = rows.end - rows.start;
    let offset = (from_newest - limit).max(0);
    let newest_first = Filter { sort: Sort::Newest, ..filter.clone() };
    let mut orders = list_page_by_day(db, &newest_first, from_newest - offset, offset).await?;
    orders.reverse();
    Ok(orders)
}

/// Lists a page of the newest orders first, starting from its day.
async fn list_page_by_day(db: &Db, filter: &Filter, limit: i64, offset: i64) -> Result<Vec<AdminOrderListItem>, Error> {
    let Some(position) = daily_totals::find_day(db.read(), filter, offset).await? else {
        return Ok(Vec::new());
    };
    let from_day = Filter { before: Some(filter.zone.bounds(position.day).end), ..filter.clone() };
    list_page(db, &from_day, limit, offset - position.newer).await
}

/// Finds the ids of a page from an index only, then joins the orders.
async fn list_page(db: &Db, filter: &Filter, limit: i64, offset: i64) -> Result<Vec<AdminOrderListItem>, Error> {
    let mut clause = WhereClause::load(db, filter).await?;
    let limit = clause.bind(limit)?;
    let offset = clause.bind(offset)?;
    let WhereClause { with, from, sql, order_by, sort, arguments, .. } = clause;
    let by_time = sort.by_time();
    let select = format!(
        "{with}SELECT {ITEM} FROM (SELECT id AS found FROM {from} WHERE {sql} \
         ORDER BY {order_by} LIMIT {limit} OFFSET {offset}) page JOIN orders ON id = found ORDER BY {by_time}"
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(db.read()).await?;
    rows.iter().map(|row| item_of(row, filter.zone)).collect()
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

/// Columns of an [`OrderLine`].
const LINE: &str = "id, number, created_at, status, payment_status, name, user_email, tracking_number, subtotal, \
                    shipping, tax, total, refunded";

/// The next batch of filtered orders after the last one of the previous batch.
pub async fn list_lines(
    db: &Db,
    filter: &Filter,
    after: Option<&OrderLine>,
    limit: i64,
) -> Result<Vec<OrderLine>, Error> {
    list_batch(db, filter, after, limit, LINE).await?.iter().map(line_of).collect()
}

async fn list_batch(
    db: &Db,
    filter: &Filter,
    after: Option<&OrderLine>,
    limit: i64,
    columns: &str,
) -> Result<Vec<AnyRow>, Error> {
    list_batch_of(db, WhereClause::load(db, filter).await?, after, limit, columns).await
}

pub(super) async fn list_batch_of(
    db: &Db,
    mut clause: WhereClause,
    after: Option<&OrderLine>,
    limit: i64,
    columns: &str,
) -> Result<Vec<AnyRow>, Error> {
    let later = match after {
        Some(last) => {
            let (at, id) = (clause.bind(last.created_at)?, clause.bind(last.id.clone())?);
            beyond(clause.sort, &at, &id)
        }
        None => "1 = 1".to_owned(),
    };
    let limit = clause.bind(limit)?;
    let WhereClause { with, from, sql, order_by, sort, arguments, .. } = clause;
    let by_time = sort.by_time();
    let select = format!(
        "{with}SELECT {columns} FROM (SELECT id AS found FROM {from} WHERE {sql} AND {later} \
         ORDER BY {order_by} LIMIT {limit}) batch JOIN orders ON id = found ORDER BY {by_time}"
    );
    Ok(sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(db.read()).await?)
}

/// The condition of the orders after the one with this time and id, both bound.
fn beyond(sort: Sort, at: &str, id: &str) -> String {
    let after = sort.comparison();
    format!("created_at {after}= {at} AND (created_at {after} {at} OR id {after} {id})")
}

/// An order with its version, for a bulk change.
#[derive(Clone, Debug)]
pub struct OrderVersion {
    pub number: i64,
    pub version: i64,
    pub status: OrderStatus,
    pub hold: Option<HoldReason>,
}

/// The versions of the filtered orders.
pub async fn list_versions(db: &Db, filter: &Filter, limit: i64) -> Result<Vec<OrderVersion>, Error> {
    let version = |row: &AnyRow| {
        let status = status(row.try_get("status")?)?;
        let hold = active_hold(row, status)?;
        Ok(OrderVersion { number: row.try_get("number")?, version: row.try_get("version")?, status, hold })
    };
    list_batch(db, filter, None, limit, "number, version, status, hold").await?.iter().map(version).collect()
}

/// The place of an order in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbor {
    Previous,
    Next,
}

/// Finds the id of the filtered order beside this one.
pub async fn find_neighbor(
    db: &Db,
    filter: &Filter,
    (created_at, id): (i64, &str),
    neighbor: Neighbor,
) -> Result<Option<String>, Error> {
    let sort = match neighbor {
        Neighbor::Next => filter.sort,
        Neighbor::Previous => filter.sort.reversed(),
    };
    let mut clause = WhereClause::load(db, &Filter { sort, ..filter.clone() }).await?;
    let (at, id) = (clause.bind(created_at)?, clause.bind(id.to_owned())?);
    let WhereClause { with, from, sql, order_by, arguments, .. } = clause;
    let beyond = beyond(sort, &at, &id);
    let select = format!("{with}SELECT id FROM {from} WHERE {sql} AND {beyond} ORDER BY {order_by} LIMIT 1");
    Ok(sqlx::query_scalar_with(AssertSqlSafe(select), arguments).fetch_optional(db.read()).await?)
}

fn item_of(row: &AnyRow, zone: ShopZone) -> Result<AdminOrderListItem, Error> {
    let created_at = row.try_get("created_at")?;
    let order = OrderListItem {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        order_date: rfc3339(created_at),
        order_date_local: zone.local(created_at),
        total: cents(row, "total")?,
        status: status(row.try_get("status")?)?,
        name: row.try_get("name")?,
    };
    Ok(AdminOrderListItem {
        hold: active_hold(row, order.status)?,
        order,
        user_email: row.try_get("user_email")?,
        payment: payment_status(row.try_get("payment_status")?)?,
        open_alerts: row.try_get("open_alerts")?,
    })
}

/// None once the order is shipped.
pub(super) fn active_hold(row: &AnyRow, status: OrderStatus) -> Result<Option<HoldReason>, Error> {
    Ok(hold_of(row)?.filter(|_| status.is_to_ship()))
}

pub(super) fn line_of(row: &AnyRow) -> Result<OrderLine, Error> {
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
