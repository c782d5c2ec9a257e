//! SQL about many orders.

use std::collections::HashMap;

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{AnyConnection, AnyPool, Arguments as _, AssertSqlSafe, Row as _};
use wasm_core::orders::OrderStatus;

use crate::db::rows::{ROWS, Values, placeholders, value_rows};
use crate::error::Error;
use crate::orders::StoredOrder;
use crate::orders::daily_totals::store as daily_totals;
use crate::orders::store::{group_items, order_of, status};

/// Order numbers per query.
const NUMBERS: usize = 200;

/// Status and tracking number of an order.
#[derive(Clone, Debug)]
pub struct OrderState {
    pub status: OrderStatus,
    pub tracking_number: Option<String>,
}

/// Lists the states of the orders with these numbers, by number.
pub async fn list_states(pool: &AnyPool, numbers: &[i64]) -> Result<HashMap<i64, OrderState>, Error> {
    let mut states = HashMap::new();
    for chunk in numbers.chunks(NUMBERS) {
        let (list, arguments) = number_list(chunk)?;
        let select = format!("SELECT number, status, tracking_number FROM orders WHERE number IN ({list})");
        for row in sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(pool).await? {
            let state = OrderState {
                status: status(row.try_get("status")?)?,
                tracking_number: row.try_get("tracking_number")?,
            };
            states.insert(row.try_get("number")?, state);
        }
    }
    Ok(states)
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
    let (list, arguments) = number_list(numbers)?;
    let lock = format!("UPDATE orders SET version = version WHERE number IN ({list}) RETURNING *");
    let rows = sqlx::query_with(AssertSqlSafe(lock), arguments).fetch_all(&mut *tx).await?;
    let mut items = group_items(&list_items(tx, numbers).await?)?;
    let order = |row: &AnyRow| {
        let items = items.remove(row.try_get::<&str, _>("id")?).unwrap_or_default();
        let order = order_of(row, items)?;
        Ok((order.number, order))
    };
    rows.iter().map(order).collect()
}

async fn list_items(tx: &mut AnyConnection, numbers: &[i64]) -> Result<Vec<AnyRow>, Error> {
    let (list, arguments) = number_list(numbers)?;
    let select = format!(
        "SELECT order_id, product_id, product_name, quantity, price FROM order_lines \
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
        daily_totals::add_all(tx, &ids).await?;
    }
    Ok(())
}

/// The placeholders of an IN list with its bound values.
fn number_list(numbers: &[i64]) -> Result<(String, AnyArguments), Error> {
    let mut arguments = AnyArguments::default();
    for number in numbers {
        arguments.add(*number).map_err(Error::internal)?;
    }
    Ok((placeholders(1, numbers.len()), arguments))
}
