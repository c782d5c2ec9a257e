//! Sends the email about low stock.

use std::time::Duration;

use app::mail::ShopInfo;
use sqlx::AnyConnection;

use super::store;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, Enqueued, OutgoingMail};

pub const INTERVAL: Duration = Duration::from_secs(60);

/// Enqueues the email of the day if a product fell to its threshold and is in no earlier email.
///
/// # Errors
/// The database's error.
pub async fn notify(state: &Catalog) -> Result<(), Error> {
    if store::has_recovered(state.db.read()).await? {
        state.db.write((), |tx, ()| Box::pin(store::forget_recovered(tx))).await?;
    }
    let Some(to) = state.settings.get().low_stock_recipient().map(str::to_owned) else { return Ok(()) };
    if !store::has_unreported(state.db.read()).await? {
        return Ok(());
    }
    let now = state.clock.now_ms();
    let day = state.settings.get().zone().day_text_of(now);
    let email = Email { to, mail_shop: state.settings.mail_shop(), day, now };
    state.db.write(email, |tx, email| Box::pin(email.enqueue(tx))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

struct Email {
    to: String,
    mail_shop: ShopInfo,
    day: String,
    now: i64,
}

impl Email {
    /// The key allows one email a day. A product that falls to its threshold after it is reported the next day.
    async fn enqueue(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let products = store::list_low(tx).await?;
        let lines: Vec<(String, i64)> =
            products.iter().map(|product| (product.name.clone(), product.available)).collect();
        let mail = app::mail::low_stock(&self.mail_shop, &lines);
        let dedupe_key = format!("low-stock:{}", self.day);
        let (kind, to) = (EmailKind::LowStock, self.to.clone());
        let outgoing = OutgoingMail { kind, order_id: None, dedupe_key, to, mail };
        if outbox::enqueue_once(tx, self.now, &outgoing).await? == Enqueued::Duplicate {
            return Ok(());
        }
        for product in &products {
            store::mark_notified(tx, &product.id, self.now).await?;
        }
        Ok(())
    }
}
