//! The table between what happens and the mail that tells of it.
//!
//! A worker claims one mail at a time, for as long as a lease lasts, so that several processes do not send it
//! twice. The number of the attempt is the lease's token: who lost it can no longer change the row.

use app::mail::Mail;
use sqlx::{AnyConnection, AnyPool, Row as _};

use crate::http::error::Error;
use crate::infra::clock::{DAY, MINUTE};
use crate::infra::random;

/// Longer than one mail can take to be sent: a worker that is gone by then was killed.
pub const LEASE: i64 = 2 * MINUTE;
/// How long a mail without an end of its own is tried: what RFC 5321 asks of a mail server.
pub const PATIENCE: i64 = 5 * DAY;

pub struct OutgoingMail {
    /// One logical mail has one key: put in twice, it is sent once.
    pub dedupe_key: String,
    pub to: String,
    pub mail: Mail,
}

/// A mail that this process is to send.
#[derive(Clone)]
pub struct Claimed {
    pub id: String,
    pub recipient: String,
    pub mail: Mail,
    pub created_at: i64,
    /// From this moment on it is not sent any more.
    pub ends_at: i64,
    /// From an earlier attempt: this and nothing else is sent.
    pub rendered: Option<String>,
    pub attempt: i64,
}

/// Mails that have not left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    pub waiting: i64,
    /// When the one that waits longest was put in.
    pub oldest: Option<i64>,
    pub given_up: i64,
    /// Why the one that waits longest has not left yet.
    pub failure: Option<String>,
}

/// Whether a mail is in the outbox because of this call, or was there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    Now,
    Before,
}

/// Puts a mail into the transaction it belongs to; it leaves if, and only if, that is committed.
pub async fn enqueue(tx: &mut AnyConnection, now: i64, outgoing: OutgoingMail) -> Result<(), Error> {
    insert(tx, now, &outgoing, None).await.map(drop)
}

/// The same, for whoever wants to know whether the mail is new.
pub async fn put(tx: &mut AnyConnection, now: i64, outgoing: &OutgoingMail) -> Result<Put, Error> {
    insert(tx, now, outgoing, None).await
}

/// The same for a mail that is of no use from `ends_at` on: if it has not left by then, it never does.
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
) -> Result<Put, Error> {
    let message = serde_json::to_string(&outgoing.mail).map_err(Error::internal)?;
    let done = sqlx::query(
        "INSERT INTO outbox (id, dedupe_key, recipient, message, created_at, next_attempt_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $5, $6) ON CONFLICT (dedupe_key) DO NOTHING",
    )
    .bind(random::new_id())
    .bind(&outgoing.dedupe_key)
    .bind(&outgoing.to)
    .bind(message)
    .bind(now)
    .bind(expires_at)
    .execute(tx)
    .await?;
    Ok(if done.rows_affected() == 1 { Put::Now } else { Put::Before })
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

/// Takes the mail that has been due for longest, for the length of a lease.
pub async fn claim(tx: &mut AnyConnection, now: i64) -> Result<Option<Claimed>, Error> {
    let row = sqlx::query(
        "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $2 \
         WHERE id = (SELECT id FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= $1 \
                     ORDER BY next_attempt_at, id LIMIT 1) \
         AND sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= $1 \
         RETURNING id, recipient, message, created_at, expires_at, rendered, attempts",
    )
    .bind(now)
    .bind(now + LEASE)
    .fetch_optional(tx)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let created_at: i64 = row.try_get("created_at")?;
    let expires_at: Option<i64> = row.try_get("expires_at")?;
    Ok(Some(Claimed {
        id: row.try_get("id")?,
        recipient: row.try_get("recipient")?,
        mail: serde_json::from_str(row.try_get("message")?).map_err(Error::internal)?,
        created_at,
        ends_at: expires_at.unwrap_or(created_at + PATIENCE),
        rendered: row.try_get("rendered")?,
        attempt: row.try_get("attempts")?,
    }))
}

pub async fn keep_rendered(tx: &mut AnyConnection, id: &str, message_id: &str, rendered: &str) -> Result<(), Error> {
    sqlx::query("UPDATE outbox SET message_id = $2, rendered = $3 WHERE id = $1")
        .bind(id)
        .bind(message_id)
        .bind(rendered)
        .execute(tx)
        .await?;
    Ok(())
}

/// The message itself is dropped once it has left: it may hold a code.
pub async fn mark_sent(tx: &mut AnyConnection, id: &str, now: i64) -> Result<(), Error> {
    sqlx::query("UPDATE outbox SET sent_at = $2, message = '', rendered = NULL, failure = NULL WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// The mail comes again at `next`.
pub(super) async fn put_off(tx: &mut AnyConnection, claimed: &Claimed, next: i64, failure: &str) -> Result<(), Error> {
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

/// The mail was not tried after all: it is due at once, and its number of attempts is what it was.
pub(super) async fn hand_back(tx: &mut AnyConnection, claimed: &Claimed, now: i64, failure: &str) -> Result<(), Error> {
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

/// Nobody tries any more; the row says why, for whoever looks for the mail.
pub(super) async fn give_up(tx: &mut AnyConnection, claimed: &Claimed, now: i64, reason: &str) -> Result<(), Error> {
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

/// What waits, and how many were given up since `since`.
pub async fn load_backlog(connection: &mut AnyConnection, since: i64) -> Result<Backlog, Error> {
    let counts = sqlx::query(
        "SELECT COUNT(*) AS waiting, MIN(created_at) AS oldest FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL",
    )
    .fetch_one(&mut *connection)
    .await?;
    let given_up = sqlx::query_scalar("SELECT COUNT(*) FROM outbox WHERE failed_at >= $1")
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
        given_up,
        failure: failure.flatten(),
    })
}

/// Deletes emails about accounts (codes, passwords, sessions) that were sent or given up before this instant; gives how
/// many there were, at most so many. Emails about orders stay with them.
pub async fn delete_of_accounts(tx: &mut AnyConnection, ended_before: i64, limit: i64) -> Result<u64, Error> {
    let done = sqlx::query(
        "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox \
             WHERE SUBSTR(dedupe_key, 1, 5) IN ('addre', 'code:', 'passw', 'sessi', 'wrong') \
             AND COALESCE(sent_at, failed_at) < $1 ORDER BY COALESCE(sent_at, failed_at) LIMIT $2)",
    )
    .bind(ended_before)
    .bind(limit)
    .execute(tx)
    .await?;
    Ok(done.rows_affected())
}
