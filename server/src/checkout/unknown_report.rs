//! Events about a dispute or an early fraud warning that the payment provider does not know. Such an event is not
//! believed: it raises an alert.

use std::sync::Arc;

use super::alerts::{Shopkeeper, raise_about_payment};
use super::webhook_events::{Handled, ProcessedEvent};
use crate::checkout::Checkout;
use crate::error::Error;
use crate::orders::alerts::Alert;

pub async fn alert(
    state: &Arc<Checkout>,
    intent_id: &str,
    object_id: &str,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let alert = Alert::UnknownReport { object_id: object_id.to_owned(), payment: intent_id.to_owned() };
    let args = (intent_id.to_owned(), alert, Shopkeeper::of(state), event.clone(), state.clock.now_ms());
    state
        .db
        .write(args, |tx, (intent_id, alert, shopkeeper, event, now)| {
            Box::pin(async move {
                event.mark(tx).await?;
                let about = (intent_id.as_str(), "An event does not match the payment provider");
                raise_about_payment(tx, shopkeeper, about, alert, *now).await
            })
        })
        .await?;
    state.mail_enqueued.notify_one();
    Ok(Handled::Marked)
}
