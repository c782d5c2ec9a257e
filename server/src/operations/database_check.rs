//! Health check of the database: whether it can be read and written.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::db::{Db, shop_metadata};
use crate::error::Error;
use crate::infra::clock::Clock;

/// The result is cached for this time: frequent probes share one check.
const MAX_AGE: Duration = Duration::from_secs(1);

/// Time and result of the last check. Single flight: the lock is held during a check.
#[derive(Clone, Default)]
pub struct DatabaseCheck(Arc<Mutex<Option<Checked>>>);

type Checked = (Instant, Result<(), String>);

impl DatabaseCheck {
    /// # Errors
    /// What the database can't do.
    pub async fn run(&self, db: &Db, clock: &Clock) -> Result<(), String> {
        let mut latest = self.0.clone().lock_owned().await;
        if let Some((checked_at, result)) = latest.as_ref()
            && checked_at.elapsed() < MAX_AGE
        {
            return result.clone();
        }
        // In its own task: if the client disconnects, the check still finishes for the requests that wait for it.
        let (db, now) = (db.clone(), clock.now_ms());
        let check = async move {
            let result = write_time(&db, now).await.map_err(|error| error.to_string());
            *latest = Some((Instant::now(), result.clone()));
            result
        };
        tokio::spawn(check).await.unwrap_or_else(|failure| Err(failure.to_string()))
    }
}

async fn write_time(db: &Db, now: i64) -> Result<(), Error> {
    if db.has_long_write() {
        // A load balancer must not take away the pages while a change of the time zone keeps SQLite's writer.
        return shop_metadata::find(db.read(), shop_metadata::LAST_READY).await.map(drop);
    }
    db.write(now.to_string(), |tx, now| Box::pin(shop_metadata::set(tx, shop_metadata::LAST_READY, now))).await
}
