//! Emails to an order's customer: put into the outbox and recorded in the order's history.

use std::collections::HashMap;

use app::mail::Mail;
use sqlx::AnyConnection;

use super::history::HistoryEvent;
use super::history::store::{self as history, NewEntry};
use super::{StoredOrder, store};
use crate::error::Error;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, Enqueued, OutgoingMail};

/// An email about an order to its customer.
pub struct OrderMail<'a> {
    pub order: &'a StoredOrder,
    pub kind: EmailKind,
    pub dedupe_key: String,
    pub mail: Mail,
}

impl OrderMail<'_> {
    fn sent(&self) -> HistoryEvent {
        HistoryEvent::EmailSent { email: self.kind, subject: self.mail.subject.clone() }
    }

    /// To the current address of the customer's account, which may have changed since the order.
    async fn outgoing(self, tx: &mut AnyConnection) -> Result<OutgoingMail, Error> {
        let addresses = store::list_current_emails(tx, &[&self.order.id]).await?;
        Ok(self.addressed(&addresses))
    }

    fn addressed(self, addresses: &HashMap<String, String>) -> OutgoingMail {
        let Self { order, kind, dedupe_key, mail } = self;
        let to = addresses.get(&order.id).unwrap_or(&order.user_email).clone();
        OutgoingMail { kind, order_id: Some(order.id.clone()), dedupe_key, to, mail }
    }
}

/// The first email about an order that is new, so no earlier one has its key.
pub fn first(mail: OrderMail<'_>) -> (OutgoingMail, HistoryEvent) {
    let event = mail.sent();
    (mail.addressed(&HashMap::new()), event)
}

/// Sends the email once for each deduplication key.
pub async fn send(tx: &mut AnyConnection, mail: OrderMail<'_>, now: i64) -> Result<(), Error> {
    let (order_id, event) = (&mail.order.id, mail.sent());
    let outgoing = mail.outgoing(tx).await?;
    match outbox::enqueue_once(tx, now, &outgoing).await? {
        Enqueued::New => history::insert(tx, order_id, store::SHOP_ACTOR, event, now).await,
        Enqueued::Duplicate => Ok(()),
    }
}

/// Sends an email that the customer already got, for an administrator.
pub async fn send_again(tx: &mut AnyConnection, mail: OrderMail<'_>, actor: &str, now: i64) -> Result<(), Error> {
    let order_id = &mail.order.id;
    let event = HistoryEvent::EmailResent { email: mail.kind, subject: mail.mail.subject.clone() };
    let outgoing = mail.outgoing(tx).await?;
    outbox::enqueue(tx, now, outgoing).await?;
    history::insert(tx, order_id, actor, event, now).await
}

/// [`send`] for many emails.
pub async fn send_all(tx: &mut AnyConnection, mails: Vec<OrderMail<'_>>, now: i64) -> Result<(), Error> {
    let order_ids: Vec<&str> = mails.iter().map(|mail| mail.order.id.as_str()).collect();
    let addresses = store::list_current_emails(tx, &order_ids).await?;
    let (mut outgoing, mut entries) = (Vec::new(), Vec::new());
    for mail in mails {
        let entry = NewEntry { order_id: &mail.order.id, actor: store::SHOP_ACTOR, event: mail.sent() };
        entries.push((mail.dedupe_key.clone(), entry));
        outgoing.push(mail.addressed(&addresses));
    }
    let new = outbox::enqueue_all_once(tx, now, &outgoing).await?;
    let entries: Vec<_> = entries.into_iter().filter(|(key, _)| new.contains(key)).map(|(_, entry)| entry).collect();
    history::insert_all(tx, &entries, now).await
}
