//! Nobody who paid is left without an order, and no stock stays reserved for nobody: every open checkout is
//! compared with the provider until it is settled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use wasm_core::money::Cents;

use super::finalize::finalize;
use super::provider::{Budget, Cancellation, IntentState, Refund};
use super::store::{self, Checkout, CloseReason};
use super::webhook::{self, Note, Noted};
use super::{disputes, refund, unknown_payment};
use crate::http::error::Error;
use crate::infra::clock::{DAY, SECOND};
use crate::orders::store as orders;
use crate::shop::Shop;
use crate::shop_metadata;

/// How old an open checkout is before the reconciler looks at it.
pub const SETTLE_MS: i64 = 10 * SECOND;
/// How far before the last comparison the next one begins: for clocks that differ, and for what the provider lists
/// late.
const OVERLAP_MS: i64 = 3 * DAY;

const EXPIRY_EVERY: Duration = Duration::from_secs(5);
const RECONCILE_EVERY: Duration = Duration::from_secs(60);

/// Runs until the shop stops: expiry and stored events every 5 s; open payments, refunds and disputes at the start and
/// each minute. Neither waits for the other: a shop that was down for long has many pages of refunds to read.
pub async fn run(shop: Arc<Shop>) {
    let repeated = async { tokio::join!(keep_expiring(&shop), keep_comparing(&shop)) };
    tokio::select! {
        () = shop.stopping.cancelled() => {}
        _ = repeated => {}
    }
}

async fn keep_expiring(shop: &Arc<Shop>) {
    let mut tick = tokio::time::interval(EXPIRY_EVERY);
    loop {
        tick.tick().await;
        if let Err(error) = expire(shop).await {
            tracing::error!(%error, "checkouts could not be expired; it will be tried again");
        }
    }
}

async fn keep_comparing(shop: &Arc<Shop>) {
    let mut tick = tokio::time::interval(RECONCILE_EVERY);
    loop {
        tick.tick().await;
        let result = compare(shop, SETTLE_MS).await;
        shop.metrics.count_reconciler_run(result.as_ref().is_ok_and(|compared| compared.failures.is_empty()));
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
    pub(super) fn note(&mut self, what: &str, result: Result<(), Error>) {
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
    let begun = shop.clock.now_ms();
    let Some(since) = find_compared_since(shop).await? else {
        return Ok(compared);
    };
    let failures = compared.failures.len();
    let refunds = reconcile_refunds(shop, since, &mut compared).await;
    compared.note("Refunds", refunds);
    let disputes = disputes::reconcile(shop, since, &mut compared).await;
    compared.note("Disputes", disputes);
    if compared.failures.len() == failures {
        shop.db
            .write_closure(move |tx| {
                Box::pin(async move { shop_metadata::set(tx, shop_metadata::RECONCILED, &begun.to_string()).await })
            })
            .await?;
    }
    Ok(compared)
}

/// From when on refunds and disputes are compared: some time before the last comparison that succeeded, or else all
/// that there can be. `None` while there are no orders.
async fn find_compared_since(shop: &Shop) -> Result<Option<i64>, Error> {
    let Some(oldest) = orders::find_oldest(shop.db.read()).await? else {
        return Ok(None);
    };
    let compared = shop_metadata::find(shop.db.read(), shop_metadata::RECONCILED).await?;
    let compared = compared.and_then(|at| at.parse().ok()).unwrap_or(oldest);
    // A clock that was set back must not leave anything out.
    Ok(Some(compared.min(shop.clock.now_ms()) - OVERLAP_MS))
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
/// between the provider's answer and the order. What a bank did not take is on the order as well.
///
/// The list tells of a stretch of time and the order of all its refunds, so that their sums say nothing of each other:
/// for each payment with a refund that this process has not seen yet, the provider is asked how much has gone back.
async fn reconcile_refunds(shop: &Arc<Shop>, since: i64, compared: &mut Comparison) -> Result<(), Error> {
    let mut by_intent: BTreeMap<String, Vec<Refund>> = BTreeMap::new();
    for refund in shop.provider.list_refunds_since(since).await? {
        if let Some(intent_id) = refund.intent_id.clone() {
            by_intent.entry(intent_id).or_default().push(refund);
        }
    }
    let mut seen = BTreeSet::new();
    for (intent_id, refunds) in by_intent {
        let left = orders::find_unrefunded(shop.db.read(), &intent_id).await?;
        let are_new = !shop.seen_refunds.have_all(&refunds);
        if are_new && left.is_some_and(|left| left > Cents::ZERO) {
            let told = Refund::sum(&refunds)?;
            let followed =
                refund::follow_provider(shop, Budget::start(), &intent_id, Some(told), &Note::none()).await.map(drop);
            let is_known = followed.is_ok();
            compared.note(&format!("Refunds of {intent_id}"), followed);
            if !is_known {
                continue;
            }
        }
        if left.is_none() {
            continue;
        }
        for refund in refunds {
            if refund.has_failed && !shop.seen_refunds.have_all(std::slice::from_ref(&refund)) {
                let marked = refund::mark_failed(shop, &intent_id, &refund.id, &Note::none()).await.map(drop);
                let is_marked = marked.is_ok();
                compared.note(&format!("Refund {}", refund.id), marked);
                if !is_marked {
                    continue;
                }
            }
            seen.insert((refund.id, refund.has_failed));
        }
    }
    shop.seen_refunds.replace(seen);
    Ok(())
}

/// The refunds that the last comparison of this process took into account: the provider need not be asked about their
/// payments again. Each with whether it had failed.
#[derive(Default)]
pub struct SeenRefunds(Mutex<BTreeSet<(String, bool)>>);

impl SeenRefunds {
    fn have_all(&self, refunds: &[Refund]) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        refunds.iter().all(|refund| seen.contains(&(refund.id.clone(), refund.has_failed)))
    }

    fn replace(&self, seen: BTreeSet<(String, bool)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }
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
        .write_closure(move |tx| {
            let (id, note) = (id.clone(), note.clone());
            Box::pin(async move {
                store::close(tx, &id, reason, now).await?;
                note.write(tx).await
            })
        })
        .await
}
