//! Makes a refund at the provider.
//!
//! The refund is written down before the request, and its id is the idempotency key. An order has at most one such
//! pending refund: the same request joins it, so concurrent requests and retries after a lost response refund once, and
//! another request waits until the provider's list tells whether it was made.

use std::sync::Arc;

use app::mail::ShopInfo;
use sqlx::AnyConnection;
use wasm_core::money::Cents;

use super::balance::Balance;
use super::record::{email, record};
use super::request::RefundRequest;
use super::store::{self, Refund};
use super::sync;
use crate::checkout::Checkout;
use crate::checkout::provider::{Deadline, RefundError};
use crate::error::Error;
use crate::infra::clock::SECOND;
use crate::orders::{StoredOrder, store as orders};

/// Time in which the provider has made a refund or never will: longer than all attempts of a request.
const PENDING_MS: i64 = 30 * SECOND;

/// Makes a refund of what is requested, or of everything that is left. Records it, and returns it with its order. None if
/// everything is refunded already.
///
/// # Errors
/// 400 for more than what is left, 409 if the order's refunds changed, 503 if the provider fails.
pub async fn make(
    state: &Arc<Checkout>,
    order_id: &str,
    request: Option<RefundRequest>,
    actor: &str,
) -> Result<Option<(StoredOrder, Refund)>, Error> {
    let deadline = Deadline::start();
    let intent_id = orders::load_intent_id(state.db.read(), order_id).await?;
    sync::sync_order(state, deadline, order_id, &intent_id).await?;
    let args = (order_id.to_owned(), request, actor.to_owned(), state.clock.now_ms());
    let begun = state
        .db
        .write(args, |tx, (order_id, request, actor, now)| Box::pin(begin(tx, order_id, request.as_ref(), actor, *now)))
        .await?;
    let Some((order, pending)) = begun else { return Ok(None) };
    let made = state.provider.refund(deadline, &intent_id, pending.parts.amount, &pending.id).await;
    match made {
        Ok(provider_id) => complete(state, order, pending, provider_id).await.map(Some),
        Err(RefundError::Rejected(error) | RefundError::ChargedBack(error)) => {
            state.db.write(pending.id, |tx, id| Box::pin(store::mark_failed(tx, id))).await?;
            Err(error)
        }
        Err(RefundError::Unconfirmed(error)) => Err(error),
    }
}

/// What [`make`] would refund.
///
/// # Errors
/// As [`make`], without the provider's.
pub async fn preview(tx: &mut AnyConnection, order_id: &str, request: &RefundRequest) -> Result<Refund, Error> {
    let order = orders::load_order(tx, order_id).await?;
    plan(tx, &order, Some(request), "", 0).await
}

/// Writes the refund down, or joins the pending one if it is the same.
async fn begin(
    tx: &mut AnyConnection,
    order_id: &str,
    request: Option<&RefundRequest>,
    actor: &str,
    now: i64,
) -> Result<Option<(StoredOrder, Refund)>, Error> {
    let order = orders::lock_order(tx, order_id).await?;
    let planned = plan(tx, &order, request, actor, now).await?;
    if planned.parts.amount <= Cents::ZERO {
        return Ok(None);
    }
    if let Some(pending) = store::find_pending(tx, order_id).await? {
        let is_recent = now - pending.created_at < PENDING_MS;
        let is_same =
            (&pending.parts, &pending.lines, pending.restock) == (&planned.parts, &planned.lines, planned.restock);
        match (is_recent, is_same) {
            (true, true) => return Ok(Some((order, pending))),
            (true, false) => return Err(conflict(tx, order, IN_PROGRESS).await?),
            // The provider would list it.
            (false, _) => store::mark_failed(tx, &pending.id).await?,
        }
    }
    store::save(tx, &planned, None).await?;
    Ok(Some((order, planned)))
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
    if refund.is_done {
        return Ok((order, refund));
    }
    let before = order.payment.refunded;
    let refund = record(tx, &mut order, refund, Some(provider_id), now).await?;
    email(tx, shop, &order, before, now).await?;
    Ok((order, refund))
}
