//! Refunded units of orders. The checkout writes them; here they are only read.

use std::collections::HashMap;

use sqlx::{AnyConnection, AssertSqlSafe};
use wasm_core::orders::{RefundLine, owed};

use super::{Bought, Owed};
use crate::db::rows::in_list;
use crate::error::Error;
use crate::orders::StoredOrder;

/// The ids of the orders with refunds: all others owe what was bought.
pub const ORDERS_WITH_REFUNDS: &str = "SELECT order_id FROM refunds";
/// Orders per query.
const CHUNK: usize = 200;
/// Refunds that were made. Money that came back from the bank later does not make its items owed again; once such a refund
/// was made again, the new one counts instead.
const MADE: &str = "r.state IN ('done', 'failed') AND NOT EXISTS \
                    (SELECT 1 FROM refunds n WHERE n.id = r.replaced_by AND n.state IN ('done', 'failed'))";

/// What each of these orders still owes, by the order's id.
pub async fn list(connection: &mut AnyConnection, orders: &[Bought<'_>]) -> Result<HashMap<String, Owed>, Error> {
    let units = list_units(connection, &orders.iter().map(|order| order.id).collect::<Vec<_>>()).await?;
    let mut owed_by_order = HashMap::new();
    for order in orders {
        let units = units.get(order.id).map(Vec::as_slice).unwrap_or_default();
        let items = owed(order.items, order.status, order.left()?, units);
        let is_settled = items.is_empty() && !order.items.is_empty();
        owed_by_order.insert(order.id.to_owned(), if is_settled { Owed::Nothing } else { Owed::Items(items) });
    }
    Ok(owed_by_order)
}

/// What an order still owes.
pub async fn load(connection: &mut AnyConnection, order: &StoredOrder) -> Result<Owed, Error> {
    let owed = list(connection, &[Bought::of(order)]).await?.remove(&order.id);
    Ok(owed.unwrap_or(Owed::Nothing))
}

/// Refunded units by the order's id.
async fn list_units(
    connection: &mut AnyConnection,
    orders: &[&str],
) -> Result<HashMap<String, Vec<RefundLine>>, Error> {
    let mut units: HashMap<String, Vec<RefundLine>> = HashMap::new();
    for chunk in orders.chunks(CHUNK) {
        let (ids, bound) = in_list(chunk.iter().map(|id| (*id).to_owned()))?;
        let select = format!(
            "SELECT r.order_id, l.product_id, l.quantity FROM refunds r JOIN refund_lines l ON l.refund_id = r.id \
             WHERE r.order_id IN ({ids}) AND {MADE}"
        );
        let rows: Vec<(String, String, i64)> =
            sqlx::query_as_with(AssertSqlSafe(select), bound).fetch_all(&mut *connection).await?;
        for (order_id, product_id, quantity) in rows {
            units.entry(order_id).or_default().push(RefundLine { product_id, quantity });
        }
    }
    Ok(units)
}
