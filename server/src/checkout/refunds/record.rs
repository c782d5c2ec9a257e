//! Records a refund that the provider made: amounts, tax reversal, history, stock and status; and emails the customer.

use app::mail::ShopInfo;
use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::{OrderStatus, Payment};

use super::balance::{Balance, units_of};
use super::restock::restock;
use super::store::{self, Refund, State};
use crate::checkout::{fraud_warnings, tax_records};
use crate::error::Error;
use crate::mail::EmailKind;
use crate::orders::customer_mail::{self, OrderMail};
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::{StoredOrder, store as orders};
use crate::time_zone;

#[derive(Clone)]
pub struct Recording {
    pub mail_shop: ShopInfo,
    pub now: i64,
}

/// Records a refund that is not done yet. A refund that was planned before another one was recorded keeps its amount; its
/// parts are what is left. The order must be locked.
pub async fn record(
    tx: &mut AnyConnection,
    recording: &Recording,
    planned: Refund,
    provider_id: Option<&str>,
) -> Result<(), Error> {
    let before = orders::load_order(tx, &planned.order_id).await?;
    let Some(refund) = complete(tx, &before, planned, provider_id).await? else {
        return Ok(());
    };
    let amount = refund.amount()?;
    let refunded = before.payment.refunded.checked_add(amount)?;
    orders::set_payment(tx, &before.id, Payment::of(before.total, refunded, before.payment.dispute)).await?;
    fraud_warnings::settle(tx, &before.id, recording.now).await?;
    tax_records::store::insert_reversal(tx, &before.id, amount, refunded, recording.now).await?;
    insert_history(tx, &before, &refund, recording.now).await?;
    if refund.restock {
        restock(tx, &before, &refund.lines, &refund.actor, recording.now).await?;
    }
    if refunded == before.total && !refund.is_by_provider() {
        set_refunded(tx, &before, &refund.actor, recording.now).await?;
    }
    Ok(())
}

/// Emails the customer about what was refunded since this total, in one email.
pub async fn email(tx: &mut AnyConnection, recording: &Recording, order_id: &str, since: Cents) -> Result<(), Error> {
    let order = orders::load_order(tx, order_id).await?;
    let refunded = order.payment.refunded;
    let amount = refunded.checked_sub(since)?;
    if amount <= Cents::ZERO {
        return Ok(());
    }
    let dedupe_key = format!("refunded:{}:{}", order.id, refunded.cents());
    let shown = order.for_customer(time_zone::store::load(&mut *tx).await?);
    let mail = app::mail::refunded(&recording.mail_shop, &shown, amount);
    let mail = OrderMail { order: &order, kind: EmailKind::Refund, dedupe_key, mail };
    customer_mail::send(tx, mail, recording.now).await
}

/// Saves the refund as done. None if nothing is left of the payment: it replaces a failed refund, which still counts.
async fn complete(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    planned: Refund,
    provider_id: Option<&str>,
) -> Result<Option<Refund>, Error> {
    let refunds = store::list_done(tx, &order.id).await?;
    let balance = Balance::of(order, &refunds)?;
    let parts = balance.parts_of(planned.amount()?, &planned.parts)?;
    if parts.total()? <= Cents::ZERO {
        store::mark_failed(tx, &planned.id).await?;
        return Ok(None);
    }
    let has_left = balance.has_left(&planned.lines);
    if !has_left {
        store::delete_lines(tx, &planned.id).await?;
    }
    let lines = if has_left { planned.lines } else { Vec::new() };
    let refund = Refund { tax_breakdown: balance.breakdown(&parts), parts, lines, state: State::Done, ..planned };
    store::save(tx, &refund, provider_id).await?;
    Ok(Some(refund))
}

async fn insert_history(tx: &mut AnyConnection, order: &StoredOrder, refund: &Refund, now: i64) -> Result<(), Error> {
    let event = HistoryEvent::Refunded {
        amount: refund.amount()?,
        items: units_of(order, &refund.lines),
        at_provider: refund.is_by_provider(),
    };
    history::insert(tx, &order.id, &refund.actor, event, now).await
}

async fn set_refunded(tx: &mut AnyConnection, before: &StoredOrder, actor: &str, now: i64) -> Result<(), Error> {
    if before.status == OrderStatus::Refunded {
        return Ok(());
    }
    let tracking_number = before.tracking_number.as_deref();
    orders::update_order(tx, &before.id, OrderStatus::Refunded, &before.address, tracking_number).await?;
    let event = HistoryEvent::StatusChanged { from: before.status, to: OrderStatus::Refunded };
    history::insert(tx, &before.id, actor, event, now).await
}
