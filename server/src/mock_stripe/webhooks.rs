//! Posts events to the shop and to every other endpoint, signed as Stripe signs them, until they are answered with
//! 2xx: at least once, in no promised order.

use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::queue::{self, Delivery, Outcome};
use super::{events, keys, store};
use crate::db::Db;
use crate::http::error::Error;
use crate::infra::clock::{self, Clock};
use crate::shop::Shop;

/// How many events are posted at the same time.
const AT_ONCE: i64 = 16;
/// Longer than a post can take: after that somebody else may post the event.
const LEASE: i64 = 30 * clock::SECOND;
const POST_TIMEOUT: Duration = Duration::from_secs(10);
/// New events wake the courier; this is for those of other processes, and for what is due later.
const LOOK: Duration = Duration::from_secs(1);
const LONGEST_DELAY: i64 = 12 * clock::HOUR;
/// As long as Stripe itself goes on trying.
const GIVE_UP_AFTER: i64 = 3 * clock::DAY;
/// Stripe keeps answers for a day at least.
const KEEP_ANSWERS: i64 = 2 * clock::DAY;

/// Delivers events to `endpoint` until `stop`; one of these runs in every process.
pub async fn deliver_webhooks(shop: Arc<Shop>, endpoint: String, stop: CancellationToken) {
    let secret = loop {
        match keys::keys(&shop.db, &shop.clock).await {
            Ok(keys) => break keys.webhook_secret,
            Err(error) => tracing::warn!(%error, "the test-mode keys cannot be read yet"),
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = stop.cancelled() => return,
        }
    };
    let (db, clock, http) = (shop.db.clone(), shop.clock.clone(), shop.http.clone());
    Courier { db, clock, http, endpoint, secret, posted: Vec::new() }.run(stop).await;
}

#[derive(Clone)]
pub(super) struct Courier {
    pub db: Db,
    pub clock: Clock,
    pub http: reqwest::Client,
    pub endpoint: String,
    pub secret: String,
    /// What became of the last batch. It is written down with the next one's claim, at the latest at the next look:
    /// until then the lease keeps others from posting it again.
    pub posted: Vec<(String, Outcome)>,
}

impl Courier {
    pub async fn run(mut self, stop: CancellationToken) {
        let mut cleaned_at = i64::MIN;
        loop {
            // Listening begins before looking, so that no event falls between the two.
            let mut woken = std::pin::pin!(events::waiting().notified());
            woken.as_mut().enable();
            if self.clock.now_ms().saturating_sub(cleaned_at) >= clock::HOUR {
                cleaned_at = self.clock.now_ms();
                report(self.forget_old_answers(cleaned_at).await);
            }
            match self.deliver_batch().await {
                Ok(_) if stop.is_cancelled() => break,
                // There may be more than one batch; what came meanwhile has woken us.
                Ok(count) if i64::try_from(count).is_ok_and(|count| count >= AT_ONCE) => continue,
                Ok(_) => {}
                Err(error) => report(Err(error)),
            }
            tokio::select! {
                () = woken => {}
                () = tokio::time::sleep(LOOK) => {}
                () = stop.cancelled() => break,
            }
        }
        report(self.settle().await);
    }

    /// Posts what is due, at most [`AT_ONCE`] events, and gives how many they were.
    pub async fn deliver_batch(&mut self) -> Result<usize, Error> {
        let now_ms = self.clock.now_ms();
        if !queue::is_anything_due(&mut *self.db.read().acquire().await?, now_ms).await? {
            return self.settle().await.map(|()| 0);
        }
        let posted = self.posted.clone();
        let claimed = self.db.write_closure(move |tx| {
            let posted = posted.clone();
            Box::pin(async move {
                queue::settle_all(tx, &posted).await?;
                queue::claim(tx, now_ms, now_ms + LEASE, AT_ONCE).await
            })
        });
        let claimed = claimed.await?;
        let mut posts = JoinSet::new();
        for delivery in claimed {
            let courier = self.clone();
            posts.spawn(async move {
                let outcome = courier.post(&delivery).await;
                (delivery.id, outcome)
            });
        }
        self.posted = posts.join_all().await;
        Ok(self.posted.len())
    }

