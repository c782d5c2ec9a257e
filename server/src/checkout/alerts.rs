//! Alerts: orders and payments that an administrator must review. An alert is written, and emailed to the shopkeeper,
//! in the transaction of its cause. An order's alert stays on the order until it is resolved.

use app::mail::{Mail, ShopInfo};
use sqlx::AnyConnection;

use super::store::{self, StoredCheckout};
use crate::checkout::Checkout;
use crate::error::Error;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};
use crate::orders::alerts::Alert;
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::store as orders;

/// The recipient of the shop's own emails; none if no address is configured.
#[derive(Clone)]
pub struct Shopkeeper {
    pub mail_shop: ShopInfo,
    pub email: Option<String>,
}

impl Shopkeeper {
    pub fn of(state: &Checkout) -> Self {
        Self { mail_shop: state.settings.mail_shop(), email: state.settings.get().orders_email.clone() }
    }

    /// Puts an email to the shopkeeper into the outbox, once for each key.
    pub async fn notify(&self, tx: &mut AnyConnection, notification: Notification<'_>, now: i64) -> Result<(), Error> {
        let Some(to) = self.email.clone() else {
            return Ok(());
        };
        let Notification { kind, order_id, dedupe_key, mail } = notification;
        let order_id = order_id.map(str::to_owned);
        outbox::enqueue(tx, now, OutgoingMail { kind, order_id, dedupe_key, to, mail }).await
    }
}

/// An email to the shopkeeper.
pub struct Notification<'a> {
    pub kind: EmailKind,
    /// The order that it is about.
    pub order_id: Option<&'a str>,
    pub dedupe_key: String,
    pub mail: Mail,
}

/// An alert about a payment that has no order.
#[derive(Clone)]
pub struct PaymentAlert {
    /// Deduplication key, also after the alert was resolved.
    subject: String,
    title: &'static str,
    message: String,
}

impl PaymentAlert {
    /// `predicate` completes the message that begins with the payment.
    pub fn new(checkout: &StoredCheckout, title: &'static str, predicate: &str) -> Self {
        let subject = checkout.payment_intent_id.clone().unwrap_or_else(|| checkout.id.clone());
        let total = checkout.total.map(|total| format!(" of {total}")).unwrap_or_default();
        let message = format!("Payment {subject}{total} by {} {predicate}", checkout.user_email);
        Self { subject, title, message }
    }

    pub async fn raise(&self, tx: &mut AnyConnection, shopkeeper: &Shopkeeper, now: i64) -> Result<(), Error> {
        store::insert_alert(tx, &self.subject, &self.message, now).await?;
        let mail = app::mail::alert(&shopkeeper.mail_shop, self.title, &self.message);
        let dedupe_key = format!("attention:{}", self.subject);
        let notification = Notification { kind: EmailKind::Alert, order_id: None, dedupe_key, mail };
        shopkeeper.notify(tx, notification, now).await
    }
}

/// Raises an alert on an order. A message that the order already has changes nothing.
pub async fn raise(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order_id: &str,
    alert: &Alert,
    now: i64,
) -> Result<(), Error> {
    let message = alert.message();
    if !orders::add_alert(tx, order_id, &message).await? {
        return Ok(());
    }
    history::insert(tx, order_id, orders::SHOP_ACTOR, HistoryEvent::AlertRaised(alert.clone()), now).await?;
    let order = orders::load_order(tx, order_id).await?;
    let mail = app::mail::order_alert(&shopkeeper.mail_shop, &order, &message);
    let dedupe_key = format!("alert:{}", alert.key());
    let notification = Notification { kind: EmailKind::Alert, order_id: Some(order_id), dedupe_key, mail };
    shopkeeper.notify(tx, notification, now).await
}
