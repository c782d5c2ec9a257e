//! Makes a refund at the provider.
//!
//! The refund is written down before the request, and its id is the idempotency key. An order has at most one such
//! pending refund: the same request joins it, so concurrent requests and retries after a lost response refund once, and
//! another request waits until the provider's list tells whether it was made.

use std::sync::Arc;

use app::mail::ShopInfo;
use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::DisputeStatus;

use super::balance::Balance;
use super::record::{email, record};
use super::request::RefundRequest;
use super::store::{self, Outside, Refund, State};
use super::sync;
use crate::checkout::Checkout;
use crate::checkout::provider::{Deadline, RefundError};
use crate::error::{Code, Error};
use crate::infra::clock::SECOND;
use crate::orders::{StoredOrder, store as orders};

/// Time in which the provider has made a refund or never will: longer than all attempts of a request.
const PENDING_MS: i64 = 30 * SECOND;

/// What to refund.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Everything that is left.
    Remaining,
    Request(RefundRequest),
    /// What a refund was to return that the customer's bank returned, by its id.
    Again {
        failed_id: String,
        outside: Option<Outside>,
    },
}

/// Makes a refund, or records one that was paid outside the provider, and returns it with its order. None if everything
/// is refunded already.
///
/// # Errors
/// 400 for more than what is left, 409 if the order's refunds changed or if the refund can never be made, 503 if the
/// provider fails.
pub async fn make(
    state: &Arc<Checkout>,
    order_id: &str,
    wanted: Wanted,
    actor: &str,
) -> Result<Option<(StoredOrder, Refund)>, Error> {
    let deadline = Deadline::start();
    let intent_id = orders::load_intent_id(state.db.read(), order_id).await?;
    sync::sync_order(state, deadline, order_id, &intent_id).await?;
    let args = (order_id.to_owned(), wanted, actor.to_owned(), state.clock.now_ms());
    let begun = state
        .db
        .write(args, |tx, (order_id, wanted, actor, now)| Box::pin(begin(tx, order_id, wanted, actor, *now)))
        .await?;
    let Some((order, pending)) = begun else { return Ok(None) };
    if pending.is_done() {
        return Ok(Some((order, pending)));
    }
    let made = state.provider.refund(deadline, &intent_id, pending.parts.amount, &pending.id).await;
    match made {
        Ok(provider_id) => complete(state, order, pending, provider_id).await.map(Some),
        Err(RefundError::Unconfirmed(error)) => Err(error),
        Err(RefundError::ChargedBack(_)) if order.payment.dispute == DisputeStatus::Lost => {
            mark_not_made(state, pending).await?;
            Err(Error::new(Code::RefundRejected, DISPUTE_LOST))
        }
        Err(RefundError::Rejected(error) | RefundError::ChargedBack(error) | RefundError::NotMade(error)) => {
            mark_not_made(state, pending).await?;
            Err(error)
        }
    }
}

async fn mark_not_made(state: &Checkout, pending: Refund) -> Result<(), Error> {
    state.db.write(pending.id, |tx, id| Box::pin(store::mark_not_made(tx, id))).await
}

/// What [`make`] would refund.
///
/// # Errors
/// As [`make`], without the provider's.
pub async fn preview(tx: &mut AnyConnection, order_id: &str, request: &RefundRequest) -> Result<Refund, Error> {
    let order = orders::load_order(tx, order_id).await?;
    plan(tx, &order, Some(request), "", 0).await
}

/// Writes the refund down, or joins the pending one if it is the same. One that was paid outside is done at once.
async fn begin(
    tx: &mut AnyConnection,
    order_id: &str,
    wanted: &Wanted,
    actor: &str,
    now: i64,
) -> Result<Option<(StoredOrder, Refund)>, Error> {
    let mut order = orders::lock_order(tx, order_id).await?;
    let planned = match wanted {
        Wanted::Remaining => plan(tx, &order, None, actor, now).await?,
        Wanted::Request(request) => plan(tx, &order, Some(request), actor, now).await?,
        Wanted::Again { failed_id, outside } => match begin_again(tx, &order, failed_id, actor, now).await? {
            Again::Settled(refund) => return Ok(Some((order, refund))),
            Again::Planned(refund) => Refund { outside: outside.clone(), ..refund },
        },
    };
    if planned.parts.amount <= Cents::ZERO {
        return Ok(None);
    }
    let refund = match join_pending(tx, &order, &planned, now).await? {
        Some(pending) => pending,
        None => planned,
    };
    store::save(tx, &refund).await?;
    if let Wanted::Again { failed_id, .. } = wanted {
        store::set_replaced(tx, failed_id, &refund.id).await?;
    }
    let refund = if refund.outside.is_some() { record(tx, &mut order, refund, now).await? } else { refund };
    Ok(Some((order, refund)))
}

