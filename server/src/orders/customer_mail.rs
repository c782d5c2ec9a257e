//! Emails to an order's customer: put into the outbox and recorded in the order's history.

use app::mail::Mail;
use sqlx::AnyConnection;

use super::bulk::store::{self as bulk, NewEntry};
use super::{StoredOrder, store};
use crate::error::Error;
use crate::mail::outbox::{self, Enqueued, OutgoingMail};

/// Sends the email once for each deduplication key.
pub async fn send(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    dedupe_key: String,
    mail: Mail,
    now: i64,
) -> Result<(), Error> {
    let message = history_message(&mail);
    let to = order.user_email.clone();
    match outbox::enqueue_once(tx, now, &OutgoingMail { dedupe_key, to, mail }).await? {
        Enqueued::New => store::insert_history(tx, &order.id, store::SHOP_ACTOR, &message, now).await,
        Enqueued::Duplicate => Ok(()),
    }
}

/// Sends an email that the customer already got, for an administrator.
pub async fn send_again(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    dedupe_key: String,
    mail: Mail,
    actor: &str,
    now: i64,
) -> Result<(), Error> {
    let message = format!("Email sent again to customer: {}", mail.subject);
    let to = order.user_email.clone();
    outbox::enqueue(tx, now, OutgoingMail { dedupe_key, to, mail }).await?;
    store::insert_history(tx, &order.id, actor, &message, now).await
}

/// An email about an order.
pub struct OrderMail<'a> {
    pub order: &'a StoredOrder,
    pub dedupe_key: String,
    pub mail: Mail,
}

/// [`send`] for emails about many orders.
pub async fn send_all(tx: &mut AnyConnection, mails: Vec<OrderMail<'_>>, now: i64) -> Result<(), Error> {
    let (mut outgoing, mut entries) = (Vec::new(), Vec::new());
    for OrderMail { order, dedupe_key, mail } in mails {
        let entry = NewEntry { order_id: &order.id, actor: store::SHOP_ACTOR, message: history_message(&mail) };
        entries.push((dedupe_key.clone(), entry));
        outgoing.push(OutgoingMail { dedupe_key, to: order.user_email.clone(), mail });
    }
    let new = outbox::enqueue_all_once(tx, now, &outgoing).await?;
    let entries: Vec<_> = entries.into_iter().filter(|(key, _)| new.contains(key)).map(|(_, entry)| entry).collect();
    bulk::insert_history(tx, &entries, now).await
}

fn history_message(mail: &Mail) -> String {
    format!("Email to customer: {}", mail.subject)
}
