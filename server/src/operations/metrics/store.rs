//! Counts all pending work in one statement, and reads when the last of each kind was done.

use sqlx::{AnyPool, Row as _};

use crate::db::{Db, shop_metadata};
use crate::error::Error;

pub struct Counts {
    pub outbox: i64,
    /// Time of the oldest pending email.
    pub outbox_since: Option<i64>,
    pub outbox_failed: i64,
    pub checkouts: i64,
    pub alerts: i64,
    pub webhook_events: i64,
    /// Time of the oldest pending event.
    pub webhook_since: Option<i64>,
    pub tax_records: i64,
    pub payments: i64,
    /// In bytes.
    pub size: i64,
    pub reconciled: Option<i64>,
    pub payouts: Option<i64>,
    pub backed_up: Option<i64>,
    pub drilled: Option<i64>,
    pub retained: Option<i64>,
}

pub async fn load(db: &Db) -> Result<Counts, Error> {
    let pool = db.read();
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL) AS outbox, \
         (SELECT MIN(created_at) FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL) AS outbox_since, \
         (SELECT COUNT(*) FROM outbox WHERE failed_at IS NOT NULL) AS outbox_failed, \
         (SELECT COUNT(*) FROM checkouts WHERE state = 'open') AS checkouts, \
         (SELECT COUNT(*) FROM alerts WHERE resolved_at IS NULL) AS alerts, \
         (SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL) AS webhook_events, \
         (SELECT MIN(received_at) FROM webhook_events WHERE applied_at IS NULL) AS webhook_since, \
         (SELECT COUNT(*) FROM alerts WHERE resolved_at IS NULL AND payment_intent_id IS NOT NULL) AS payments, \
         (SELECT COUNT(*) FROM tax_records WHERE state = 'pending') AS tax_records",
    )
    .fetch_one(pool)
    .await?;
    Ok(Counts {
        outbox: row.try_get("outbox")?,
        outbox_since: row.try_get("outbox_since")?,
        outbox_failed: row.try_get("outbox_failed")?,
        checkouts: row.try_get("checkouts")?,
        alerts: row.try_get("alerts")?,
        webhook_events: row.try_get("webhook_events")?,
        webhook_since: row.try_get("webhook_since")?,
        tax_records: row.try_get("tax_records")?,
        payments: row.try_get("payments")?,
        size: db.size().await?,
        reconciled: find_time(pool, shop_metadata::RECONCILED).await?,
        payouts: find_time(pool, shop_metadata::PAYOUTS_SYNCED).await?,
        backed_up: find_time(pool, shop_metadata::BACKED_UP).await?,
        drilled: find_time(pool, shop_metadata::DRILLED).await?,
        retained: find_time(pool, shop_metadata::RETAINED).await?,
    })
}

async fn find_time(pool: &AnyPool, name: &str) -> Result<Option<i64>, Error> {
    Ok(shop_metadata::find(pool, name).await?.and_then(|at| at.parse().ok()))
}
