//! Worker that sends the emails of the outbox, with retries.

use std::sync::Arc;
use std::time::Duration;

use app::mail::ShopInfo;
use sqlx::AnyConnection;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::outbox::{self, Claimed};
use super::transport::{Delivery, Transport};
use super::{Letterhead, PictureSource, Pictures, SendError, message};
use crate::db::Db;
use crate::error::Error;
use crate::infra::backoff;
use crate::infra::clock::{Clock, HOUR, MINUTE};

/// What the worker works with.
pub struct Mail {
    pub db: Db,
    pub clock: Clock,
    pub stopping: CancellationToken,
    /// Wakes the worker when an email is enqueued.
    pub enqueued: Arc<Notify>,
    pub letterhead: Arc<dyn Letterhead>,
    pub pictures: Arc<dyn PictureSource>,
}

const POLL_INTERVAL: Duration = Duration::from_secs(1);
const QUERY_TIMEOUT: Duration = Duration::from_secs(10);
/// For one email. Well below the lease.
const SEND_TIMEOUT: Duration = Duration::from_secs(60);
/// The time that an email in transit still gets when the shop stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);
/// An email that waits longer than this is logged as an error.
const LATE: i64 = 5 * MINUTE;

/// Runs until the shop stops.
///
/// While the mail server is unavailable, emails stay due and the worker retries with backoff from one second to one
/// minute; once it is back, it sends everything at once. A single email that fails is retried with backoff from one
/// second to one hour.
pub async fn run(state: Arc<Mail>, delivery: Delivery) {
    let mut failures = 0;
    loop {
        tokio::select! {
            () = state.stopping.cancelled() => return,
            () = state.enqueued.notified() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
        let Err(reason) = deliver_due(&state, &delivery).await else {
            failures = 0;
            continue;
        };
        failures += 1;
        tracing::error!(reason, failures, "cannot send emails; they stay in the outbox");
        let pause = Duration::from_millis(backoff::delay_ms(failures, MINUTE).unsigned_abs());
        tokio::select! {
            () = state.stopping.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Sends all due emails. After an error it closes the connection and opens another one.
async fn deliver_due(state: &Arc<Mail>, delivery: &Delivery) -> Result<(), String> {
    while !state.stopping.is_cancelled() && is_any_due(state).await? {
        let shop = state.letterhead.shop();
        let mut transport = tokio::select! {
            () = state.stopping.cancelled() => return Ok(()),
            transport = delivery.open(&shop.support_email) => transport?,
        };
        let result = send_until_error(state, &mut transport).await;
        transport.close().await;
        result?;
    }
    Ok(())
}

/// The timeout keeps a hanging database connection from blocking the worker.
async fn is_any_due(state: &Mail) -> Result<bool, String> {
    match timeout(QUERY_TIMEOUT, outbox::is_any_due(state.db.read(), state.clock.now_ms())).await {
        Ok(due) => due.map_err(|error| error.to_string()),
        Err(_) => Err("the database did not respond in time".to_owned()),
    }
}

async fn send_until_error(state: &Arc<Mail>, transport: &mut Transport<'_>) -> Result<(), String> {
    let mut next = claim_next(state, None).await.map_err(|error| error.to_string())?;
    while let Some((claimed, rendered)) = next {
        let result = send(state, transport, &claimed, &rendered).await;
        log(&claimed, &result, state.clock.now_ms());
        if result.is_err() || state.stopping.is_cancelled() {
            return record_result(state, claimed, result).await;
        }
        next = match claim_next(state, Some(claimed.id.clone())).await {
            Ok(next) => next,
            Err(error) => {
                // The failed transaction would also have marked this email as sent.
                record_result(state, claimed, result).await?;
                return Err(error.to_string());
            }
        };
    }
    Ok(())
}

async fn send(state: &Mail, transport: &mut Transport<'_>, claimed: &Claimed, rendered: &str) -> Result<(), SendError> {
    tokio::select! {
        result = timeout(SEND_TIMEOUT, transport.send(claimed, rendered)) => {
            result.unwrap_or_else(|_| Err(SendError::Transient("the mail server did not respond in time".to_owned())))
        }
        () = grace_period_ends(state) => Err(SendError::Transient("the shop is stopping".to_owned())),
    }
}

async fn grace_period_ends(state: &Mail) {
    state.stopping.cancelled().await;
    tokio::time::sleep(SHUTDOWN_GRACE).await;
}

/// Marks the previous email as sent, then claims and renders the next one, in one transaction. So an email is stored as
/// rendered before it is sent. Expired and invalid emails are marked as failed on the way.
async fn claim_next(state: &Arc<Mail>, sent: Option<String>) -> Result<Option<(Claimed, String)>, Error> {
    let next = Arc::new(NextClaim {
        sent,
        pictures: state.pictures.clone().load().await?,
        shop: state.letterhead.shop(),
        now: state.clock.now_ms(),
    });
    loop {
        match state.db.write(next.clone(), |tx, next| Box::pin(next.apply(tx))).await? {
            ClaimResult::Empty => return Ok(None),
            ClaimResult::Claimed(claimed, rendered) => return Ok(Some((*claimed, rendered))),
            ClaimResult::Failed { id, reason } => log_failed(&id, &reason),
        }
    }
}

struct NextClaim {
    sent: Option<String>,
    pictures: Pictures,
    shop: ShopInfo,
    now: i64,
}

enum ClaimResult {
    Empty,
    Claimed(Box<Claimed>, String),
    Failed { id: String, reason: String },
}

impl NextClaim {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<ClaimResult, Error> {
        if let Some(id) = &self.sent {
            outbox::mark_sent(tx, id, self.now).await?;
        }
        let Some(claimed) = outbox::claim(tx, self.now).await? else {
            return Ok(ClaimResult::Empty);
        };
        match self.render(tx, &claimed).await? {
            Ok(rendered) => Ok(ClaimResult::Claimed(Box::new(claimed), rendered)),
            Err(reason) => {
                outbox::mark_failed(tx, &claimed, self.now, &reason).await?;
                Ok(ClaimResult::Failed { id: claimed.id, reason })
            }
        }
    }

    /// The stored message of an earlier attempt, or a new one, which it stores. The inner error is permanent.
    async fn render(&self, tx: &mut AnyConnection, claimed: &Claimed) -> Result<Result<String, String>, Error> {
        if self.now >= claimed.ends_at {
            return Ok(Err("expired before it could be delivered".to_owned()));
        }
        if let Some(text) = &claimed.rendered {
            return Ok(Ok(text.clone()));
        }
        match message::render(claimed, &self.shop.name, &self.shop.support_email, |product_id| {
            (self.pictures)(product_id)
        }) {
            Ok(text) => {
                outbox::save_rendered(tx, &claimed.id, &text).await?;
                Ok(Ok(text))
            }
            Err(reason) => Ok(Err(reason)),
        }
    }
}

/// Stores the result of an attempt. An error means that the other emails cannot be sent at the moment either.
async fn record_result(state: &Arc<Mail>, claimed: Claimed, result: Result<(), SendError>) -> Result<(), String> {
    let now = state.clock.now_ms();
    let for_all = match &result {
        Err(SendError::Unavailable(reason)) => Err(reason.clone()),
        _ => Ok(()),
    };
    let next_attempt_at = now + backoff::delay_ms(claimed.attempt, HOUR);
    let attempt = Attempt { claimed, result, now, next_attempt_at };
    let written = state.db.write(attempt, |tx, attempt| Box::pin(attempt.save(tx))).await;
    written.map_err(|error| error.to_string())?;
    for_all
}

/// The result of one attempt to send an email.
struct Attempt {
    claimed: Claimed,
    result: Result<(), SendError>,
    now: i64,
    next_attempt_at: i64,
}

impl Attempt {
    async fn save(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let claimed = &self.claimed;
        match &self.result {
            Ok(()) => outbox::mark_sent(tx, &claimed.id, self.now).await,
            Err(SendError::Transient(reason)) => outbox::retry_later(tx, claimed, self.next_attempt_at, reason).await,
            Err(SendError::Permanent(reason)) => outbox::mark_failed(tx, claimed, self.now, reason).await,
            Err(SendError::Unavailable(reason)) => outbox::release(tx, claimed, self.now, reason).await,
        }
    }
}

fn log(claimed: &Claimed, result: &Result<(), SendError>, now: i64) {
    let (mail, attempt) = (claimed.id.as_str(), claimed.attempt);
    match result {
        Err(SendError::Transient(reason)) if now - claimed.created_at > LATE => {
            tracing::error!(mail, attempt, reason, "email not sent for more than 5 minutes; will retry");
        }
        Err(SendError::Transient(reason)) => tracing::warn!(mail, attempt, reason, "email not sent; will retry"),
        Err(SendError::Permanent(reason)) => log_failed(mail, reason),
        // Logged once for all emails.
        Err(SendError::Unavailable(_)) => {}
        Ok(()) => tracing::info!(mail, kind = claimed.kind, order = claimed.order_id, "email sent"),
    }
}

fn log_failed(id: &str, reason: &str) {
    tracing::error!(mail = id, reason, "email failed permanently");
}
