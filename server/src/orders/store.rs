//! Orders with their lines and history.

use std::collections::HashMap;

use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Executor, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::{AdminOrder, Card, DisputeStatus, HoldReason, OrderItem, OrderStatus, Payment, PaymentStatus};

use super::alerts::store as alerts;
use super::daily_totals::store as daily_totals;
use super::history::store as history;
use super::owed::store as owed;
use super::search::store as search;
use super::stored_order::StoredOrder;
use crate::db::json::{from_json, to_json};
use crate::db::rows::in_list;
use crate::error::Error;
use crate::time_zone;

/// Actor of history and stock ledger entries that the shop itself writes.
pub const SHOP_ACTOR: &str = "shop";

/// Locks the order until the transaction ends, and loads it.
pub async fn lock_order(tx: &mut AnyConnection, id: &str) -> Result<StoredOrder, Error> {
    let row = lock_row(tx, id).await?;
    let items = list_items(tx, id).await?;
    order_of(&row, items)
}

/// Locks an order that an earlier transaction loaded, as it is now. Its items never change.
pub async fn lock_again(tx: &mut AnyConnection, before: &StoredOrder) -> Result<StoredOrder, Error> {
    let row = lock_row(tx, &before.id).await?;
    order_of(&row, before.items.clone())
}

async fn lock_row(tx: &mut AnyConnection, id: &str) -> Result<AnyRow, Error> {
    let lock = "UPDATE orders SET version = version WHERE id = $1 RETURNING *";
    sqlx::query(lock).bind(id).fetch_optional(tx).await?.ok_or_else(|| Error::not_found("Order"))
}

pub async fn load_order(tx: &mut AnyConnection, id: &str) -> Result<StoredOrder, Error> {
    let row = sqlx::query("SELECT * FROM orders WHERE id = $1").bind(id).fetch_optional(&mut *tx).await?;
    let row = row.ok_or_else(|| Error::not_found("Order"))?;
    let items = list_items(tx, id).await?;
    order_of(&row, items)
}

/// The current email addresses of the accounts that placed these orders, by the orders' ids.
pub async fn list_current_emails(tx: &mut AnyConnection, ids: &[&str]) -> Result<HashMap<String, String>, Error> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let (list, bound) = in_list(ids.iter().map(|id| (*id).to_owned()))?;
    let select = format!(
        "SELECT orders.id, users.email FROM orders JOIN users ON users.id = orders.user_id WHERE orders.id IN ({list})"
    );
    let rows: Vec<(String, String)> = sqlx::query_as_with(AssertSqlSafe(select), bound).fetch_all(tx).await?;
    Ok(rows.into_iter().collect())
}

async fn list_items(tx: &mut AnyConnection, order_id: &str) -> Result<Vec<OrderItem>, Error> {
    let rows = sqlx::query(
        "SELECT product_id, product_name, quantity, price, warranty_months FROM order_lines \
         WHERE order_id = $1 ORDER BY position",
    )
    .bind(order_id)
    .fetch_all(tx)
    .await?;
    rows.iter().map(item_of_line).collect()
}

/// Loads an order with its history and its open alerts.
pub async fn load_admin_order(tx: &mut AnyConnection, id: &str) -> Result<AdminOrder, Error> {
    let order = load_order(tx, id).await?;
    with_history(tx, order).await
}

/// The order with its history and its open alerts, for administrators.
pub async fn with_history(tx: &mut AnyConnection, order: StoredOrder) -> Result<AdminOrder, Error> {
    let zone = time_zone::store::load(&mut *tx).await?;
    let alerts = alerts::list_open_of_order(tx, &order.id).await?;
    let alerts = alerts.iter().map(|alert| alert.view(zone)).collect();
    let history = history::list(tx, &order.id).await?;
    let history = history.iter().map(|entry| entry.view(zone)).collect::<Result<_, Error>>()?;
    let owed = owed::load(tx, &order).await?.into_items();
    Ok(order.for_administrators(zone, owed, history, alerts))
}

