//! Transactional outbox: the table of emails to send.
//!
//! A worker claims one email at a time for the duration of a lease, so that several processes do not send it twice. The
//! attempt number is the fencing token of the lease: a worker that lost its lease can no longer change the row.

use std::collections::HashSet;

use app::mail::Mail;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row as _};

use super::EmailKind;
use crate::db::json::{from_json, to_json};
use crate::db::rows::{ROWS, Values, skip_locked, value_rows};
use crate::error::Error;
use crate::infra::clock::{DAY, MINUTE};
use crate::infra::random;

/// Longer than sending one email takes, so an expired lease means that the worker was killed.
pub const LEASE: i64 = 2 * MINUTE;
/// How long the worker retries an email without an expiry of its own. RFC 5321 recommends four to five days.
pub const MAX_AGE: i64 = 5 * DAY;

pub struct OutgoingMail {
    pub kind: EmailKind,
    /// The order that it is about.
    pub order_id: Option<String>,
    /// Idempotency key: two emails with the same key are sent once.
    pub dedupe_key: String,
    pub to: String,
    pub mail: Mail,
}

/// An email that this worker has claimed.
#[derive(Clone)]
pub struct Claimed {
    pub id: String,
    pub kind: String,
    /// The order that it is about.
    pub order_id: Option<String>,
    pub recipient: String,
    pub mail: Mail,
    pub created_at: i64,
    /// After this instant it must not be sent.
    pub ends_at: i64,
    /// The message of an earlier attempt, which later attempts must repeat.
    pub rendered: Option<String>,
    pub attempt: i64,
}

/// Emails that were not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    pub waiting: i64,
    /// When the oldest pending email was enqueued.
    pub oldest: Option<i64>,
    pub failed: i64,
    /// Why the oldest pending email was not sent yet.
    pub failure: Option<String>,
}

/// The result of [`enqueue_once`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enqueued {
    New,
    /// The outbox already has an email with this key.
    Duplicate,
}

/// Enqueues an email in the caller's transaction. It is sent if and only if the transaction commits.
pub async fn enqueue(tx: &mut AnyConnection, now: i64, outgoing: OutgoingMail) -> Result<(), Error> {
    insert(tx, now, &outgoing, None).await.map(drop)
}

/// [`enqueue`] that reports whether the email is new.
pub async fn enqueue_once(tx: &mut AnyConnection, now: i64, outgoing: &OutgoingMail) -> Result<Enqueued, Error> {
    insert(tx, now, outgoing, None).await
}

/// [`enqueue_once`] for many emails. Returns the keys of those that are new.
pub async fn enqueue_all_once(
    tx: &mut AnyConnection,
    now: i64,
    outgoing: &[OutgoingMail],
) -> Result<HashSet<String>, Error> {
    let mut new = HashSet::new();
    for chunk in outgoing.chunks(ROWS) {
        let mut bound = Values::default();
        for OutgoingMail { kind, order_id, dedupe_key, to, mail } in chunk {
            bound.text(random::new_id())?.text(kind.as_str())?.maybe_text(order_id.clone())?.text(dedupe_key)?;
            bound.text(to)?.json(mail)?.whole(now)?.whole(now)?;
        }
        let insert = format!(
            "INSERT INTO outbox (id, kind, order_id, dedupe_key, recipient, message, created_at, next_attempt_at) \
             VALUES {} ON CONFLICT (dedupe_key) DO NOTHING RETURNING dedupe_key",
            value_rows(chunk.len(), 8)
        );
        let keys: Vec<String> = sqlx::query_scalar_with(AssertSqlSafe(insert), bound.0).fetch_all(&mut *tx).await?;
        new.extend(keys);
    }
    Ok(new)
}

/// [`enqueue`] for an email that expires at `ends_at`. After that it is never sent.
pub async fn enqueue_until(
    tx: &mut AnyConnection,
    now: i64,
    ends_at: i64,
    outgoing: OutgoingMail,
) -> Result<(), Error> {
    insert(tx, now, &outgoing, Some(ends_at)).await.map(drop)
}

async fn insert(
    tx: &mut AnyConnection,
    now: i64,
    outgoing: &OutgoingMail,
    expires_at: Option<i64>,
) -> Result<Enqueued, Error> {
    let message = to_json(&outgoing.mail)?;
    let done = sqlx::query(
        "INSERT INTO outbox (id, kind, order_id, dedupe_key, recipient, message, created_at, next_attempt_at, \
         expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8) ON CONFLICT (dedupe_key) DO NOTHING",
    )
    .bind(random::new_id())
    .bind(outgoing.kind.as_str())
    .bind(&outgoing.order_id)
    .bind(&outgoing.dedupe_key)
    .bind(&outgoing.to)
    .bind(message)
    .bind(now)
    .bind(expires_at)
    .execute(tx)
    .await?;
    Ok(if done.rows_affected() == 1 { Enqueued::New } else { Enqueued::Duplicate })
}

pub(super) async fn is_any_due(pool: &AnyPool, now: i64) -> Result<bool, Error> {
    let due = sqlx::query(
        "SELECT 1 FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= $1 LIMIT 1",
    )
    .bind(now)
    .fetch_optional(pool)
    .await?;
    Ok(due.is_some())
}

