//! Payments that the database lost, in a failover, a disk failure or a restore. The provider still knows them, and their
//! metadata has the quote: each raises an alert, and its checkout is made again and finalized. Only payments with this
//! shop's own id are touched.

mod store;

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::validation::Address;

use super::alerts::{Shopkeeper, raise_about_payment};
use super::auto_refund::{Record, auto_refund};
use super::checkout_state::CheckoutState;
use super::confirmation;
use super::finalize::{finalize, handled};
use super::provider::{Deadline, IntentState, PageCursor, Payment};
use super::quote_metadata::{self, CHECKOUT_ID, QuotedCheckout, SHOP_ID};
use super::reconcile_report::ReconcileReport;
use super::shop_id;
use super::store::{self as checkouts, StoredCheckout};
use super::webhook_events::ProcessedEvent;
use crate::checkout::Checkout;
use crate::checkout::metrics::OrderSource;
use crate::db::shop_metadata;
use crate::error::Error;
use crate::infra::clock::HOUR;
use crate::orders::alerts::{Alert, NoOrderReason};

/// Overlap of two runs: a payment may be made long after its intent was created. Events tell of later ones.
const OVERLAP_MS: i64 = 3 * HOUR;

/// Searches the provider's payments since the last complete run. A failure is reported and does not stop the others.
pub async fn reconcile(state: &Arc<Checkout>, report: &mut ReconcileReport) -> Result<(), Error> {
    confirmation::claim(state).await?;
    let started_at = state.clock.now_ms();
    let last_run = shop_metadata::find(state.db.read(), shop_metadata::PAYMENTS_LISTED).await?;
    let last_run = last_run.and_then(|at| at.parse().ok()).unwrap_or(started_at);
    // A clock that was set back must not skip anything.
    let since = last_run.min(started_at) - OVERLAP_MS;
    let (shop_id, failures) = (shop_id::load(state).await?, report.failures.len());
    // One page at a time, to bound the memory.
    let mut cursor = PageCursor::start();
    while !cursor.is_end() {
        let Some(mut payments) = state.provider.list_payments_page(since, &mut cursor).await? else {
            return Ok(());
        };
        payments.retain(|payment| is_own(payment, &shop_id));
        let ids: Vec<&str> = payments.iter().map(|payment| payment.id.as_str()).collect();
        let known = store::list_with_checkout(state.db.read(), &ids).await?;
        for payment in payments.iter().filter(|payment| !known.contains(&payment.id)) {
            let examined = examine(state, payment).await;
            report.record(&format!("Payment {}", payment.id), examined);
        }
    }
    if report.failures.len() > failures {
        return Ok(());
    }
    let save = state
        .db
        .write(started_at.to_string(), |tx, at| Box::pin(shop_metadata::set(tx, shop_metadata::PAYMENTS_LISTED, at)));
    save.await
}

/// Examines one payment without a checkout, after an event.
pub async fn examine_by_id(state: &Arc<Checkout>, intent_id: &str) -> Result<(), Error> {
    let Some(payment) = state.provider.find_payment(Deadline::start(), intent_id).await? else {
        return Ok(());
    };
    let shop_id = shop_id::load(state).await?;
    if is_own(&payment, &shop_id) { examine(state, &payment).await } else { Ok(()) }
}

/// Whether the payment was made in this shop.
fn is_own(payment: &Payment, shop_id: &str) -> bool {
    payment.state == IntentState::Succeeded
        && payment.metadata.get(SHOP_ID).is_some_and(|id| id == shop_id)
        && payment.metadata.contains_key(CHECKOUT_ID)
}

