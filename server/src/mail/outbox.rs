//! The table between what happens and the mail that tells of it.

use app::mail::Mail;
use sqlx::{AnyConnection, Row as _};

use crate::chance;
use crate::error::Error;

pub struct OutgoingMail {
    /// One logical mail has one key: put in twice, it is sent once.
    pub dedupe_key: String,
    pub to: String,
    pub mail: Mail,
}

/// A mail that waits to be sent.
pub struct Waiting {
    pub id: String,
    pub recipient: String,
    pub mail: Mail,
    pub created_at: i64,
}

/// Puts a mail into the transaction it belongs to; it leaves if, and only if, that is committed.
pub async fn enqueue(tx: &mut AnyConnection, now: i64, outgoing: OutgoingMail) -> Result<(), Error> {
    let message = serde_json::to_string(&outgoing.mail).map_err(Error::internal)?;
    sqlx::query(
        "INSERT INTO outbox (id, dedupe_key, recipient, message, created_at, next_attempt_at) \
         VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (dedupe_key) DO NOTHING",
    )
    .bind(chance::new_id())
    .bind(&outgoing.dedupe_key)
    .bind(&outgoing.to)
    .bind(message)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Takes mails that are due; one that is not marked as sent comes again, each time after a longer wait.
pub(super) async fn claim(tx: &mut AnyConnection, now: i64) -> Result<Vec<Waiting>, Error> {
    let rows = sqlx::query(
        "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $1 + 5000 * (attempts + 1) * (attempts + 1) \
         WHERE id IN (SELECT id FROM outbox WHERE sent_at IS NULL AND next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT 20) \
         AND next_attempt_at <= $1 RETURNING id, recipient, message, created_at",
    )
    .bind(now)
    .fetch_all(tx)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Waiting {
                id: row.try_get("id")?,
                recipient: row.try_get("recipient")?,
                mail: serde_json::from_str(row.try_get("message")?).map_err(Error::internal)?,
                created_at: row.try_get("created_at")?,
            })
        })
        .collect()
}

/// The message itself is dropped once it has left: it may hold a code.
pub(super) async fn mark_sent(tx: &mut AnyConnection, id: &str, now: i64) -> Result<(), Error> {
    sqlx::query("UPDATE outbox SET sent_at = $2, message = '' WHERE id = $1").bind(id).bind(now).execute(tx).await?;
    Ok(())
}
