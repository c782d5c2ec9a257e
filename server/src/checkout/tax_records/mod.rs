//! What the provider is told of each sale it calculated the tax of: the sale once its order exists, and every
//! refund. A record is a row in the transaction that makes the order or books the refund, and this works the rows
//! off until each is told. An order never waits for it and never fails by it.

pub mod store;

use std::sync::Arc;
use std::time::Duration;

use wasm_core::money::Cents;

use self::store::{Due, Settled};
use super::alerts::{self, Reason, Shopkeeper};
use super::provider::Budget;
use crate::http::error::Error;
use crate::shop::Shop;

const LOOK: Duration = Duration::from_secs(5);
/// With pauses that grow by the square of the tries this is eleven hours: less than the day for which the provider
/// remembers an idempotency key, so that no record can come to be twice.
const GIVE_UP_AFTER: i64 = 12;

/// Runs until the shop stops.
pub async fn run(shop: Arc<Shop>) {
    let mut tick = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            _ = tick.tick() => {}
        }
        if let Err(error) = work_off(&shop).await {
            tracing::error!(%error, "tax records could not be worked on; it will be tried again");
        }
    }
}

/// Tells the provider of everything that is due. What it took is written down for all that were due together: who is
/// told again after a crash knows the record by its key.
pub async fn work_off(shop: &Arc<Shop>) -> Result<(), Error> {
    loop {
        let now = shop.clock.now_ms();
        let due = shop.db.write_closure(move |tx| Box::pin(async move { store::claim(tx, now).await })).await?;
        if due.is_empty() {
            return Ok(());
        }
        let mut told = Vec::with_capacity(due.len());
        for record in due {
            if shop.stopping.is_cancelled() {
                break;
            }
            let reference = record.reference.clone();
            if let Some(provider_id) = tell(shop, record).await? {
                told.push((reference, provider_id));
            }
        }
        settle(shop, told).await?;
        if shop.stopping.is_cancelled() {
            return Ok(());
        }
    }
}

/// The provider's name for the record, if it took it.
async fn tell(shop: &Arc<Shop>, record: Due) -> Result<Option<String>, Error> {
    let budget = Budget::start();
    let told = match &record.reversed {
        None => shop.provider.record_tax(budget, &record.calculation_id, &record.reference).await,
        Some(reversal) => {
            let (original, amount) = (reversal.original.as_str(), reversal.amount);
            shop.provider.reverse_tax(budget, original, amount, &record.reference).await
        }
    };
    match told {
        Ok(provider_id) => Ok(Some(provider_id)),
        Err(error) if record.attempts < GIVE_UP_AFTER => {
            tracing::warn!(reference = record.reference, %error, "a tax record could not be made yet");
            Ok(None)
        }
        Err(error) => {
            tracing::error!(reference = record.reference, %error, "a tax record is given up");
            give_up(shop, record).await.map(|()| None)
        }
    }
}

async fn settle(shop: &Shop, told: Vec<(String, String)>) -> Result<(), Error> {
    if told.is_empty() {
        return Ok(());
    }
    shop.db
        .write_closure(move |tx| {
            let told = told.clone();
            Box::pin(async move {
                for (reference, provider_id) in told {
                    store::settle(tx, &reference, &Settled::Done(provider_id)).await?;
                }
                Ok(())
            })
        })
        .await
}

/// From here on it is for somebody to do by hand.
async fn give_up(shop: &Arc<Shop>, record: Due) -> Result<(), Error> {
    let now = shop.clock.now_ms();
    let shopkeeper = Shopkeeper::of(shop);
    let reason = Reason {
        key: format!("tax:{}", record.reference),
        what: sentence(record.reversed.as_ref().map(|reversal| reversal.amount)),
    };
    shop.db
        .write_closure(move |tx| {
            let (record, shopkeeper, reason) = (record.clone(), shopkeeper.clone(), reason.clone());
            Box::pin(async move {
                store::settle(tx, &record.reference, &Settled::GivenUp).await?;
                alerts::raise(tx, &shopkeeper, &record.order_id, &reason, now).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(())
}

fn sentence(reversed: Option<Cents>) -> String {
    match reversed {
        None => "The tax of this sale could not be recorded at the payment provider.".to_owned(),
        Some(amount) => {
            format!("The refund of {amount} could not be taken out of the tax records at the payment provider.")
        }
    }
}
