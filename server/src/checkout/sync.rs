//! Synchronizes one open checkout with its payment intent at the provider.

use std::sync::Arc;

use super::checkout_state::{CheckoutState, CloseReason};
use super::finalize::{finalize, handled};
use super::provider::{Deadline, IntentState};
use super::store::{self, StoredCheckout};
use super::unknown_payment;
use super::webhook_events::{Handled, ProcessedEvent};
use crate::checkout::Checkout;
use crate::checkout::metrics::OrderSource;
use crate::error::Error;

/// Finalizes or closes the checkout, as the state of its intent demands, and marks the event as processed.
pub async fn sync_checkout(
    state: &Arc<Checkout>,
    intent_id: &str,
    event: &ProcessedEvent,
    source: OrderSource,
) -> Result<Handled, Error> {
    let checkout = store::find_by_intent(state.db.read(), intent_id).await?;
    let Some(checkout) = checkout.filter(|checkout| checkout.state == CheckoutState::Open) else {
        return Ok(Handled::Unmarked);
    };
    let Some(intent) = state.provider.find_intent(Deadline::start(), intent_id).await? else {
        return unknown_payment::close_if_expired(state, &checkout, event).await.map(|()| Handled::Marked);
    };
    match intent.state {
        IntentState::Succeeded => handled(finalize(state, intent_id, event, source).await),
        IntentState::Canceled => close(state, &checkout, CloseReason::Canceled, event).await.map(|()| Handled::Marked),
        IntentState::Unpaid => Ok(Handled::Unmarked),
    }
}

/// Closes a checkout, releases its stock and marks the event as processed.
pub async fn close(
    state: &Checkout,
    checkout: &StoredCheckout,
    reason: CloseReason,
    event: &ProcessedEvent,
) -> Result<(), Error> {
    let args = (checkout.id.clone(), reason, event.clone(), state.clock.now_ms());
    state
        .db
        .write(args, |tx, (id, reason, event, now)| {
            Box::pin(async move {
                store::close(tx, id, *reason, *now).await?;
                event.mark(tx).await
            })
        })
        .await
}