pub async fn find_owner(pool: &AnyPool, id: &str) -> Result<Option<String>, Error> {
    Ok(sqlx::query_scalar("SELECT user_id FROM orders WHERE id = $1").bind(id).fetch_optional(pool).await?)
}

pub async fn load_id_by_checkout<'e>(
    db: impl Executor<'e, Database = Any>,
    checkout_id: &str,
) -> Result<String, Error> {
    Ok(sqlx::query_scalar("SELECT id FROM orders WHERE checkout_id = $1").bind(checkout_id).fetch_one(db).await?)
}

pub async fn find_id_by_intent(pool: &AnyPool, intent_id: &str) -> Result<Option<String>, Error> {
    Ok(sqlx::query_scalar("SELECT id FROM orders WHERE payment_intent_id = $1")
        .bind(intent_id)
        .fetch_optional(pool)
        .await?)
}

pub async fn load_intent_id(pool: &AnyPool, id: &str) -> Result<String, Error> {
    let select = sqlx::query_scalar("SELECT payment_intent_id FROM orders WHERE id = $1");
    select.bind(id).fetch_optional(pool).await?.ok_or_else(|| Error::not_found("Order"))
}

pub async fn find_created_at(pool: &AnyPool, id: &str) -> Result<Option<i64>, Error> {
    Ok(sqlx::query_scalar("SELECT created_at FROM orders WHERE id = $1").bind(id).fetch_optional(pool).await?)
}

/// Creation time of the oldest order.
pub async fn find_oldest(pool: &AnyPool) -> Result<Option<i64>, Error> {
    Ok(sqlx::query_scalar("SELECT MIN(created_at) FROM orders").fetch_one(pool).await?)
}

/// Saves the members that an administrator may edit, and increments the version. The order must be locked.
pub async fn update_order(tx: &mut AnyConnection, order: &mut StoredOrder) -> Result<(), Error> {
    let StoredOrder { id, status, address, tracking_number, .. } = &*order;
    daily_totals::subtract(tx, id).await?;
    let words = search::words_of(tx, &[id]).await?;
    sqlx::query(
        "UPDATE orders SET status = $2, address = $3, name = $4, tracking_number = $5, country = $6, \
         version = version + 1 WHERE id = $1",
    )
    .bind(id)
    .bind(status.as_str())
    .bind(to_json(address)?)
    .bind(&address.name)
    .bind(tracking_number.as_deref())
    .bind(&address.address.country)
    .execute(&mut *tx)
    .await?;
    search::replace(tx, &[id], &words).await?;
    daily_totals::add(tx, id).await?;
    order.version += 1;
    Ok(())
}

/// Saves the refunded amount and the dispute. The order must be locked.
pub async fn set_payment(
    tx: &mut AnyConnection,
    order: &mut StoredOrder,
    refunded: Cents,
    dispute: DisputeStatus,
) -> Result<(), Error> {
    let (id, payment) = (&order.id, Payment::of(order.total, refunded, dispute));
    daily_totals::subtract(tx, id).await?;
    sqlx::query("UPDATE orders SET payment_status = $2, refunded = $3, dispute = $4 WHERE id = $1")
        .bind(id)
        .bind(payment.status.as_str())
        .bind(payment.refunded.cents())
        .bind(payment.dispute.as_str())
        .execute(&mut *tx)
        .await?;
    daily_totals::add(tx, id).await?;
    order.payment = Payment { card: order.payment.card.take(), ..payment };
    Ok(())
}

pub fn status(word: &str) -> Result<OrderStatus, Error> {
    word.parse().map_err(|_| Error::internal(format!("unknown order status {word}")))
}

pub fn payment_status(word: &str) -> Result<PaymentStatus, Error> {
    word.parse().map_err(|_| Error::internal(format!("unknown payment status {word}")))
}

