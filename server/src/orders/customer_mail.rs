//! Emails to an order's customer: put into the outbox and recorded in the order's history.

use app::mail::Mail;
use sqlx::AnyConnection;
use wasm_core::orders::Order;

use super::store;
use crate::http::error::Error;
use crate::mail::outbox::{self, Enqueued, OutgoingMail};

/// Sends the email once for each deduplication key.
pub async fn send(
    tx: &mut AnyConnection,
    order: &Order,
    dedupe_key: String,
    mail: Mail,
    now: i64,
) -> Result<(), Error> {
    let message = format!("Email to customer: {}", mail.subject);
    let to = order.user_email.clone().unwrap_or_default();
    match outbox::enqueue_once(tx, now, &OutgoingMail { dedupe_key, to, mail }).await? {
        Enqueued::New => store::insert_history(tx, &order.id, store::SHOP_ACTOR, &message, now).await,
        Enqueued::Duplicate => Ok(()),
    }
}

/// Sends an email that the customer already got, for an administrator.
pub async fn send_again(
    tx: &mut AnyConnection,
    order: &Order,
    dedupe_key: String,
    mail: Mail,
    actor: &str,
    now: i64,
) -> Result<(), Error> {
    let message = format!("Email sent again to customer: {}", mail.subject);
    let to = order.user_email.clone().unwrap_or_default();
    outbox::enqueue(tx, now, OutgoingMail { dedupe_key, to, mail }).await?;
    store::insert_history(tx, &order.id, actor, &message, now).await
}
