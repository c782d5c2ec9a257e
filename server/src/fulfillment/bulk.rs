//! Changes of many orders in one transaction, with the history and the emails of single edits.

use app::mail::ShopInfo;
use sqlx::AnyConnection;
use wasm_core::orders::OrderStatus;

use super::orders::{ShipmentEmail, is_shipment, shipment_mail, ships, status_change, tracking_change};
use crate::error::Error;
use crate::orders::StoredOrder;
use crate::orders::bulk::store::{self, NewState};
use crate::orders::customer_mail;
use crate::orders::history::store::{self as history, NewEntry};
use crate::orders::owed::{Bought, store as owed};
use crate::time_zone;

/// Largest number of orders that a transaction changes: other writes wait for it.
pub const MAX_BATCH: usize = 200;

/// The new status and tracking number of a locked order.
pub struct Change {
    pub before: StoredOrder,
    pub status: OrderStatus,
    pub tracking_number: Option<String>,
}

/// Who changes the orders, and when.
pub struct Context {
    pub actor: String,
    pub shipment_email: ShipmentEmail,
    pub mail_shop: ShopInfo,
    pub now: i64,
}

/// Applies the changes.
pub async fn apply(tx: &mut AnyConnection, changes: Vec<Change>, context: &Context) -> Result<(), Error> {
    store::update_orders(tx, &changes.iter().map(new_state).collect::<Vec<_>>()).await?;
    let entries: Vec<_> = changes.iter().flat_map(|change| entries_of(change, &context.actor)).collect();
    history::insert_all(tx, &entries, context.now).await?;
    if context.shipment_email == ShipmentEmail::Skip {
        return Ok(());
    }
    let pairs = changes.into_iter().map(before_and_after);
    let shipped: Vec<_> = pairs.filter(|(before, after)| is_shipment(before, after)).collect();
    let zone = time_zone::store::load(&mut *tx).await?;
    let ships = shipped.iter().filter(|(before, after)| ships(before, after));
    let owed = owed::list(tx, &ships.map(|(_, after)| Bought::of(after)).collect::<Vec<_>>()).await?;
    let mails = shipped.iter().map(|(_, order)| shipment_mail(&context.mail_shop, order, owed.get(&order.id), zone));
    let mails = mails.collect();
    customer_mail::send_all(tx, mails, context.now).await
}

fn new_state(Change { before, status, tracking_number }: &Change) -> NewState<'_> {
    NewState { id: &before.id, status: *status, tracking_number: tracking_number.as_deref() }
}

fn entries_of<'a>(change: &'a Change, actor: &'a str) -> impl Iterator<Item = NewEntry<'a>> {
    let Change { before, status, tracking_number } = change;
    let events = status_change(before, *status).into_iter().chain(tracking_change(before, tracking_number.as_deref()));
    events.map(move |event| NewEntry { order_id: &before.id, actor, event })
}

fn before_and_after(Change { before, status, tracking_number }: Change) -> (StoredOrder, StoredOrder) {
    let after = StoredOrder { status, tracking_number, ..before.clone() };
    (before, after)
}
