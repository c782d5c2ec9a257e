//! Nobody who paid is left without an order, and no stock stays reserved for nobody: every open checkout is
//! compared with the provider until it is settled.

use std::sync::Arc;
use std::time::Duration;

use super::finalize::finalize;
use super::provider::{Budget, Cancellation, IntentState};
use super::refund;
use super::store::{self, Checkout};
use super::webhook::{self, Note, Noted};
use crate::clock::SECOND;
use crate::error::Error;
use crate::orders::store as orders;
use crate::shop::Shop;

/// How old an open checkout is before the reconciler looks at it.
const SETTLE_MS: i64 = 10 * SECOND;

const EXPIRY_EVERY: Duration = Duration::from_secs(5);
const RECONCILE_EVERY: Duration = Duration::from_secs(60);

/// Runs until the shop stops: expiry and stored events every 5 s; open payments and refunds at the start and each
/// minute.
pub async fn run(shop: Arc<Shop>) {
    let mut expiry = tokio::time::interval(EXPIRY_EVERY);
    let mut reconcile = tokio::time::interval(RECONCILE_EVERY);
    loop {
        let result = tokio::select! {
            () = shop.stopping.cancelled() => return,
            _ = expiry.tick() => expire(&shop).await,
            _ = reconcile.tick() => {
                let result = compare(&shop).await;
                shop.metrics.count_reconciler_run(&result);
                result
            }
        };
        if let Err(error) = result {
            tracing::error!(%error, "reconciling failed; it will be tried again");
        }
    }
}

/// Payments and refunds, as the provider has them.
pub async fn compare(shop: &Arc<Shop>) -> Result<(), Error> {
    reconcile_open(shop).await?;
    reconcile_refunds(shop).await
}

/// Cancels what has run out of time, at the provider first; only then is the stock free again.
pub async fn expire(shop: &Arc<Shop>) -> Result<(), Error> {
    webhook::apply_pending(shop).await?;
    for checkout in store::list_expired(shop.db.read(), shop.clock.now_ms()).await? {
        if let Err(error) = expire_one(shop, &checkout).await {
            tracing::warn!(checkout = checkout.id, %error, "a checkout could not be expired yet");
        }
    }
    Ok(())
}

async fn expire_one(shop: &Arc<Shop>, checkout: &Checkout) -> Result<(), Error> {
    let Some(intent_id) = &checkout.payment_intent_id else {
        return close(shop, checkout, &Note::none()).await;
    };
    match shop.provider.cancel_intent(Budget::start(), intent_id).await? {
        Cancellation::Canceled => close(shop, checkout, &Note::none()).await,
        Cancellation::AlreadyPaid => webhook::settled(finalize(shop, intent_id, &Note::none()).await).map(drop),
    }
}

/// Looks at every open payment that is older than [`SETTLE_MS`].
pub async fn reconcile_open(shop: &Arc<Shop>) -> Result<(), Error> {
    let before = shop.clock.now_ms() - SETTLE_MS;
    for intent_id in store::list_open_intents(shop.db.read(), before).await? {
        if let Err(error) = settle_intent(shop, &intent_id, &Note::none()).await {
            tracing::warn!(intent = intent_id, %error, "a payment could not be reconciled yet");
        }
    }
    Ok(())
}

/// Takes over what was refunded while no event told of it: at the provider's own desk, or by a process that died
/// between the provider's answer and the order.
pub async fn reconcile_refunds(shop: &Arc<Shop>) -> Result<(), Error> {
    for (intent_id, amount) in shop.provider.list_newest_refunds(Budget::start()).await? {
        let known = orders::find_refunded(shop.db.read(), &intent_id).await?;
        if known.is_some_and(|known| known < amount) {
            refund::follow_provider(shop, Budget::start(), &intent_id, Some(amount), &Note::none()).await?;
        }
    }
    Ok(())
}

/// Brings one open checkout in line with its intent, and notes the event that told of it.
pub async fn settle_intent(shop: &Arc<Shop>, intent_id: &str, note: &Note) -> Result<Noted, Error> {
    let checkout = store::find_by_intent(shop.db.read(), intent_id).await?;
    let Some(checkout) = checkout.filter(|checkout| checkout.state == store::State::Open) else {
        return Ok(Noted::NotYet);
    };
    let intent = shop.provider.retrieve_intent(Budget::start(), intent_id).await?;
    match intent.state {
        IntentState::Succeeded => webhook::settled(finalize(shop, intent_id, note).await),
        IntentState::Canceled => close(shop, &checkout, note).await.map(|()| Noted::Here),
        IntentState::Unpaid => Ok(Noted::NotYet),
    }
}

async fn close(shop: &Shop, checkout: &Checkout, note: &Note) -> Result<(), Error> {
    let (id, note) = (checkout.id.clone(), note.clone());
    shop.db
        .write(move |tx| {
            let (id, note) = (id.clone(), note.clone());
            Box::pin(async move {
                store::release(tx, &id, store::State::Closed).await?;
                note.write(tx).await
            })
        })
        .await
}
