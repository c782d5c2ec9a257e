//! Takes mails out of the outbox and delivers them; what cannot be delivered now is tried again.

use std::sync::Arc;
use std::time::Duration;

use super::delivery::Delivery;
use super::outbox;
use crate::error::Error;
use crate::shop::Shop;

const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Runs until the shop stops.
pub async fn run(shop: Arc<Shop>, delivery: Delivery) {
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            () = shop.mail_waiting.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
        if let Err(error) = send_due(&shop, &delivery).await {
            tracing::error!(%error, "mail could not be sent; it stays in the outbox");
        }
    }
}

async fn send_due(shop: &Arc<Shop>, delivery: &Delivery) -> Result<(), Error> {
    loop {
        let now = shop.clock.now_ms();
        let due = shop.db.write(move |tx| Box::pin(async move { outbox::claim(tx, now).await })).await?;
        if due.is_empty() {
            return Ok(());
        }
        for waiting in due {
            match delivery.deliver(&waiting, &shop.config).await {
                Ok(()) => mark_sent(shop, waiting.id).await?,
                Err(error) => tracing::warn!(mail = waiting.id, %error, "a mail could not be delivered yet"),
            }
        }
    }
}

async fn mark_sent(shop: &Shop, id: String) -> Result<(), Error> {
    let now = shop.clock.now_ms();
    shop.db
        .write(move |tx| {
            let id = id.clone();
            Box::pin(async move { outbox::mark_sent(tx, &id, now).await })
        })
        .await
}