async fn examine(state: &Arc<Checkout>, payment: &Payment) -> Result<(), Error> {
    let no_event = ProcessedEvent::none();
    match checkouts::find_by_intent(state.db.read(), &payment.id).await?.map(|checkout| checkout.state) {
        // A closed checkout was paid after all, or its repair was interrupted.
        Some(CheckoutState::Closed) => {
            return handled(finalize(state, &payment.id, &no_event, OrderSource::Reconciler).await).map(drop);
        }
        Some(_) => return Ok(()),
        None if store::is_settled(state.db.read(), &payment.id).await? => return Ok(()),
        None => {}
    }
    raise_alert(state, payment).await?;
    confirmation::require(state).await?;
    let quoted = quote_metadata::read(&payment.metadata).filter(|quoted| quoted.total == payment.amount_received);
    let address = payment.shipping.clone().and_then(|address| address.validated().ok());
    let (Some(quoted), Some(address)) = (quoted, address) else {
        tracing::error!(payment = payment.id, "a lost payment cannot be repaired: its metadata is not complete");
        return Ok(());
    };
    repair(state, payment, Arc::new(quoted), address).await
}

async fn raise_alert(state: &Checkout, payment: &Payment) -> Result<(), Error> {
    let alert = Alert::PaymentLost { payment: payment.id.clone(), amount: payment.amount_received };
    let args = (payment.id.clone(), alert, Shopkeeper::of(state), state.clock.now_ms());
    let raised = state.db.write(args, |tx, (intent_id, alert, shopkeeper, now)| {
        let about = (intent_id.as_str(), "A payment was missing in the database");
        Box::pin(raise_about_payment(tx, shopkeeper, about, alert, *now))
    });
    raised.await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

/// Makes the checkout again, and then its order; or refunds the payment, if the account or a product is missing.
async fn repair(
    state: &Arc<Checkout>,
    payment: &Payment,
    quoted: Arc<QuotedCheckout>,
    address: Address,
) -> Result<(), Error> {
    let now = state.clock.now_ms();
    let checkout = StoredCheckout {
        id: quoted.id.clone(),
        subtotal: quoted.subtotal,
        shipping: quoted.shipping,
        ..StoredCheckout::begin(quoted.user_id.clone(), quoted.user_email.clone(), address, now, now)
    };
    let args = (checkout.clone(), quoted, payment.id.clone());
    let inserted = state
        .db
        .write(args, |tx, (checkout, quoted, intent_id)| Box::pin(insert_again(tx, checkout, quoted, intent_id)));
    let no_event = ProcessedEvent::none();
    let Some(reason) = inserted.await? else {
        return handled(finalize(state, &payment.id, &no_event, OrderSource::Reconciler).await).map(drop);
    };
    let deadline = Deadline::start();
    let Some(intent) = state.provider.find_intent(deadline, &payment.id).await? else {
        return Ok(());
    };
    auto_refund(state, deadline, &checkout, &intent, reason, &no_event, Record::Lost).await.map(drop)
}

/// Inserts the checkout as a closed one, which holds no stock, or completes it if the database lost only its payment.
/// Returns the reason if it cannot be inserted.
async fn insert_again(
    tx: &mut AnyConnection,
    checkout: &StoredCheckout,
    quoted: &QuotedCheckout,
    intent_id: &str,
) -> Result<Option<NoOrderReason>, Error> {
    if store::has_checkout(tx, &checkout.id).await? {
        store::set_payment(tx, quoted, intent_id, checkout.created_at).await?;
        return Ok(None);
    }
    if !store::has_account(tx, &checkout.user_id).await? {
        return Ok(Some(NoOrderReason::AccountMissing));
    }
    let mut items = Vec::new();
    for line in &quoted.lines {
        match store::find_item(tx, line).await? {
            Some(item) => items.push(item),
            None => return Ok(Some(NoOrderReason::ProductMissing)),
        }
    }
    checkouts::insert_checkout(tx, checkout, &items).await?;
    store::set_payment(tx, quoted, intent_id, checkout.created_at).await?;
    checkouts::change_state(tx, &checkout.id, CheckoutState::Open, CheckoutState::Closed).await?;
    Ok(None)
}
