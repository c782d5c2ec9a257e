//! Raises alerts about orders and payments: written, and emailed to the shopkeeper, in the transaction of their cause.

use app::mail::{Mail, ShopInfo};
use sqlx::AnyConnection;
use wasm_core::money::Cents;

use super::store::StoredCheckout;
use crate::checkout::Checkout;
use crate::error::Error;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};
use crate::orders::alerts::store::{self, Subject};
use crate::orders::alerts::{Alert, QuotedPayment};
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::store as orders;
use crate::time_zone;

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
        match self.addressed(notification) {
            Some(mail) => outbox::enqueue(tx, now, mail).await,
            None => Ok(()),
        }
    }

    /// The email to the shopkeeper's address, if there is one.
    pub fn addressed(&self, notification: Notification<'_>) -> Option<OutgoingMail> {
        let to = self.email.clone()?;
        let Notification { kind, order_id, dedupe_key, mail } = notification;
        Some(OutgoingMail { kind, order_id: order_id.map(str::to_owned), dedupe_key, to, mail })
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

/// Raises an alert on an order. One that is already open changes nothing.
pub async fn raise(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order_id: &str,
    alert: &Alert,
    now: i64,
) -> Result<(), Error> {
    if !store::insert(tx, Subject::Order(order_id), alert, now).await? {
        return Ok(());
    }
    history::insert(tx, order_id, orders::SHOP_ACTOR, HistoryEvent::AlertRaised(alert.clone()), now).await?;
    let order = orders::load_order(tx, order_id).await?;
    let shown = order.for_customer(time_zone::store::load(&mut *tx).await?);
    let mail = app::mail::order_alert(&shopkeeper.mail_shop, &shown, &order.user_email, &alert.message());
    notify(tx, shopkeeper, Some(order_id), alert, mail, now).await
}

/// Raises an alert about a payment without an order. `subject` is that of the email.
pub async fn raise_about_payment(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    (payment, subject): (&str, &str),
    alert: &Alert,
    now: i64,
) -> Result<(), Error> {
    if !store::insert(tx, Subject::Payment(payment), alert, now).await? {
        return Ok(());
    }
    let mail = app::mail::alert(&shopkeeper.mail_shop, subject, &alert.message());
    notify(tx, shopkeeper, None, alert, mail, now).await
}

async fn notify(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order_id: Option<&str>,
    alert: &Alert,
    mail: Mail,
    now: i64,
) -> Result<(), Error> {
    let notification =
        Notification { kind: EmailKind::Alert, order_id, dedupe_key: format!("alert:{}", alert.key()?), mail };
    shopkeeper.notify(tx, notification, now).await
}

/// The payment of a checkout that has no order.
pub fn quoted_payment(checkout: &StoredCheckout) -> QuotedPayment {
    QuotedPayment {
        payment: checkout.payment_intent_id.clone().unwrap_or_else(|| checkout.id.clone()),
        total: checkout.total.map(Cents::cents),
        email: checkout.user_email.clone(),
    }
}
