//! Nobody who paid is left without an order, and no stock stays reserved for nobody: every open checkout is
//! compared with the provider until it is settled.

use std::sync::Arc;
use std::time::Duration;

use super::finalize::finalize;
use super::provider::{Budget, Cancellation, IntentState};
use super::store::{self, Checkout, CloseReason};
use super::webhook::{self, Note, Noted};
use super::{disputes, refund, unknown_payment};
use crate::clock::SECOND;
use crate::error::Error;
use crate::orders::store as orders;
use crate::shop::Shop;

/// How old an open checkout is before the reconciler looks at it.
pub const SETTLE_MS: i64 = 10 * SECOND;

const EXPIRY_EVERY: Duration = Duration::from_secs(5);
const RECONCILE_EVERY: Duration = Duration::from_secs(60);

/// Runs until the shop stops: expiry and stored events every 5 s; open payments, refunds and disputes at the start and
/// each minute.
pub async fn run(shop: Arc<Shop>) {
    let mut expiry = tokio::time::interval(EXPIRY_EVERY);
    let mut reconcile = tokio::time::interval(RECONCILE_EVERY);
    loop {
        let result = tokio::select! {
            () = shop.stopping.cancelled() => return,
            _ = expiry.tick() => expire(&shop).await,
            _ = reconcile.tick() => {
                let result = compare(&shop, SETTLE_MS).await;
                shop.metrics.count_reconciler_run(result.as_ref().is_ok_and(|compared| compared.failures.is_empty()));
                result.map(drop)
            }
        };
        if let Err(error) = result {
            tracing::error!(%error, "reconciling failed; it will be tried again");
        }
    }
}

/// What a comparison with the provider came to.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Open payments, failures included.
    pub payments: usize,
    /// A sentence for each payment that could not be compared, and for the refunds and the disputes.
    pub failures: Vec<String>,
}

impl Comparison {
    fn note(&mut self, what: &str, result: Result<(), Error>) {
        if let Err(error) = result {
            tracing::warn!(what, %error, "could not be compared with the payment provider");
            self.failures.push(format!("{what} could not be compared: {error}"));
        }
    }
}

/// Open payments of at least this age, refunds and disputes, as the provider has them. One that cannot be compared
/// keeps none of the others from it.
///
/// # Errors
/// When the database cannot be read.
pub async fn compare(shop: &Arc<Shop>, min_age_ms: i64) -> Result<Comparison, Error> {
    let mut compared = Comparison::default();
    for intent_id in store::list_open_intents(shop.db.read(), shop.clock.now_ms() - min_age_ms).await? {
        compared.payments += 1;
        let settled = settle_intent(shop, &intent_id, &Note::none()).await.map(drop);
        compared.note(&format!("Payment {intent_id}"), settled);
    }
    compared.note("Refunds", reconcile_refunds(shop).await);
    compared.note("Disputes", disputes::reconcile(shop).await);
    Ok(compared)
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
        return close(shop, checkout, CloseReason::Expired, &Note::none()).await;
    };
    match shop.provider.cancel_intent(Budget::start(), intent_id).await? {
        Cancellation::Canceled => close(shop, checkout, CloseReason::Expired, &Note::none()).await,
        Cancellation::Unknown => unknown_payment::close(shop, checkout, &Note::none()).await,
        Cancellation::AlreadyPaid => webhook::settled(finalize(shop, intent_id, &Note::none()).await).map(drop),
    }
}

/// Takes over what was refunded while no event told of it: at the provider's own desk, or by a process that died
/// between the provider's answer and the order.
async fn reconcile_refunds(shop: &Arc<Shop>) -> Result<(), Error> {
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
    let Some(intent) = shop.provider.find_intent(Budget::start(), intent_id).await? else {
        return unknown_payment::close_if_expired(shop, &checkout, note).await.map(|()| Noted::Here);
    };
    match intent.state {
        IntentState::Succeeded => webhook::settled(finalize(shop, intent_id, note).await),
        IntentState::Canceled => close(shop, &checkout, CloseReason::Canceled, note).await.map(|()| Noted::Here),
        IntentState::Unpaid => Ok(Noted::NotYet),
    }
}

pub(super) async fn close(shop: &Shop, checkout: &Checkout, reason: CloseReason, note: &Note) -> Result<(), Error> {
    let (id, note, now) = (checkout.id.clone(), note.clone(), shop.clock.now_ms());
    shop.db
        .write(move |tx| {
            let (id, note) = (id.clone(), note.clone());
            Box::pin(async move {
                store::close(tx, &id, reason, now).await?;
                note.write(tx).await
            })
        })
        .await
}
