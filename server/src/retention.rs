//! Data retention: deletes personal data that nobody needs any more. The guide's table of what is kept for how long
//! (docs/guide/operate.md) says the same.

use std::sync::Arc;
use std::time::Duration;

use sqlx::AnyConnection;

use crate::auth;
use crate::checkout;
use crate::db::{Db, Work};
use crate::http::error::Error;
use crate::infra::clock::{DAY, HOUR};
use crate::mail::outbox;
use crate::shop::Shop;

/// From the end of its reservation, for a checkout that made no order.
const CHECKOUT_ADDRESS: i64 = 30 * DAY;
/// From when the payment provider's event was applied.
const EVENT_BODY: i64 = 30 * DAY;
/// From when an email about an account was sent or given up.
const ACCOUNT_EMAIL: i64 = 90 * DAY;
/// From a sign-up whose address was never confirmed.
const UNCONFIRMED: i64 = 7 * DAY;

/// Rows of one transaction: few enough that nobody waits for them.
const BATCH: i64 = 500;
/// Between two batches, in which others write.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs at the start and each hour, until the shop stops.
pub async fn run(shop: Arc<Shop>) {
    let mut tick = tokio::time::interval(Duration::from_millis(HOUR.unsigned_abs()));
    let repeated = async {
        loop {
            tick.tick().await;
            if let Err(error) = sweep(&shop.db, shop.clock.now_ms()).await {
                tracing::error!(%error, "old personal data could not be deleted; it will be tried again");
            }
        }
    };
    tokio::select! {
        () = shop.stopping.cancelled() => {}
        () = repeated => {}
    }
}

/// Deletes everything that is old enough, a batch at a time.
///
/// # Errors
/// The database's failure.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    in_batches(db, move |tx| Box::pin(checkout::store::delete_addresses(tx, now_ms - CHECKOUT_ADDRESS, BATCH))).await?;
    in_batches(db, move |tx| Box::pin(checkout::webhook_events::store::delete_bodies(tx, now_ms - EVENT_BODY, BATCH)))
        .await?;
    in_batches(db, move |tx| Box::pin(outbox::delete_of_accounts(tx, now_ms - ACCOUNT_EMAIL, BATCH))).await?;
    in_batches(db, move |tx| Box::pin(auth::delete_unconfirmed(tx, now_ms - UNCONFIRMED, now_ms, BATCH))).await
}

/// `delete` gives the number of rows it found, which is less than a batch at the end.
async fn in_batches<F>(db: &Db, delete: F) -> Result<(), Error>
where
    F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, u64> + Copy + Send + Sync + 'static,
{
    while i64::try_from(db.write_closure(delete).await?).is_ok_and(|deleted| deleted >= BATCH) {
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
