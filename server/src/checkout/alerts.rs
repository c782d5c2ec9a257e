//! What somebody has to look at: an order says so until an administrator has dealt with it, and the shopkeeper
//! gets a mail, in one transaction with whatever it is about.

use app::mail::{Mail, ShopInfo};
use sqlx::AnyConnection;

use super::store::{self, Checkout};
use super::webhook::SHOP;
use crate::http::error::Error;
use crate::mail::outbox::{self, OutgoingMail};
use crate::orders::store as orders;
use crate::shop::Shop;

/// Why an order needs a person.
#[derive(Clone)]
pub struct Reason {
    /// The same whenever the same thing is told of: one mail, even after somebody has dealt with it.
    pub key: String,
    /// A sentence, for the order, its history and the mail.
    pub what: String,
}

/// Who is told by mail what happens in the shop; nobody, where no address is set.
#[derive(Clone)]
pub struct Shopkeeper {
    pub mail_shop: ShopInfo,
    pub email: Option<String>,
}

impl Shopkeeper {
    pub fn of(shop: &Shop) -> Self {
        Self { mail_shop: shop.mail_shop(), email: shop.config.orders_email.clone() }
    }

    /// Puts a mail to the shopkeeper into the outbox, once for each key.
    pub async fn tell(&self, tx: &mut AnyConnection, dedupe_key: String, mail: Mail, now: i64) -> Result<(), Error> {
        let Some(to) = self.email.clone() else {
            return Ok(());
        };
        outbox::enqueue(tx, now, OutgoingMail { dedupe_key, to, mail }).await
    }
}

/// What has to be looked at where there is no order to show it on.
#[derive(Clone)]
pub struct Alert {
    /// The same whenever the same thing is told of: one alert, even after it was dealt with.
    subject: String,
    title: &'static str,
    what: String,
}

impl Alert {
    /// About a checkout's payment; `what` goes on after its name.
    pub fn about_payment(checkout: &Checkout, title: &'static str, what: &str) -> Self {
        let subject = checkout.payment_intent_id.clone().unwrap_or_else(|| checkout.id.clone());
        let total = checkout.total.map(|total| format!(" of {total}")).unwrap_or_default();
        let what = format!("Payment {subject}{total} by {} {what}", checkout.user_email);
        Self { subject, title, what }
    }

    pub async fn raise(self, tx: &mut AnyConnection, shopkeeper: &Shopkeeper, now: i64) -> Result<(), Error> {
        store::insert_attention(tx, &self.subject, &self.what, now).await?;
        let mail = app::mail::attention(&shopkeeper.mail_shop, self.title, &self.what);
        shopkeeper.tell(tx, format!("attention:{}", self.subject), mail, now).await
    }
}

/// Has an order looked at. While it says so already, the same sentence changes nothing.
pub async fn raise(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order_id: &str,
    reason: &Reason,
    now: i64,
) -> Result<(), Error> {
    let Reason { key, what } = reason;
    if !orders::add_attention(tx, order_id, what).await? {
        return Ok(());
    }
    orders::insert_history(tx, order_id, SHOP, what, now).await?;
    let order = orders::load_order(tx, order_id).await?;
    let mail = app::mail::order_attention(&shopkeeper.mail_shop, &order, what);
    shopkeeper.tell(tx, format!("attention:{key}"), mail, now).await
}