/// Claims the email that has been due longest, for the duration of a lease.
pub async fn claim(tx: &mut AnyConnection, now: i64) -> Result<Option<Claimed>, Error> {
    let update = format!(
        "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $2 \
         WHERE id = (SELECT id FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= $1 \
                     ORDER BY next_attempt_at, id LIMIT 1{}) \
         AND sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= $1 \
         RETURNING id, kind, order_id, recipient, message, created_at, expires_at, rendered, attempts",
        skip_locked(tx, "outbox")
    );
    let row = sqlx::query(AssertSqlSafe(update)).bind(now).bind(now + LEASE).fetch_optional(tx).await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let created_at: i64 = row.try_get("created_at")?;
    let expires_at: Option<i64> = row.try_get("expires_at")?;
    Ok(Some(Claimed {
        id: row.try_get("id")?,
        kind: row.try_get("kind")?,
        order_id: row.try_get("order_id")?,
        recipient: row.try_get("recipient")?,
        mail: from_json(row.try_get("message")?)?,
        created_at,
        ends_at: expires_at.unwrap_or(created_at + MAX_AGE),
        rendered: row.try_get("rendered")?,
        attempt: row.try_get("attempts")?,
    }))
}

pub async fn save_rendered(tx: &mut AnyConnection, id: &str, rendered: &str) -> Result<(), Error> {
    sqlx::query("UPDATE outbox SET rendered = $2 WHERE id = $1").bind(id).bind(rendered).execute(tx).await?;
    Ok(())
}

/// Marks an email as sent. Deletes its text, which may contain a code.
pub async fn mark_sent(tx: &mut AnyConnection, id: &str, now: i64) -> Result<(), Error> {
    sqlx::query("UPDATE outbox SET sent_at = $2, message = '', rendered = NULL, failure = NULL WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// Schedules the next attempt.
pub(super) async fn retry_later(
    tx: &mut AnyConnection,
    claimed: &Claimed,
    next: i64,
    failure: &str,
) -> Result<(), Error> {
    sqlx::query(
        "UPDATE outbox SET next_attempt_at = $3, failure = $4 WHERE id = $1 AND attempts = $2 AND sent_at IS NULL",
    )
    .bind(&claimed.id)
    .bind(claimed.attempt)
    .bind(next)
    .bind(failure)
    .execute(tx)
    .await?;
    Ok(())
}

/// Releases the claim without an attempt: the email is due at once, and its attempt count is restored.
pub(super) async fn release(tx: &mut AnyConnection, claimed: &Claimed, now: i64, failure: &str) -> Result<(), Error> {
    sqlx::query(
        "UPDATE outbox SET attempts = attempts - 1, next_attempt_at = $3, failure = $4 \
         WHERE id = $1 AND attempts = $2 AND sent_at IS NULL",
    )
    .bind(&claimed.id)
    .bind(claimed.attempt)
    .bind(now)
    .bind(failure)
    .execute(tx)
    .await?;
    Ok(())
}

/// Marks an email as failed, with the reason. It is not retried.
pub(super) async fn mark_failed(
    tx: &mut AnyConnection,
    claimed: &Claimed,
    now: i64,
    reason: &str,
) -> Result<(), Error> {
    sqlx::query(
        "UPDATE outbox SET failed_at = $3, failure = $4, message = '', rendered = NULL \
         WHERE id = $1 AND attempts = $2 AND sent_at IS NULL",
    )
    .bind(&claimed.id)
    .bind(claimed.attempt)
    .bind(now)
    .bind(reason)
    .execute(tx)
    .await?;
    Ok(())
}

/// The pending emails, and the number of emails that failed since `since`.
pub async fn load_backlog(connection: &mut AnyConnection, since: i64) -> Result<Backlog, Error> {
    let counts = sqlx::query(
        "SELECT COUNT(*) AS waiting, MIN(created_at) AS oldest FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL",
    )
    .fetch_one(&mut *connection)
    .await?;
    let failed = sqlx::query_scalar("SELECT COUNT(*) FROM outbox WHERE failed_at >= $1")
        .bind(since)
        .fetch_one(&mut *connection)
        .await?;
    let failure: Option<Option<String>> = sqlx::query_scalar(
        "SELECT failure FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL ORDER BY created_at, id LIMIT 1",
    )
    .fetch_optional(&mut *connection)
    .await?;
    Ok(Backlog {
        waiting: counts.try_get("waiting")?,
        oldest: counts.try_get("oldest")?,
        failed,
        failure: failure.flatten(),
    })
}

/// Deletes at most `limit` emails of this kind that are about no order and were sent or failed before this instant.
/// Returns how many it deleted.
pub async fn delete_ended(
    tx: &mut AnyConnection,
    kind: EmailKind,
    ended_before: i64,
    limit: i64,
) -> Result<u64, Error> {
    let done = sqlx::query(
        "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE order_id IS NULL AND kind = $1 \
             AND COALESCE(sent_at, failed_at) < $2 ORDER BY COALESCE(sent_at, failed_at) LIMIT $3)",
    )
    .bind(kind.as_str())
    .bind(ended_before)
    .bind(limit)
    .execute(tx)
    .await?;
    Ok(done.rows_affected())
}