    async fn settle(&mut self) -> Result<(), Error> {
        if self.posted.is_empty() {
            return Ok(());
        }
        let posted = self.posted.clone();
        let settled = self.db.write_closure(move |tx| {
            let posted = posted.clone();
            Box::pin(async move { queue::settle_all(tx, &posted).await })
        });
        settled.await?;
        self.posted.clear();
        Ok(())
    }

    async fn post(&self, delivery: &Delivery) -> Outcome {
        let now_ms = self.clock.now_ms();
        let (url, secret) = match &delivery.endpoint {
            Some(endpoint) => (&endpoint.url, &endpoint.secret),
            None => (&self.endpoint, &self.secret),
        };
        let signature = sign(secret, now_ms / clock::SECOND, &delivery.body);
        let answer = self
            .http
            .post(url)
            .header("content-type", "application/json; charset=utf-8")
            .header("stripe-signature", signature)
            .header("user-agent", "Stripe/1.0 (test mode)")
            .body(delivery.body.clone())
            .timeout(POST_TIMEOUT)
            .send()
            .await;
        let what = match answer {
            Ok(answer) if answer.status().is_success() => return Outcome::Delivered,
            Ok(answer) => answer.status().to_string(),
            Err(error) => error.to_string(),
        };
        let outcome = after_failure(delivery, self.clock.now_ms());
        tracing::debug!(event = delivery.event_id, attempts = delivery.attempts, what, "webhook not taken");
        outcome
    }

    async fn forget_old_answers(&self, now_ms: i64) -> Result<(), Error> {
        self.db.write_closure(move |tx| Box::pin(store::delete_answers_before(tx, now_ms - KEEP_ANSWERS))).await
    }
}

fn report(result: Result<(), Error>) {
    if let Err(error) = result {
        tracing::warn!(%error, "the webhook queue of the test-mode Stripe cannot be worked on");
    }
}

/// The delay doubles from one second to twelve hours; after three days nobody tries any more.
fn after_failure(delivery: &Delivery, now_ms: i64) -> Outcome {
    let doublings = u32::try_from(delivery.attempts.saturating_sub(1)).unwrap_or(u32::MAX).min(30);
    let delay = clock::SECOND.saturating_mul(1 << doublings).min(LONGEST_DELAY);
    let next = now_ms.saturating_add(delay);
    if next - delivery.created_at > GIVE_UP_AFTER { Outcome::GivenUp } else { Outcome::RetryAt(next) }
}

/// The `Stripe-Signature` header: HMAC-SHA256 over `{seconds}.{body}`.
pub fn sign(secret: &str, seconds: i64, body: &str) -> String {
    // A key of any length is taken, so this cannot be empty-handed.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return format!("t={seconds}");
    };
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(body.as_bytes());
    let code: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={seconds},v1={code}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(attempts: i64) -> Delivery {
        Delivery {
            id: String::new(),
            event_id: String::new(),
            body: String::new(),
            created_at: 0,
            attempts,
            endpoint: None,
        }
    }

    #[test]
    fn the_signature_is_what_stripes_library_expects() {
        let ours = sign("whsec_secret", 1_700_000_000, "{\"a\":1}");
        let theirs = stripe_webhook::Webhook::generate_test_header("{\"a\":1}", "whsec_secret", Some(1_700_000_000));
        assert_eq!(ours, theirs);
    }

    #[test]
    fn the_pauses_grow_from_a_second_to_half_a_day_and_end_after_three_days() {
        assert_eq!(after_failure(&tried(1), 0), Outcome::RetryAt(clock::SECOND));
        assert_eq!(after_failure(&tried(2), 0), Outcome::RetryAt(2 * clock::SECOND));
        assert_eq!(after_failure(&tried(11), 0), Outcome::RetryAt(1024 * clock::SECOND));
        assert_eq!(after_failure(&tried(40), 0), Outcome::RetryAt(12 * clock::HOUR));
        assert_eq!(after_failure(&tried(i64::MAX), 3 * clock::DAY), Outcome::GivenUp);
    }
}
