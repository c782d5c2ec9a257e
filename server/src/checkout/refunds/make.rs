//! Makes a refund at the provider.
//!
//! The refund is written down before the request, and its id is the idempotency key. An order has at most one such
//! pending refund: the same request joins it, so concurrent requests and retries after a lost response refund once, and
//! another request waits until the provider's list tells whether it was made.

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;

use super::balance::{Balance, Extent, Plan};
use super::record::{Recording, email, record};
use super::store::{self, Refund, State};
use super::sync;
use crate::checkout::Checkout;
use crate::checkout::provider::{Deadline, RefundError};
use crate::error::Error;
use crate::infra::clock::SECOND;
use crate::infra::random;
use crate::orders::{StoredOrder, store as orders};

/// Time in which the provider has made a refund or never will: longer than all attempts of a request.
const PENDING_MS: i64 = 30 * SECOND;

/// A refund that an administrator requests.
#[derive(Clone, Debug)]
pub struct NewRefund {
    pub order_id: String,
    pub extent: Extent,
    pub restock: bool,
    pub actor: String,
    /// The refunded amount that the administrator saw: if it is given and outdated, the request is a conflict.
    pub seen: Option<Cents>,
}

/// Makes a refund, records it and returns it. None if everything is refunded already.
///
/// # Errors
/// 400 for more than what is left, 409 if the order's refunds changed, 503 if the provider fails.
pub async fn make(state: &Arc<Checkout>, new: NewRefund) -> Result<Option<Refund>, Error> {
    let deadline = Deadline::start();
    let order_id = new.order_id.clone();
    let intent_id = orders::load_intent_id(state.db.read(), &order_id).await?;
    sync::sync_order(state, deadline, &order_id, &intent_id).await?;
    let now = state.clock.now_ms();
    let begun = state.db.write((new, now), |tx, (new, now)| Box::pin(begin(tx, new, *now))).await?;
    let Some(pending) = begun else { return Ok(None) };
    let id = pending.id.clone();
    let made = state.provider.refund(deadline, &intent_id, pending.amount()?, &id).await;
    match made {
        Ok(provider_id) => complete(state, order_id, id, provider_id).await.map(Some),
        Err(RefundError::Rejected(error) | RefundError::ChargedBack(error)) => {
            state.db.write(id, |tx, id| Box::pin(store::mark_failed(tx, id))).await?;
            Err(error)
        }
        Err(RefundError::Unconfirmed(error)) => Err(error),
    }
}

/// What [`make`] would refund.
///
/// # Errors
/// As [`make`], without the provider's.
pub async fn preview(tx: &mut AnyConnection, new: &NewRefund) -> Result<Refund, Error> {
    let order = orders::load_order(tx, &new.order_id).await?;
    if is_outdated(new, &order) {
        return Err(conflict(tx, order, OUTDATED).await?);
    }
    let refunds = store::list_done(tx, &new.order_id).await?;
    let balance = Balance::of(&order, &refunds)?;
    let plan = balance.plan(&new.extent)?;
    Ok(planned(new, &balance, plan, 0))
}

/// Writes the refund down, or joins the pending one if it is the same.
async fn begin(tx: &mut AnyConnection, new: &NewRefund, now: i64) -> Result<Option<Refund>, Error> {
    orders::lock_order(tx, &new.order_id).await?;
    let order = orders::load_order(tx, &new.order_id).await?;
    if is_outdated(new, &order) {
        return Err(conflict(tx, order, OUTDATED).await?);
    }
    let refunds = store::list_done(tx, &new.order_id).await?;
    let balance = Balance::of(&order, &refunds)?;
    let plan = balance.plan(&new.extent)?;
    if plan.parts.total()? <= Cents::ZERO {
        return Ok(None);
    }
    if let Some(pending) = store::find_pending(tx, &new.order_id).await? {
        let is_recent = now - pending.created_at < PENDING_MS;
        let is_same = pending.parts == plan.parts && pending.lines == plan.lines && pending.restock == new.restock;
        match (is_recent, is_same) {
            (true, true) => return Ok(Some(pending)),
            (true, false) => return Err(conflict(tx, order, IN_PROGRESS).await?),
            // The provider would list it.
            (false, _) => store::mark_failed(tx, &pending.id).await?,
        }
    }
    let refund = planned(new, &balance, plan, now);
    store::save(tx, &refund, None).await?;
    Ok(Some(refund))
}

fn planned(new: &NewRefund, balance: &Balance<'_>, plan: Plan, now: i64) -> Refund {
    Refund {
        id: random::new_id(),
        order_id: new.order_id.clone(),
        tax_breakdown: balance.breakdown(&plan.parts),
        parts: plan.parts,
        lines: plan.lines,
        restock: new.restock,
        actor: new.actor.clone(),
        state: State::Pending,
        created_at: now,
    }
}

const IN_PROGRESS: &str = "Another refund of this order is in progress. Please try again in a minute.";
const OUTDATED: &str = "This order was refunded by someone else in the meantime.";

fn is_outdated(new: &NewRefund, order: &StoredOrder) -> bool {
    new.seen.is_some_and(|seen| seen != order.payment.refunded)
}

async fn conflict(tx: &mut AnyConnection, current: StoredOrder, message: &str) -> Result<Error, Error> {
    Ok(Error::edit_conflict(&orders::with_history(tx, current).await?, message))
}

async fn complete(state: &Checkout, order_id: String, id: String, provider_id: String) -> Result<Refund, Error> {
    let recording = Recording { mail_shop: state.settings.mail_shop(), now: state.clock.now_ms() };
    let args = (order_id, id, provider_id, recording);
    let refund = state
        .db
        .write(args, |tx, (order_id, id, provider_id, recording)| {
            Box::pin(write(tx, order_id, id, provider_id, recording))
        })
        .await?;
    state.mail_enqueued.notify_one();
    Ok(refund)
}

async fn write(
    tx: &mut AnyConnection,
    order_id: &str,
    id: &str,
    provider_id: &str,
    recording: &Recording,
) -> Result<Refund, Error> {
    orders::lock_order(tx, order_id).await?;
    let refund = store::load_refund(tx, id).await?;
    // An event of the provider may have recorded it.
    if refund.state == State::Done {
        return Ok(refund);
    }
    let before = orders::load_order(tx, order_id).await?.payment.refunded;
    record(tx, recording, refund, Some(provider_id)).await?;
    email(tx, recording, order_id, before).await?;
    store::load_refund(tx, id).await
}
