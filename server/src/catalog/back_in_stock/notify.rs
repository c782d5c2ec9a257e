//! Sends the emails of products that are back.

use std::time::Duration;

use app::mail::ShopInfo;
use sqlx::AnyConnection;

use super::store::{self, Waiting};
use crate::catalog::Catalog;
use crate::catalog::products::store::{find_product, lock_product};
use crate::error::Error;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

pub const INTERVAL: Duration = Duration::from_secs(5);
/// Emails for each available unit: not everyone buys, and nobody wants an email about a product that is gone again.
const EMAILS_PER_UNIT: i64 = 3;
/// Emails per transaction: few, so that other writes do not wait.
const BATCH: i64 = 100;

pub async fn notify_waiting(state: &Catalog) -> Result<(), Error> {
    if store::has_ended_rounds(state.db.read()).await? {
        state.db.write((), |tx, ()| Box::pin(store::delete_ended_rounds(tx))).await?;
    }
    for product_id in store::list_available_products(state.db.read()).await? {
        let args = (product_id, state.settings.mail_shop(), state.clock.now_ms());
        let notify = state.db.write(args, |tx, (id, mail_shop, now)| Box::pin(notify_batch(tx, id, mail_shop, *now)));
        if notify.await? > 0 {
            state.mail_enqueued.notify_one();
        }
    }
    Ok(())
}

/// Enqueues the next emails of a product and deletes their addresses, in one transaction. Returns their number; the next
/// tick sends the next batch.
async fn notify_batch(
    tx: &mut AnyConnection,
    product_id: &str,
    mail_shop: &ShopInfo,
    now: i64,
) -> Result<usize, Error> {
    lock_product(tx, product_id).await?;
    let Some(product) = find_product(tx, product_id).await?.filter(|product| product.active) else { return Ok(0) };
    let left = product.available * EMAILS_PER_UNIT - store::load_notified(tx, product_id).await?;
    let waiting = store::list_waiting(tx, product_id, left.clamp(0, BATCH)).await?;
    if waiting.is_empty() {
        return Ok(0);
    }
    for Waiting { id, email } in &waiting {
        let mail = app::mail::back_in_stock(mail_shop, &product);
        let (kind, dedupe_key) = (EmailKind::BackInStock, format!("back-in-stock:{id}"));
        let outgoing = OutgoingMail { kind, order_id: None, dedupe_key, to: email.clone(), mail };
        outbox::enqueue(tx, now, outgoing).await?;
        store::delete_notified(tx, id).await?;
    }
    let notified = i64::try_from(waiting.len()).map_err(Error::internal)?;
    store::add_notified(tx, product_id, notified).await?;
    Ok(waiting.len())
}
