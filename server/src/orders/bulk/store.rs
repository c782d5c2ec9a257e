//! SQL about many orders.

use std::collections::{HashMap, HashSet};

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row as _};
use wasm_core::orders::OrderStatus;

use crate::db::rows::{ROWS, Values, in_list, value_rows};
use crate::error::Error;
use crate::orders::StoredOrder;
use crate::orders::daily_totals::store as daily_totals;
use crate::orders::owed::store::{self as owed, ORDERS_WITH_REFUNDS};
use crate::orders::owed::{Bought, Owed};
use crate::orders::search::store as search;
use crate::orders::store::{group_items, hold_of, order_of, status};

/// Order numbers per query.
const NUMBERS: usize = 200;

/// What decides whether an order can be shipped, and its recipient.
#[derive(Clone, Debug)]
pub struct OrderState {
    pub status: OrderStatus,
    pub name: String,
    pub tracking_number: Option<String>,
    /// Whether all of its items are refunded.
    pub owes_nothing: bool,
    pub is_on_hold: bool,
}

impl OrderState {
    pub fn of(order: &StoredOrder, owed: &HashMap<String, Owed>) -> Self {
        Self {
            status: order.status,
            name: order.address.name.clone(),
            tracking_number: order.tracking_number.clone(),
            owes_nothing: owed.get(&order.id) == Some(&Owed::Nothing),
            is_on_hold: order.hold().is_some(),
        }
    }
}

/// Lists the states of the orders with these numbers, by number.
pub async fn list_states(pool: &AnyPool, numbers: &[i64]) -> Result<HashMap<i64, OrderState>, Error> {
    let settled = list_settled(pool, numbers).await?;
    let mut states = HashMap::new();
    for chunk in numbers.chunks(NUMBERS) {
        let (list, arguments) = in_list(chunk.iter().copied())?;
        let select = format!("SELECT number, status, name, tracking_number, hold FROM orders WHERE number IN ({list})");
        for row in sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(pool).await? {
            let number: i64 = row.try_get("number")?;
            let status = status(row.try_get("status")?)?;
            let state = OrderState {
                status,
                name: row.try_get("name")?,
                tracking_number: row.try_get("tracking_number")?,
                owes_nothing: settled.contains(&number),
                is_on_hold: status.is_to_ship() && hold_of(&row)?.is_some(),
            };
            states.insert(number, state);
        }
    }
    Ok(states)
}

/// The numbers of those orders that owe nothing. Only orders with refunds are read.
pub async fn list_settled(pool: &AnyPool, numbers: &[i64]) -> Result<HashSet<i64>, Error> {
    let mut connection = pool.acquire().await?;
    let mut settled = HashSet::new();
    for chunk in numbers.chunks(NUMBERS) {
        let (list, arguments) = in_list(chunk.iter().copied())?;
        let select = format!("SELECT * FROM orders WHERE number IN ({list}) AND id IN ({ORDERS_WITH_REFUNDS})");
        let rows = sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(&mut *connection).await?;
        let orders = with_items(&mut connection, &rows, chunk).await?;
        let owed = owed::list(&mut connection, &orders.iter().map(Bought::of).collect::<Vec<_>>()).await?;
        let nothing = orders.iter().filter(|order| owed.get(&order.id) == Some(&Owed::Nothing));
        settled.extend(nothing.map(|order| order.number));
    }
    Ok(settled)
}

/// Locks the orders with these numbers until the transaction ends, and loads them, by number.
pub async fn lock_orders(tx: &mut AnyConnection, numbers: &[i64]) -> Result<HashMap<i64, StoredOrder>, Error> {
    let mut orders = HashMap::new();
    for chunk in numbers.chunks(NUMBERS) {
        orders.extend(lock_chunk(tx, chunk).await?);
    }
    Ok(orders)
}

async fn lock_chunk(tx: &mut AnyConnection, numbers: &[i64]) -> Result<Vec<(i64, StoredOrder)>, Error> {
    let (list, arguments) = in_list(numbers.iter().copied())?;
    let lock = format!("UPDATE orders SET version = version WHERE number IN ({list}) RETURNING *");
    let rows = sqlx::query_with(AssertSqlSafe(lock), arguments).fetch_all(&mut *tx).await?;
    let orders = with_items(tx, &rows, numbers).await?;
    Ok(orders.into_iter().map(|order| (order.number, order)).collect())
}

/// The orders of these rows, whose numbers are among these.
async fn with_items(tx: &mut AnyConnection, rows: &[AnyRow], numbers: &[i64]) -> Result<Vec<StoredOrder>, Error> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut items = group_items(&list_items(tx, numbers).await?)?;
    let order = |row: &AnyRow| order_of(row, items.remove(row.try_get::<&str, _>("id")?).unwrap_or_default());
    rows.iter().map(order).collect()
}

async fn list_items(tx: &mut AnyConnection, numbers: &[i64]) -> Result<Vec<AnyRow>, Error> {
    let (list, arguments) = in_list(numbers.iter().copied())?;
    let select = format!(
        "SELECT order_id, product_id, product_name, quantity, price, warranty_months FROM order_lines \
         WHERE order_id IN (SELECT id FROM orders WHERE number IN ({list})) ORDER BY order_id, position"
    );
    Ok(sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(tx).await?)
}

/// The new status and tracking number of an order.
pub struct NewState<'a> {
    pub id: &'a str,
    pub status: OrderStatus,
    pub tracking_number: Option<&'a str>,
}

/// Updates the orders, and increments their versions. They must be locked.
pub async fn update_orders(tx: &mut AnyConnection, changes: &[NewState<'_>]) -> Result<(), Error> {
    for chunk in changes.chunks(ROWS) {
        let ids: Vec<&str> = chunk.iter().map(|change| change.id).collect();
        daily_totals::subtract_all(tx, &ids).await?;
        let words = search::words_of(tx, &ids).await?;
        let mut bound = Values::default();
        for change in chunk {
            bound.text(change.id)?.text(change.status.as_str())?;
            bound.maybe_text(change.tracking_number.map(str::to_owned))?;
        }
        // Both databases name the columns of VALUES like this.
        let update = format!(
            "UPDATE orders SET status = changed.column2, tracking_number = changed.column3, version = version + 1 \
             FROM (VALUES {}) AS changed WHERE id = changed.column1",
            value_rows(chunk.len(), 3)
        );
        sqlx::query_with(AssertSqlSafe(update), bound.0).execute(&mut *tx).await?;
        search::replace(tx, &ids, &words).await?;
        daily_totals::add_all(tx, &ids).await?;
    }
    Ok(())
}
