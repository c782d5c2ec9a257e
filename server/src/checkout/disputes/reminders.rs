//! Reminders: the shopkeeper gets an email seven days, and another one two days, before a response is due.

use std::sync::Arc;

use app::mail::DueResponse;
use sqlx::AnyConnection;
use wasm_core::orders::{DisputeStatus, display_date};

use super::store::{self, DueDispute};
use crate::checkout::Checkout;
use crate::checkout::alerts::{Notification, Shopkeeper};
use crate::error::Error;
use crate::infra::clock::DAY;
use crate::mail::EmailKind;
use crate::orders::store as orders;
use crate::time_zone::{self, ShopZone};

/// Days before the due date. A dispute that comes later than the first reminder gets it immediately, and one that comes
/// later than the last gets only that one.
const FIRST: i64 = 7;
const LAST: i64 = 2;

/// Enqueues the reminders that are due, each once.
///
/// # Errors
/// The database's error.
pub async fn remind(state: &Arc<Checkout>) -> Result<(), Error> {
    let (shopkeeper, now) = (Shopkeeper::of(state), state.clock.now_ms());
    if shopkeeper.email.is_none() {
        return Ok(());
    }
    for due in store::list_due(state.db.read(), now, now + LAST * DAY, now + FIRST * DAY).await? {
        let reminder = Reminder { due, shopkeeper: shopkeeper.clone(), now };
        state.db.write(reminder, |tx, reminder| Box::pin(reminder.enqueue(tx))).await?;
        state.mail_enqueued.notify_one();
    }
    Ok(())
}

struct Reminder {
    due: DueDispute,
    shopkeeper: Shopkeeper,
    now: i64,
}

impl Reminder {
    /// Evidence may have been submitted since the dispute was listed.
    async fn enqueue(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let Self { due: DueDispute { id, order_id, due_at }, shopkeeper, now } = self;
        let order = orders::lock_order(tx, order_id).await?;
        let Some(dispute) = store::find(tx, id).await?.filter(|dispute| dispute.needs_response) else {
            return Ok(());
        };
        if dispute.due_at != Some(*due_at) {
            return Ok(());
        }
        let zone = time_zone::store::load(&mut *tx).await?;
        let response = DueResponse {
            is_inquiry: dispute.status == DisputeStatus::Warning,
            amount: dispute.amount.unwrap_or(order.total),
            due_on: display_date(&zone.day_text_of(*due_at)),
            days_left: days_left(zone, *due_at, *now),
        };
        let (shop, shown) = (&shopkeeper.mail_shop, order.for_customer(zone));
        let mail = app::mail::dispute_due(shop, &shown, &order.user_email, &response);
        let (kind, dedupe_key) = (EmailKind::DisputeReminder, reminder_key(id, *due_at, *now));
        shopkeeper.notify(tx, Notification { kind, order_id: Some(order_id), dedupe_key, mail }, *now).await
    }
}

/// The deduplication key: one email for each dispute and stage.
fn reminder_key(dispute_id: &str, due_at: i64, now: i64) -> String {
    let stage = if due_at <= now + LAST * DAY { LAST } else { FIRST };
    format!("dispute-due:{dispute_id}:{stage}")
}

/// Days from today to the day on which a response is due: 0 today, negative once it is overdue.
pub fn days_left(zone: ShopZone, due_at: i64, now: i64) -> i64 {
    let days = zone.day_of(due_at) - zone.day_of(now);
    if due_at < now { days.min(-1) } else { days }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_reminder_replaces_the_first_one_two_days_before() {
        let due_at = 100 * DAY;
        assert_eq!(reminder_key("du_1", due_at, due_at - 7 * DAY), "dispute-due:du_1:7");
        assert_eq!(reminder_key("du_1", due_at, due_at - 2 * DAY - 1), "dispute-due:du_1:7");
        assert_eq!(reminder_key("du_1", due_at, due_at - 2 * DAY), "dispute-due:du_1:2");
    }

    #[test]
    fn days_are_counted_by_the_calendar() {
        let (due_at, utc) = (10 * DAY - 1, ShopZone::default());
        assert_eq!(days_left(utc, due_at, DAY), 8);
        assert_eq!((days_left(utc, due_at, 9 * DAY), days_left(utc, due_at, 10 * DAY)), (0, -1));
        assert_eq!(days_left(utc, 9 * DAY + 1, 9 * DAY + 2), -1);
        let tokyo = ShopZone::of_name("Asia/Tokyo").unwrap();
        assert_eq!(days_left(tokyo, due_at, 9 * DAY), 1, "due on the next day there");
    }
}
