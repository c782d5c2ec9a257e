//! Filtered orders as packages: what is still owed, and what is left out.

use std::collections::HashMap;

use sqlx::Row as _;
use sqlx::any::AnyRow;
use wasm_core::orders::OrderItem;
use wasm_core::validation::Address;

use super::filter::WhereClause;
use super::listing::{OrderLine, active_hold, line_of, list_batch_of};
use super::owed::{Bought, Owed, store as owed};
use super::query::Filter;
use super::store::list_items_of;
use crate::db::Db;
use crate::db::json::from_json;
use crate::error::Error;

/// Columns of a [`Shipment`]: those of an [`OrderLine`] and the address.
const SHIPMENT: &str = "id, number, created_at, status, payment_status, name, user_email, tracking_number, subtotal, \
                        shipping, tax, total, refunded, hold, address";

/// An order with what its package needs.
#[derive(Clone, Debug)]
pub struct Shipment {
    pub line: OrderLine,
    /// The recipient's address.
    pub address: Address,
    /// The items that are still owed.
    pub items: Vec<OrderItem>,
    /// None if the package is to be packed.
    pub left_out: Option<LeftOut>,
}

/// Why an order has no package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// All of its items are refunded.
    Refunded,
    OnHold,
}

/// Numbers of orders without a package, by their reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOutCounts {
    pub refunded: i64,
    pub on_hold: i64,
    /// Those of them that have shipped.
    pub shipped: i64,
}

impl LeftOutCounts {
    pub fn add(&mut self, shipments: &[Shipment]) {
        for Shipment { line, left_out, .. } in shipments {
            match left_out {
                None => continue,
                Some(LeftOut::Refunded) => self.refunded += 1,
                Some(LeftOut::OnHold) => self.on_hold += 1,
            }
            self.shipped += i64::from(line.status.has_shipped());
        }
    }
}

/// A batch of packages, after the last order of the previous batch.
pub async fn list_shipments(
    db: &Db,
    filter: &Filter,
    after: Option<&OrderLine>,
    limit: i64,
) -> Result<Vec<Shipment>, Error> {
    let clause = WhereClause::load(db, filter).await?;
    shipments_of(db, &list_batch_of(db, clause, after, limit, SHIPMENT).await?).await
}

/// Counts the filtered orders that have no package, in batches of `limit`.
pub async fn count_left_out(db: &Db, filter: &Filter, limit: i64) -> Result<LeftOutCounts, Error> {
    let (mut counts, mut last) = (LeftOutCounts::default(), None);
    loop {
        let mut clause = WhereClause::load(db, filter).await?;
        clause.may_be_left_out();
        let shipments = shipments_of(db, &list_batch_of(db, clause, last.as_ref(), limit, SHIPMENT).await?).await?;
        counts.add(&shipments);
        let Some(Shipment { line, .. }) = shipments.into_iter().next_back() else { return Ok(counts) };
        last = Some(line);
    }
}

async fn shipments_of(db: &Db, rows: &[AnyRow]) -> Result<Vec<Shipment>, Error> {
    let lines = rows.iter().map(line_of).collect::<Result<Vec<_>, _>>()?;
    let items = list_items_of(db.read(), lines.iter().map(|line| line.id.as_str())).await?;
    let bought: Vec<_> = lines.iter().map(|line| bought_of(line, &items)).collect();
    let mut connection = db.read().acquire().await?;
    let mut owed = owed::list(&mut connection, &bought).await?;
    let shipment = |(row, line): (&AnyRow, OrderLine)| {
        let owed = owed.remove(&line.id).unwrap_or(Owed::Nothing);
        let left_out = match owed {
            Owed::Nothing => Some(LeftOut::Refunded),
            Owed::Items(_) => active_hold(row, line.status)?.map(|_| LeftOut::OnHold),
        };
        Ok(Shipment { line, address: from_json(row.try_get("address")?)?, items: owed.into_items(), left_out })
    };
    rows.iter().zip(lines).map(shipment).collect()
}

fn bought_of<'a>(line: &'a OrderLine, items: &'a HashMap<String, Vec<OrderItem>>) -> Bought<'a> {
    let items = items.get(&line.id).map(Vec::as_slice).unwrap_or_default();
    Bought { id: &line.id, status: line.status, items, total: line.total, refunded: line.refunded }
}
