//! Takes mails out of the outbox and delivers them; what cannot be delivered now is tried again.

use std::sync::Arc;
use std::time::Duration;

use sqlx::AnyConnection;
use tokio::time::timeout;

use super::outbox::{self, Claimed};
use super::transport::{Delivery, Way};
use super::{Refusal, message};
use crate::http::error::Error;
use crate::infra::clock::{HOUR, MINUTE, SECOND};
use crate::infra::random;
use crate::shop::Shop;

const LOOK_EVERY: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_secs(10);
/// For one mail; well below the lease.
const SEND: Duration = Duration::from_secs(60);
/// What a mail on its way is still given when the shop stops.
const FINISH: Duration = Duration::from_secs(5);
/// Mail older than this which has not left is somebody's business.
const LATE: i64 = 5 * MINUTE;

/// Runs until the shop stops.
///
/// While the mail server cannot be spoken to, mails stay due and the server is tried again after 1 s, at most
/// after a minute: when it is back, everything leaves at once. A single mail that is put off comes back after
/// 1 s, at most after an hour.
pub async fn run(shop: Arc<Shop>, delivery: Delivery) {
    let mut failures = 0;
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            () = shop.mail_enqueued.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
        let Err(reason) = deliver_due(&shop, &delivery).await else {
            failures = 0;
            continue;
        };
        failures += 1;
        tracing::error!(reason, failures, "no mail can be sent; it stays in the outbox");
        let pause = Duration::from_millis(wait(failures, MINUTE).unsigned_abs());
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Sends until nothing is due. A conversation in which something was refused is ended, and the next one begun.
async fn deliver_due(shop: &Arc<Shop>, delivery: &Delivery) -> Result<(), String> {
    while !shop.stopping.is_cancelled() && is_any_due(shop).await? {
        let mut way = tokio::select! {
            () = shop.stopping.cancelled() => return Ok(()),
            way = delivery.open() => way?,
        };
        let outcome = send_until_refused(shop, &mut way).await;
        way.close().await;
        outcome?;
    }
    Ok(())
}

/// A database that falls silent in the middle of a question must not silence the mailer as well.
async fn is_any_due(shop: &Shop) -> Result<bool, String> {
    match timeout(LOOK, outbox::is_any_due(shop.db.read(), shop.clock.now_ms())).await {
        Ok(due) => due.map_err(|error| error.to_string()),
        Err(_) => Err("the database did not answer in time".to_owned()),
    }
}

async fn send_until_refused(shop: &Arc<Shop>, way: &mut Way<'_>) -> Result<(), String> {
    let mut next = take(shop, None).await.map_err(|error| error.to_string())?;
    while let Some((claimed, rendered)) = next {
        let outcome = tokio::select! {
            outcome = timeout(SEND, way.send(&claimed, &rendered)) => {
                outcome.unwrap_or_else(|_| Err(Refusal::Later("the mail server did not answer in time".to_owned())))
            }
            () = stopped_for_good(shop) => Err(Refusal::Later("the shop was stopped".to_owned())),
        };
        if outcome.is_err() || shop.stopping.is_cancelled() {
            return settle(shop, claimed, outcome).await;
        }
        next = match take(shop, Some(claimed.id.clone())).await {
            Ok(next) => next,
            Err(error) => {
                // Whatever is wrong with the next mail, this one has left.
                settle(shop, claimed, outcome).await?;
                return Err(error.to_string());
            }
        };
    }
    Ok(())
}

async fn stopped_for_good(shop: &Shop) {
    shop.stopping.cancelled().await;
    tokio::time::sleep(FINISH).await;
}

/// Notes that a mail was sent, claims the next one and renders it, unless that was done before: all in one
/// transaction, so whatever is sent was kept first. Mails that cannot or need not be sent any more are given up on
/// the way.
async fn take(shop: &Arc<Shop>, sent: Option<String>) -> Result<Option<(Claimed, String)>, Error> {
    let now = shop.clock.now_ms();
    loop {
        let (name, from) = (shop.config.shop_name.clone(), shop.config.support_email.clone());
        let sent = sent.clone();
        let taken = shop
            .db
            .write_closure(move |tx| {
                let (name, from, sent) = (name.clone(), from.clone(), sent.clone());
                Box::pin(async move {
                    if let Some(id) = sent {
                        outbox::mark_sent(tx, &id, now).await?;
                    }
                    let Some(claimed) = outbox::claim(tx, now).await? else {
                        return Ok(Taken::Nothing);
                    };
                    render_or_give_up(tx, claimed, now, &name, &from).await
                })
            })
            .await?;
        match taken {
            Taken::Nothing => return Ok(None),
            Taken::Mail(claimed, rendered) => return Ok(Some((claimed, rendered))),
            Taken::GivenUp(id, reason) => log_given_up(&id, &reason),
        }
    }
}

async fn render_or_give_up(
    tx: &mut AnyConnection,
    claimed: Claimed,
    now: i64,
    name: &str,
    from: &str,
) -> Result<Taken, Error> {
    let rendered = match fit_to_send(&claimed, now, name, from) {
        Ok(Fit::AsBefore(text)) => text,
        Ok(Fit::Anew(rendered)) => {
            outbox::keep_rendered(tx, &claimed.id, &rendered.message_id, &rendered.text).await?;
            rendered.text
        }
        Err(reason) => {
            outbox::give_up(tx, &claimed, now, &reason).await?;
            return Ok(Taken::GivenUp(claimed.id, reason));
        }
    };
    Ok(Taken::Mail(claimed, rendered))
}

enum Taken {
    Nothing,
    Mail(Claimed, String),
    GivenUp(String, String),
}

enum Fit {
    AsBefore(String),
    Anew(message::Rendered),
}

fn fit_to_send(claimed: &Claimed, now: i64, shop_name: &str, from: &str) -> Result<Fit, String> {
    if now >= claimed.ends_at {
        return Err("it could not be delivered in the time in which it was of use".to_owned());
    }
    match &claimed.rendered {
        Some(text) => Ok(Fit::AsBefore(text.clone())),
        None => message::render(claimed, shop_name, from).map(Fit::Anew),
    }
}

/// Writes down what became of the mail; an error means that the others need not be tried now.
async fn settle(shop: &Arc<Shop>, claimed: Claimed, outcome: Result<(), Refusal>) -> Result<(), String> {
    let now = shop.clock.now_ms();
    let next = now + wait(claimed.attempt, HOUR);
    log(&claimed, &outcome, now);
    let for_all = match &outcome {
        Err(Refusal::Server(reason)) => Err(reason.clone()),
        _ => Ok(()),
    };
    let written = shop
        .db
        .write_closure(move |tx| {
            let (claimed, outcome) = (claimed.clone(), outcome.clone());
            Box::pin(async move {
                match outcome {
                    Ok(()) => outbox::mark_sent(tx, &claimed.id, now).await,
                    Err(Refusal::Later(reason)) => outbox::put_off(tx, &claimed, next, &reason).await,
                    Err(Refusal::Never(reason)) => outbox::give_up(tx, &claimed, now, &reason).await,
                    Err(Refusal::Server(reason)) => outbox::hand_back(tx, &claimed, now, &reason).await,
                }
            })
        })
        .await;
    written.map_err(|error| error.to_string())?;
    for_all
}

fn log(claimed: &Claimed, outcome: &Result<(), Refusal>, now: i64) {
    let (mail, attempt) = (claimed.id.as_str(), claimed.attempt);
    match outcome {
        Err(Refusal::Later(reason)) if now - claimed.created_at > LATE => {
            tracing::error!(mail, attempt, reason, "a mail has been waiting for more than five minutes");
        }
        Err(Refusal::Later(reason)) => tracing::warn!(mail, attempt, reason, "a mail was put off"),
        Err(Refusal::Never(reason)) => log_given_up(mail, reason),
        // Said once for all mails.
        Err(Refusal::Server(_)) | Ok(()) => {}
    }
}

fn log_given_up(id: &str, reason: &str) {
    tracing::error!(mail = id, reason, "a mail was given up");
}

/// Doubles from a second up to `longest`, and is drawn from its upper half, so that not everybody tries at once.
fn wait(attempt: i64, longest: i64) -> i64 {
    let doublings = u32::try_from(attempt.clamp(1, 13) - 1).unwrap_or(0);
    let full = ((2 * SECOND) << doublings).min(longest);
    let half = full / 2;
    half + i64::try_from(random::below(half.unsigned_abs() + 1)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_longer_than_a_second_and_never_longer_than_it_may_be() {
        for attempt in 1..100 {
            for longest in [MINUTE, HOUR] {
                let drawn = wait(attempt, longest);
                assert!((SECOND..=longest).contains(&drawn), "{attempt}: {drawn}");
            }
        }
        assert!(wait(1, HOUR) <= 2 * SECOND);
        assert!(wait(20, HOUR) >= HOUR / 2);
    }
}
