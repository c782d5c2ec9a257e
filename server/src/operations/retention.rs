//! Data retention: deletes personal data that is no longer needed, and unused photos. docs/guide/operate.md has the same periods.

use std::time::Duration;

use sqlx::AnyConnection;

use crate::accounts;
use crate::catalog::back_in_stock;
use crate::catalog::photos;
use crate::checkout;
use crate::db::{Db, Work, shop_metadata};
use crate::error::Error;
use crate::infra::clock::DAY;
use crate::mail::{EmailKind, outbox};
use crate::operations::Operations;

/// Addresses of checkouts without an order, after the reservation expired.
const CHECKOUT_ADDRESS: i64 = 30 * DAY;
/// Emails about an account, after they were sent or failed.
const ACCOUNT_EMAIL: i64 = 90 * DAY;
/// Back-in-stock emails, after they were sent or failed.
const BACK_IN_STOCK_EMAIL: i64 = DAY;
/// Unconfirmed sign-ups.
const UNCONFIRMED: i64 = 7 * DAY;

/// Photos that no product uses, after their last use: pages in caches may still show them.
const UNUSED_PHOTO: i64 = DAY;

/// How long the record of an email stays.
enum Retention {
    /// As long as the orders.
    Unlimited,
    /// After it was sent or failed.
    For(i64),
}

fn retention_of(kind: EmailKind) -> Retention {
    match kind {
        EmailKind::Code
        | EmailKind::AddressInUse
        | EmailKind::PasswordChanged
        | EmailKind::EmailChanged
        | EmailKind::SecondFactor
        | EmailKind::SessionsEnded
        | EmailKind::Passkey
        | EmailKind::WrongCodes => Retention::For(ACCOUNT_EMAIL),
        EmailKind::BackInStock => Retention::For(BACK_IN_STOCK_EMAIL),
        EmailKind::Receipt
        | EmailKind::Shipment
        | EmailKind::Refund
        | EmailKind::RefundFailed
        | EmailKind::PaymentRefund
        | EmailKind::NewOrder
        | EmailKind::Alert
        | EmailKind::DisputeReminder
        | EmailKind::LowStock
        // The newer program deletes them.
        | EmailKind::Other => Retention::Unlimited,
    }
}

/// Rows per transaction: few, so that other writes do not wait.
const BATCH: i64 = 500;
/// Photos per transaction: each has megabytes.
const PHOTO_BATCH: i64 = 10;
/// Pause between batches, for other writes.
const PAUSE: Duration = Duration::from_millis(50);

/// Deletes all data past its retention period, also from the database's log.
///
/// # Errors
/// The database's error.
pub async fn sweep(state: &Operations) -> Result<(), Error> {
    let started_at = state.clock.now_ms();
    let deleted = delete_old(&state.db, started_at).await?;
    // A replicator would miss what it has not copied yet.
    if deleted > 0 && !state.config.has_replicator {
        state.db.empty_log().await?;
    }
    let save =
        state.db.write(started_at.to_string(), |tx, at| Box::pin(shop_metadata::set(tx, shop_metadata::RETAINED, at)));
    save.await
}

/// Deletes in batches, and returns the number of rows.
async fn delete_old(db: &Db, now_ms: i64) -> Result<u64, Error> {
    let mut deleted = in_batches(db, BATCH, move |tx| {
        Box::pin(checkout::store::delete_addresses(tx, now_ms - CHECKOUT_ADDRESS, BATCH))
    })
    .await?;
    for kind in EmailKind::ALL {
        if let Retention::For(period) = retention_of(kind) {
            let ended_before = now_ms - period;
            deleted +=
                in_batches(db, BATCH, move |tx| Box::pin(outbox::delete_ended(tx, kind, ended_before, BATCH))).await?;
        }
    }
    deleted += in_batches(db, BATCH, move |tx| {
        Box::pin(accounts::delete_unconfirmed(tx, now_ms - UNCONFIRMED, now_ms, BATCH))
    })
    .await?;
    let unused = now_ms - UNUSED_PHOTO;
    deleted +=
        in_batches(db, PHOTO_BATCH, move |tx| Box::pin(photos::store::delete_unused(tx, unused, PHOTO_BATCH))).await?;
    let (unconfirmed, waiting) = (now_ms - back_in_stock::CONFIRMATION_TIME, now_ms - back_in_stock::WAITING_TIME);
    deleted +=
        in_batches(db, BATCH, move |tx| Box::pin(back_in_stock::store::delete_old(tx, unconfirmed, waiting, BATCH)))
            .await?;
    Ok(deleted)
}

/// Repeats `delete`, which returns the number of deleted rows, until it deletes less than a batch. Returns their sum.
async fn in_batches<F>(db: &Db, batch: i64, delete: F) -> Result<u64, Error>
where
    F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, u64> + Copy + Send + Sync + 'static,
{
    let mut all = 0;
    loop {
        let deleted = db.write(delete, |tx, delete| delete(tx)).await?;
        all += deleted;
        if i64::try_from(deleted).is_ok_and(|deleted| deleted < batch) {
            return Ok(all);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