/// The pending refund of the order, if it is the same. An old one was never made.
async fn join_pending(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    planned: &Refund,
    now: i64,
) -> Result<Option<Refund>, Error> {
    let Some(pending) = store::find_pending(tx, &order.id).await? else {
        return Ok(None);
    };
    let compared = |refund: &Refund| (refund.parts.clone(), refund.lines.clone(), refund.restock);
    let is_same = compared(&pending) == compared(planned) && planned.outside.is_none();
    let is_recent = now - pending.created_at < PENDING_MS;
    match (is_recent, is_same) {
        (true, true) => Ok(Some(pending)),
        (true, false) => Err(conflict(tx, order.clone(), IN_PROGRESS).await?),
        // The provider would list it.
        (false, _) => store::mark_not_made(tx, &pending.id).await.map(|()| None),
    }
}

enum Again {
    /// By this refund, which is done.
    Settled(Refund),
    Planned(Refund),
}

/// Plans the refund that settles a failed one.
async fn begin_again(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    failed_id: &str,
    actor: &str,
    now: i64,
) -> Result<Again, Error> {
    let failed = store::load_refund(tx, failed_id).await?;
    let Some(failure) = &failed.failure else {
        return Err(conflict(tx, order.clone(), NOT_FAILED).await?);
    };
    if let Some(id) = &failure.replaced_by {
        let replacement = store::load_refund(tx, id).await?;
        match replacement.state {
            State::Done => return Ok(Again::Settled(replacement)),
            State::Failed => return Err(conflict(tx, order.clone(), REPLACED).await?),
            State::Pending | State::NotMade => {}
        }
    }
    let refunds = store::list_done(tx, &order.id).await?;
    match Balance::of(order, &refunds)?.plan_again(&failed, actor, now)? {
        Some(planned) => Ok(Again::Planned(planned)),
        None => Err(conflict(tx, order.clone(), LESS_LEFT).await?),
    }
}

async fn plan(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    request: Option<&RefundRequest>,
    actor: &str,
    now: i64,
) -> Result<Refund, Error> {
    let seen = request.and_then(|request| request.refunded);
    if seen.is_some_and(|seen| seen != order.payment.refunded) {
        return Err(conflict(tx, order.clone(), OUTDATED).await?);
    }
    let refunds = store::list_done(tx, &order.id).await?;
    Balance::of(order, &refunds)?.plan(request, actor, now)
}

const IN_PROGRESS: &str = "Another refund of this order is in progress. Please try again in a minute.";
const DISPUTE_LOST: &str = "The dispute about this payment was lost: the customer already has the money back from the bank, \
                            so it can’t be refunded. Nothing was refunded.";
const NOT_FAILED: &str = "This refund didn’t fail, so there is nothing to settle.";
const REPLACED: &str = "This refund was made again, and the new one failed as well. Settle the new one.";
const LESS_LEFT: &str = "Less than this refund is left of the order. Refund what is left instead.";
const OUTDATED: &str = "This order was refunded by someone else in the meantime.";

async fn conflict(tx: &mut AnyConnection, current: StoredOrder, message: &str) -> Result<Error, Error> {
    Ok(Error::edit_conflict(&orders::with_history(tx, current).await?, message))
}

async fn complete(
    state: &Checkout,
    order: StoredOrder,
    pending: Refund,
    provider_id: String,
) -> Result<(StoredOrder, Refund), Error> {
    let args = (order, pending, provider_id, state.settings.mail_shop(), state.clock.now_ms());
    let recorded = state
        .db
        .write(args, |tx, (order, pending, provider_id, shop, now)| {
            Box::pin(write(tx, order, &pending.id, provider_id, shop, *now))
        })
        .await?;
    state.mail_enqueued.notify_one();
    Ok(recorded)
}

async fn write(
    tx: &mut AnyConnection,
    begun: &StoredOrder,
    id: &str,
    provider_id: &str,
    shop: &ShopInfo,
    now: i64,
) -> Result<(StoredOrder, Refund), Error> {
    let mut order = orders::lock_again(tx, begun).await?;
    let refund = store::load_refund(tx, id).await?;
    // An event of the provider may have recorded it.
    if matches!(refund.state, State::Done | State::Failed) {
        return Ok((order, refund));
    }
    let refund = Refund { provider_id: Some(provider_id.to_owned()), ..refund };
    let refund = record(tx, &mut order, refund, now).await?;
    if refund.is_done() {
        email(tx, shop, &order, std::slice::from_ref(&refund), now).await?;
    }
    Ok((order, refund))
}
