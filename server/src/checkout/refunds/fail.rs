//! Records that the customer's bank returned a refund: amounts, tax, history, the alert, and an email to the customer. The
//! status of the order stays, and nothing is restocked or taken back from the stock.

use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::pricing::Parts;

use super::balance::Balance;
use super::store::{self, Failure, Refund, State};
use crate::checkout::alerts::{self, Shopkeeper};
use crate::checkout::provider::{self, Origin};
use crate::checkout::tax_records;
use crate::error::Error;
use crate::infra::clock::SECOND;
use crate::mail::EmailKind;
use crate::orders::alerts::Alert;
use crate::orders::customer_mail::{self, OrderMail};
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::{StoredOrder, store as orders};
use crate::time_zone;

/// Records a failed refund of the provider once, also one that the shop did not know; one of an unknown amount raises an
/// alert only. The order must be locked.
pub async fn fail(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order: &mut StoredOrder,
    listed: &provider::Refund,
    now: i64,
) -> Result<(), Error> {
    let provider_id = listed.id.clone().unwrap_or_default();
    let refund = match find_known(tx, order, listed).await? {
        Some(known) if known.order_id != order.id || known.state == State::Failed => return Ok(()),
        Some(known) => known,
        None if listed.amount <= Cents::ZERO => return raise_once(tx, shopkeeper, &order.id, provider_id, now).await,
        None => made_at_provider(order, listed, now)?,
    };
    let was_done = refund.is_done();
    // The provider's times are whole seconds.
    let failed_at = listed.failed_at.map_or(now, |second| now.min(second + SECOND - 1)).max(refund.created_at);
    // PostgreSQL stores no U+0000.
    let reason = listed.failure_reason.as_ref().map(|reason| reason.replace('\0', ""));
    let failure = Some(Failure { failed_at, reason, replaced_by: None });
    let refund = Refund { state: State::Failed, provider_id: Some(provider_id), failure, ..refund };
    store::save(tx, &refund).await?;
    if was_done {
        let refunded = order.payment.refunded.checked_sub(refund.parts.amount)?;
        let dispute = order.payment.dispute;
        orders::set_payment(tx, order, refunded, dispute).await?;
        tax_records::store::insert_undo(tx, &refund, now).await?;
    }
    announce(tx, shopkeeper, order, &refund, now).await
}

/// The shop's own refund, or one that was recorded before.
async fn find_known(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    listed: &provider::Refund,
) -> Result<Option<Refund>, Error> {
    if let Some(known) = store::find_listed(tx, listed).await? {
        return Ok(Some(known));
    }
    let Origin::Shop(id) = &listed.origin else {
        return Ok(None);
    };
    let own = store::find_refund(tx, id).await?;
    Ok(own.filter(|own| own.order_id == order.id && own.provider_id.is_none()))
}

/// A refund that never counted. Its parts are a share of the whole order.
fn made_at_provider(order: &StoredOrder, listed: &provider::Refund, now: i64) -> Result<Refund, Error> {
    let balance = Balance::of(order, &[])?;
    let parts = balance.parts_of(listed.amount, &Parts::default())?;
    let created_at = listed.created_at.map_or(now, |second| now.min(second + SECOND - 1));
    Ok(balance.refund_of(parts, Vec::new(), orders::SHOP_ACTOR, created_at))
}

async fn announce(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order: &StoredOrder,
    refund: &Refund,
    now: i64,
) -> Result<(), Error> {
    let amount = refund.parts.amount;
    let refund_id = refund.provider_id.clone().unwrap_or_default();
    let reason = refund.failure.as_ref().and_then(|failure| failure.reason.clone());
    let event = HistoryEvent::RefundFailed { amount, refund_id: refund_id.clone(), reason };
    history::insert(tx, &order.id, orders::SHOP_ACTOR, event, now).await?;
    let shown = order.for_customer(time_zone::store::load(&mut *tx).await?);
    let mail = app::mail::refund_failed(&shopkeeper.mail_shop, &shown, amount);
    let dedupe_key = format!("refund_failed:{}", refund.id);
    customer_mail::send(tx, OrderMail { order, kind: EmailKind::RefundFailed, dedupe_key, mail }, now).await?;
    raise_once(tx, shopkeeper, &order.id, refund_id, now).await
}

/// Raises the alert. One that the order's history already has is not raised again, since an administrator may have
/// resolved it.
async fn raise_once(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order_id: &str,
    refund_id: String,
    now: i64,
) -> Result<(), Error> {
    let alert = Alert::RefundFailed { refund_id };
    if history::contains(tx, order_id, &HistoryEvent::AlertRaised(alert.clone())).await? {
        return Ok(());
    }
    alerts::raise(tx, shopkeeper, order_id, &alert, now).await
}
