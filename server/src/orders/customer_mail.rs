//! Mail to an order's customer: put into the outbox, and noted in the order's history.

use app::mail::Mail;
use sqlx::AnyConnection;
use wasm_core::orders::Order;

use super::store;
use crate::http::error::Error;
use crate::mail::outbox::{self, Enqueued, OutgoingMail};

/// Who writes what no person does.
const SHOP: &str = "shop";

/// Puts it into the outbox once for each key, whoever tells the customer first.
pub async fn send(
    tx: &mut AnyConnection,
    order: &Order,
    dedupe_key: String,
    mail: Mail,
    now: i64,
) -> Result<(), Error> {
    let what = format!("Mail to the customer: {}", mail.subject);
    let to = order.user_email.clone().unwrap_or_default();
    match outbox::enqueue_once(tx, now, &OutgoingMail { dedupe_key, to, mail }).await? {
        Enqueued::New => store::insert_history(tx, &order.id, SHOP, &what, now).await,
        Enqueued::Duplicate => Ok(()),
    }
}
