//! Records a refund that the provider made: amounts, tax reversal, history, stock and status; and emails the customer.

use app::mail::ShopInfo;
use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::OrderStatus;

use super::balance::{Balance, units_of};
use super::restock::restock;
use super::store::{self, Outside, Refund, State};
use crate::checkout::{fraud_warnings, tax_records};
use crate::error::Error;
use crate::infra::clock::day_text;
use crate::mail::EmailKind;
use crate::orders::alerts::Alert;
use crate::orders::alerts::store::resolve_cause;
use crate::orders::customer_mail::{self, OrderMail};
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::{StoredOrder, store as orders};
use crate::time_zone;

/// Records a refund that is not done yet, and returns it: done, unless nothing is left of the payment. A refund that was
/// planned before another one was recorded keeps its amount; its parts are what is left. The order must be locked.
pub async fn record(
    tx: &mut AnyConnection,
    order: &mut StoredOrder,
    planned: Refund,
    now: i64,
) -> Result<Refund, Error> {
    let refund = complete(tx, order, planned).await?;
    if !refund.is_done() {
        return Ok(refund);
    }
    let amount = refund.parts.amount;
    let (refunded, dispute) = (order.payment.refunded.checked_add(amount)?, order.payment.dispute);
    orders::set_payment(tx, order, refunded, dispute).await?;
    fraud_warnings::settle(tx, order, now).await?;
    tax_records::store::insert_reversal(tx, &refund, now).await?;
    resolve_replaced(tx, &refund, now).await?;
    insert_history(tx, order, &refund, now).await?;
    if refund.restock {
        restock(tx, order, &refund.lines, &refund.actor, now).await?;
    }
    if refunded == order.total && !refund.is_by_provider() {
        set_refunded(tx, order, &refund.actor, now).await?;
    }
    Ok(refund)
}

/// Emails the customer about refunds that were recorded together, in one email.
pub async fn email(
    tx: &mut AnyConnection,
    shop: &ShopInfo,
    order: &StoredOrder,
    recorded: &[Refund],
    now: i64,
) -> Result<(), Error> {
    let Some(first) = recorded.first() else {
        return Ok(());
    };
    let amount = recorded.iter().map(|refund| refund.parts.amount).try_fold(Cents::ZERO, Cents::checked_add)?;
    let dedupe_key = format!("refunded:{}", first.id);
    let shown = order.for_customer(time_zone::store::load(&mut *tx).await?);
    let mail = app::mail::refunded(shop, &shown, amount);
    customer_mail::send(tx, OrderMail { order, kind: EmailKind::Refund, dedupe_key, mail }, now).await
}

/// Resolves the alerts of the failed refunds that this one settles.
async fn resolve_replaced(tx: &mut AnyConnection, refund: &Refund, now: i64) -> Result<(), Error> {
    for refund_id in store::list_replaced(tx, &refund.id).await? {
        resolve_cause(tx, &Alert::RefundFailed { refund_id }, &refund.actor, now).await?;
    }
    Ok(())
}

/// Saves the refund as done, or as not made if nothing is left of the payment.
async fn complete(tx: &mut AnyConnection, order: &StoredOrder, planned: Refund) -> Result<Refund, Error> {
    let refunds = store::list_done(tx, &order.id).await?;
    let balance = Balance::of(order, &refunds)?;
    let parts = balance.parts_of(planned.parts.amount, &planned.parts)?;
    if parts.amount <= Cents::ZERO {
        store::mark_not_made(tx, &planned.id).await?;
        return Ok(planned);
    }
    let has_left = balance.has_left(&planned.lines);
    if !has_left {
        store::delete_lines(tx, &planned.id).await?;
    }
    let lines = if has_left { planned.lines } else { Vec::new() };
    let refund = Refund { parts, lines, state: State::Done, ..planned };
    store::save(tx, &refund).await?;
    Ok(refund)
}

async fn insert_history(tx: &mut AnyConnection, order: &StoredOrder, refund: &Refund, now: i64) -> Result<(), Error> {
    let amount = refund.parts.amount;
    let event = match &refund.outside {
        Some(Outside { paid_on, note }) => {
            HistoryEvent::RefundedOutside { amount, day: day_text(*paid_on), note: note.clone() }
        }
        None => HistoryEvent::Refunded {
            amount,
            items: units_of(order, &refund.lines),
            at_provider: refund.is_by_provider(),
        },
    };
    history::insert(tx, &order.id, &refund.actor, event, now).await
}

async fn set_refunded(tx: &mut AnyConnection, order: &mut StoredOrder, actor: &str, now: i64) -> Result<(), Error> {
    let before = std::mem::replace(&mut order.status, OrderStatus::Refunded);
    if before == OrderStatus::Refunded {
        return Ok(());
    }
    orders::update_order(tx, order).await?;
    let event = HistoryEvent::StatusChanged { from: before, to: order.status };
    history::insert(tx, &order.id, actor, event, now).await
}
