//! Returns the items of an order to stock.

use std::collections::HashMap;

use sqlx::AnyConnection;
use wasm_core::orders::RefundLine;

use super::balance::units_of;
use crate::catalog::products::store::{StockReason, change_stock, list_restocked};
use crate::error::Error;
use crate::orders::StoredOrder;
use crate::orders::history::{HistoryEvent, store as history};

/// Restocks these items of an order, each unit at most once in its life. Items beyond the stock limit are not restocked,
/// and the history says so. The order must be locked.
pub async fn restock(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    lines: &[RefundLine],
    actor: &str,
    now: i64,
) -> Result<(), Error> {
    let mut restocked = Vec::new();
    let mut skipped: Vec<String> = Vec::new();
    for (line, name) in list_open(tx, order, lines).await? {
        let reason = StockReason::Restocked;
        if change_stock(tx, &line.product_id, line.quantity, reason, Some(&order.id), actor, now).await? {
            restocked.push(line);
        } else {
            skipped.push(name.to_owned());
        }
    }
    if !restocked.is_empty() {
        let event = HistoryEvent::Restocked { items: units_of(order, &restocked) };
        history::insert(tx, &order.id, actor, event, now).await?;
    }
    if !skipped.is_empty() {
        history::insert(tx, &order.id, actor, HistoryEvent::NotRestocked { products: skipped }, now).await?;
    }
    Ok(())
}

/// What was not restocked yet of these items, with the products' names. Ordered by product: two transactions lock the
/// rows of products in the same order.
async fn list_open<'a>(
    tx: &mut AnyConnection,
    order: &'a StoredOrder,
    lines: &[RefundLine],
) -> Result<Vec<(RefundLine, &'a str)>, Error> {
    let restocked: HashMap<String, i64> = list_restocked(tx, &order.id).await?.into_iter().collect();
    let mut open = Vec::new();
    for item in &order.items {
        let left = item.quantity - restocked.get(&item.product_id).copied().unwrap_or_default();
        let wanted = lines.iter().find(|line| line.product_id == item.product_id).map_or(0, |line| line.quantity);
        let quantity = wanted.min(left);
        if quantity > 0 {
            open.push((RefundLine { product_id: item.product_id.clone(), quantity }, item.product_name.as_str()));
        }
    }
    open.sort_by(|(one, _), (other, _)| one.product_id.cmp(&other.product_id));
    Ok(open)
}
