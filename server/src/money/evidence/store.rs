//! What the evidence needs besides the order: the customer's account, previous orders and sent emails.

use sqlx::{AnyConnection, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::{OrderStatus, PaymentStatus};

use crate::error::Error;
use crate::mail::EmailKind;
use crate::orders::store::{payment_status, status};

/// The account that placed an order.
pub struct Account {
    pub user_id: String,
    /// The current email address, which may have changed since the order.
    pub email: String,
    pub registered_at: i64,
    pub confirmed_at: Option<i64>,
    /// When the order was placed.
    pub ordered_at: i64,
}

pub struct Previous {
    pub number: i64,
    pub created_at: i64,
    pub total: Cents,
    pub status: OrderStatus,
    pub payment: PaymentStatus,
}

pub struct Sent {
    pub kind: EmailKind,
    pub to: String,
    pub created_at: i64,
    pub sent_at: i64,
}

pub async fn load_account(connection: &mut AnyConnection, order_id: &str) -> Result<Account, Error> {
    let row = sqlx::query(
        "SELECT u.id, u.email, u.created_at, u.confirmed_at, o.created_at AS ordered_at \
         FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = $1",
    )
    .bind(order_id)
    .fetch_one(connection)
    .await?;
    Ok(Account {
        user_id: row.try_get("id")?,
        email: row.try_get("email")?,
        registered_at: row.try_get("created_at")?,
        confirmed_at: row.try_get("confirmed_at")?,
        ordered_at: row.try_get("ordered_at")?,
    })
}

/// Lists the latest orders of the account before this time, and counts them all.
pub async fn list_previous(
    connection: &mut AnyConnection,
    account: &Account,
    limit: i64,
) -> Result<(Vec<Previous>, i64), Error> {
    let total = sqlx::query_scalar("SELECT COUNT(*) FROM orders WHERE user_id = $1 AND created_at < $2")
        .bind(&account.user_id)
        .bind(account.ordered_at)
        .fetch_one(&mut *connection)
        .await?;
    let rows = sqlx::query(
        "SELECT number, created_at, total, status, payment_status FROM orders \
         WHERE user_id = $1 AND created_at < $2 ORDER BY created_at DESC, id DESC LIMIT $3",
    )
    .bind(&account.user_id)
    .bind(account.ordered_at)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    let orders = rows.iter().map(|row| {
        Ok(Previous {
            number: row.try_get("number")?,
            created_at: row.try_get("created_at")?,
            total: Cents::from_cents(row.try_get("total")?),
            status: status(row.try_get("status")?)?,
            payment: payment_status(row.try_get("payment_status")?)?,
        })
    });
    Ok((orders.collect::<Result<_, Error>>()?, total))
}

/// Lists the emails about the order that were sent to these addresses since it was placed, oldest first.
pub async fn list_sent(
    connection: &mut AnyConnection,
    order_id: &str,
    recipients: [&str; 2],
    ordered_at: i64,
) -> Result<Vec<Sent>, Error> {
    let rows = sqlx::query(
        "SELECT kind, recipient, created_at, sent_at FROM outbox WHERE recipient IN ($1, $2) AND created_at >= $3 \
         AND order_id = $4 AND sent_at IS NOT NULL ORDER BY created_at, id",
    )
    .bind(recipients[0])
    .bind(recipients[1])
    .bind(ordered_at)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Sent {
                kind: EmailKind::of(row.try_get("kind")?),
                to: row.try_get("recipient")?,
                created_at: row.try_get("created_at")?,
                sent_at: row.try_get("sent_at")?,
            })
        })
        .collect()
}