/// Saves why the order is on hold.
pub async fn set_hold(tx: &mut AnyConnection, id: &str, hold: Option<HoldReason>) -> Result<(), Error> {
    let update = sqlx::query("UPDATE orders SET hold = $2 WHERE id = $1");
    update.bind(id).bind(hold.map(HoldReason::as_str)).execute(tx).await?;
    Ok(())
}

pub fn hold_reason(word: &str) -> Result<HoldReason, Error> {
    word.parse().map_err(|_| Error::internal(format!("unknown reason of a hold {word}")))
}

pub fn dispute_status(word: &str) -> Result<DisputeStatus, Error> {
    word.parse().map_err(|_| Error::internal(format!("unknown dispute status {word}")))
}

pub(super) fn order_of(row: &AnyRow, items: Vec<OrderItem>) -> Result<StoredOrder, Error> {
    Ok(StoredOrder {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        created_at: row.try_get("created_at")?,
        user_email: row.try_get("user_email")?,
        version: row.try_get("version")?,
        status: status(row.try_get("status")?)?,
        address: from_json(row.try_get("address")?)?,
        billing_address: from_json(row.try_get("billing_address")?)?,
        tracking_number: row.try_get("tracking_number")?,
        subtotal: Cents::from_cents(row.try_get("subtotal")?),
        shipping_cost: Cents::from_cents(row.try_get("shipping")?),
        tax: Cents::from_cents(row.try_get("tax")?),
        total: Cents::from_cents(row.try_get("total")?),
        tax_breakdown: from_json(row.try_get("tax_breakdown")?)?,
        items,
        payment: Payment {
            status: payment_status(row.try_get("payment_status")?)?,
            refunded: Cents::from_cents(row.try_get("refunded")?),
            dispute: dispute_status(row.try_get("dispute")?)?,
            card: card_of(row)?,
        },
        hold_reason: hold_of(row)?,
    })
}

/// An item from a line of an order or of a checkout.
pub fn item_of_line(row: &AnyRow) -> Result<OrderItem, Error> {
    Ok(OrderItem {
        product_id: row.try_get("product_id")?,
        product_name: row.try_get("product_name")?,
        quantity: row.try_get("quantity")?,
        price: Cents::from_cents(row.try_get("price")?),
        warranty_months: row.try_get("warranty_months")?,
    })
}

/// The items of these orders, by the order's id.
pub(super) async fn list_items_of<'a>(
    pool: &AnyPool,
    orders: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, Vec<OrderItem>>, Error> {
    let (ids, bound) = in_list(orders.map(str::to_owned))?;
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let select = format!(
        "SELECT order_id, product_id, product_name, quantity, price, warranty_months FROM order_lines \
         WHERE order_id IN ({ids}) ORDER BY order_id, position"
    );
    group_items(&sqlx::query_with(AssertSqlSafe(select), bound).fetch_all(pool).await?)
}

/// The items of these rows, by the order's id.
pub(super) fn group_items(rows: &[AnyRow]) -> Result<HashMap<String, Vec<OrderItem>>, Error> {
    let mut items: HashMap<String, Vec<OrderItem>> = HashMap::new();
    for row in rows {
        items.entry(row.try_get("order_id")?).or_default().push(item_of_line(row)?);
    }
    Ok(items)
}

/// Why the order is on hold, whether it is shipped or not.
pub(super) fn hold_of(row: &AnyRow) -> Result<Option<HoldReason>, Error> {
    row.try_get::<Option<String>, _>("hold")?.map(|word| hold_reason(&word)).transpose()
}

fn card_of(row: &AnyRow) -> Result<Option<Card>, Error> {
    let (brand, last4): (Option<String>, Option<String>) = (row.try_get("card_brand")?, row.try_get("card_last4")?);
    Ok(brand.zip(last4).map(|(brand, last4)| Card { brand, last4 }))
}
