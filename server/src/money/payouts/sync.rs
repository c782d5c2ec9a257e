//! Synchronizes balance transactions and payouts with the provider. Each step is stored before the next request, so an
//! interrupted run continues where it stopped; a repeated step changes nothing.

use std::collections::BTreeSet;

use sqlx::AnyConnection;

use super::category::Category;
use super::explain::problem;
use super::store::{self, Transaction};
use crate::checkout::provider::{BalanceTransaction, Deadline, Payout};
use crate::checkout::refunds;
use crate::checkout::webhook_events::ProcessedEvent;
use crate::db::shop_metadata;
use crate::error::Error;
use crate::infra::clock::{DAY, HOUR, MINUTE};
use crate::money::Money;

/// Longest period whose transactions are listed at once.
const PERIOD: i64 = 7 * DAY;
/// Overlap of two runs, for clock differences and transactions that the provider lists late.
const OVERLAP: i64 = HOUR;
/// A payout may still change or fail this long after its creation.
const PAYOUT_OVERLAP: i64 = 30 * DAY;
/// Age at which a transaction must have an explanation. Shorter than [`OVERLAP`], so that each is judged after it.
const GRACE: i64 = 15 * MINUTE;
/// Transactions per database transaction.
const BATCH_SIZE: usize = 50;
/// Unexplained transactions that a run examines again.
const MAX_EXAMINED: i64 = 1_000;

/// Stores new transactions and payouts, and examines what had no explanation so far.
///
/// # Errors
/// If the database or the provider fails. What was stored before stays.
pub async fn sync(state: &Money) -> Result<(), Error> {
    let Some(oldest) = store::find_oldest_payment(state.db.read()).await? else {
        return Ok(());
    };
    let started_at = state.clock.now_ms();
    sync_transactions(state, oldest, started_at).await?;
    sync_payouts(state, oldest, started_at).await?;
    sync_failed_refunds(state).await?;
    let unexplained = store::list_unexplained_ids(state.db.read(), MAX_EXAMINED).await?;
    for ids in unexplained.chunks(BATCH_SIZE) {
        let args = (ids.to_vec(), state.clock.now_ms());
        state.db.write(args, |tx, (ids, now)| Box::pin(explain_all(tx, ids, *now))).await?;
    }
    Ok(())
}

/// Lists the balance transactions since the last run, oldest period first.
async fn sync_transactions(state: &Money, oldest: i64, until: i64) -> Result<(), Error> {
    let mut from = start_after(state, shop_metadata::BALANCE_SYNCED, oldest, OVERLAP).await?;
    while from < until && !state.stopping.is_cancelled() {
        let end = until.min(from + PERIOD);
        let Some(listed) = state.checkout.provider.list_balance_transactions(from, end).await? else {
            return Ok(());
        };
        save_transactions(state, &listed, None).await?;
        save_time(state, shop_metadata::BALANCE_SYNCED, end).await?;
        from = end;
    }
    Ok(())
}

/// Records refunds that failed without an event, so long after they were made that the reconciler doesn't list them.
async fn sync_failed_refunds(state: &Money) -> Result<(), Error> {
    for intent_id in store::list_unnoticed_failures(state.db.read(), MAX_EXAMINED).await? {
        let no_event = ProcessedEvent::none();
        refunds::sync_refund(&state.checkout, Deadline::start(), &intent_id, None, &no_event).await?;
    }
    Ok(())
}

/// Lists the payouts since the last run and the transactions of each new one.
async fn sync_payouts(state: &Money, oldest: i64, started_at: i64) -> Result<(), Error> {
    let since = start_after(state, shop_metadata::PAYOUTS_SYNCED, oldest, PAYOUT_OVERLAP).await?;
    for payout in state.checkout.provider.list_payouts_since(since).await? {
        if state.stopping.is_cancelled() {
            return Ok(());
        }
        sync_payout(state, payout).await?;
    }
    save_time(state, shop_metadata::PAYOUTS_SYNCED, started_at).await
}

async fn sync_payout(state: &Money, payout: Payout) -> Result<(), Error> {
    let (id, is_reconcilable) = (payout.id.clone(), payout.is_reconcilable);
    let is_complete = state.db.write(payout, |tx, payout| Box::pin(store::upsert_payout(tx, payout))).await?;
    if is_complete || !is_reconcilable {
        return Ok(());
    }
    let Some(listed) = state.checkout.provider.list_payout_transactions(&id).await? else {
        return Ok(());
    };
    save_transactions(state, &listed, Some(&id)).await?;
    state.db.write(id, |tx, id| Box::pin(store::complete_payout(tx, id))).await
}

async fn save_transactions(state: &Money, listed: &[BalanceTransaction], payout_id: Option<&str>) -> Result<(), Error> {
    for batch in listed.chunks(BATCH_SIZE) {
        let args = (batch.to_vec(), payout_id.map(str::to_owned), state.clock.now_ms());
        state
            .db
            .write(args, |tx, (batch, payout_id, now)| Box::pin(save_batch(tx, batch, payout_id.as_deref(), *now)))
            .await?;
    }
    Ok(())
}

async fn save_batch(
    tx: &mut AnyConnection,
    batch: &[BalanceTransaction],
    payout_id: Option<&str>,
    now: i64,
) -> Result<(), Error> {
    for transaction in batch {
        store::upsert_transaction(tx, transaction, Category::of(transaction), payout_id).await?;
    }
    let ids: Vec<String> = batch.iter().map(|transaction| transaction.id.clone()).collect();
    explain_all(tx, &ids, now).await
}

/// Examines these transactions and the others of their payments: a new refund may explain or contradict an older one.
async fn explain_all(tx: &mut AnyConnection, ids: &[String], now: i64) -> Result<(), Error> {
    let mut examined = BTreeSet::new();
    for id in ids {
        let transaction = store::load_transaction(tx, id).await?;
        let related = match transaction.intent_id.clone() {
            Some(intent_id) if !examined.insert(intent_id.clone()) => continue,
            Some(intent_id) => store::list_transactions_of_payment(tx, &intent_id).await?,
            None => vec![transaction],
        };
        for transaction in related {
            explain(tx, &transaction, now).await?;
        }
    }
    Ok(())
}

async fn explain(tx: &mut AnyConnection, transaction: &Transaction, now: i64) -> Result<(), Error> {
    let records = store::load_records(tx, transaction).await?;
    let is_due = transaction.created_at + GRACE <= now;
    let problem = problem(transaction, &records).filter(|_| is_due);
    if problem == transaction.problem {
        return Ok(());
    }
    store::set_problem(tx, &transaction.id, problem.as_deref()).await
}

/// Start of the next period: before the end of the last one, or before the oldest payment.
async fn start_after(state: &Money, name: &str, oldest: i64, overlap: i64) -> Result<i64, Error> {
    let last = shop_metadata::find(state.db.read(), name).await?.and_then(|at| at.parse().ok()).unwrap_or(oldest);
    // A clock that was set back must not skip anything.
    Ok(last.min(state.clock.now_ms()) - overlap)
}

async fn save_time(state: &Money, name: &'static str, at: i64) -> Result<(), Error> {
    let args = (name, at.to_string());
    state.db.write(args, |tx, (name, at)| Box::pin(shop_metadata::set(tx, name, at))).await
}
