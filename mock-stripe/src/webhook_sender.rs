//! Webhook sender: posts signed events to the shop and to registered endpoints until they respond with 2xx. Delivery is
//! at least once, in no particular order.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request, header};
use hmac::{Hmac, KeyInit as _, Mac as _};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use sha2::Sha256;
use sqlx::Error;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::clock::{self, Clock};
use crate::db::Db;
use crate::queue::{self, Delivery, DeliveryStatus};
use crate::{MockStripe, events, store};

/// Concurrent deliveries.
const BATCH_SIZE: i64 = 16;
/// Longer than a delivery can take. Another process may deliver the event after that.
const LEASE: i64 = 30 * clock::SECOND;
const POST_TIMEOUT: Duration = Duration::from_secs(10);
/// Polling interval, for events of other processes and later deliveries. New events wake the sender.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const MAX_DELAY: i64 = 12 * clock::HOUR;
/// Stripe retries for as long.
const MAX_AGE: i64 = 3 * clock::DAY;
/// Stripe stores responses for at least a day.
const RESPONSE_RETENTION: i64 = 2 * clock::DAY;

type HttpClient = Client<HttpConnector, Full<Bytes>>;

#[derive(Clone)]
pub struct WebhookSender {
    db: Db,
    clock: Clock,
    http: HttpClient,
    /// The shop's endpoint and its secret.
    endpoint: String,
    secret: String,
    /// Results of the last batch. They are written with the next claim, at the latest at the next poll; until then the
    /// lease prevents a second delivery.
    results: Vec<(String, DeliveryStatus)>,
}

impl WebhookSender {
    pub fn new(stripe: &MockStripe, endpoint: String, secret: String) -> Self {
        Self {
            db: stripe.db.clone(),
            clock: stripe.clock.clone(),
            http: Client::builder(TokioExecutor::new()).build_http(),
            endpoint,
            secret,
            results: Vec::new(),
        }
    }

    /// Runs until `stop`. One instance runs in every process.
    pub async fn run(mut self, stop: CancellationToken) {
        let mut cleaned_at = i64::MIN;
        loop {
            // Enabled before the query, so that no event is missed in between.
            let mut woken = std::pin::pin!(events::waiting().notified());
            woken.as_mut().enable();
            if self.clock.now_ms().saturating_sub(cleaned_at) >= clock::HOUR {
                cleaned_at = self.clock.now_ms();
                report(self.delete_old_responses(cleaned_at).await);
            }
            match self.deliver_batch().await {
                Ok(_) if stop.is_cancelled() => break,
                // There may be another batch, and new events have sent a wake-up.
                Ok(count) if i64::try_from(count).is_ok_and(|count| count >= BATCH_SIZE) => continue,
                Ok(_) => {}
                Err(error) => report(Err(error)),
            }
            tokio::select! {
                () = woken => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
                () = stop.cancelled() => break,
            }
        }
        report(self.save_results().await);
    }

    /// Delivers due events, at most [`BATCH_SIZE`], and returns how many.
    pub async fn deliver_batch(&mut self) -> Result<usize, Error> {
        let now_ms = self.clock.now_ms();
        if !queue::is_anything_due(&mut *self.db.read().acquire().await?, now_ms).await? {
            return self.save_results().await.map(|()| 0);
        }
        let claimed = self.db.write((self.results.clone(), now_ms), |tx, (results, now_ms)| {
            Box::pin(async move {
                queue::save_all(tx, results).await?;
                queue::claim(tx, *now_ms, now_ms + LEASE, BATCH_SIZE).await
            })
        });
        let claimed = claimed.await?;
        let mut posts = JoinSet::new();
        for delivery in claimed {
            let sender = self.clone();
            posts.spawn(async move {
                let status = sender.post(&delivery).await;
                (delivery.id, status)
            });
        }
        self.results = posts.join_all().await;
        Ok(self.results.len())
    }

    async fn save_results(&mut self) -> Result<(), Error> {
        if self.results.is_empty() {
            return Ok(());
        }
        self.db.write(self.results.clone(), |tx, results| Box::pin(queue::save_all(tx, results))).await?;
        self.results.clear();
        Ok(())
    }

    async fn post(&self, delivery: &Delivery) -> DeliveryStatus {
        let now_ms = self.clock.now_ms();
        let (url, secret) = match &delivery.endpoint {
            Some(endpoint) => (&endpoint.url, &endpoint.secret),
            None => (&self.endpoint, &self.secret),
        };
        let signature = sign(secret, now_ms / clock::SECOND, &delivery.body);
        let cause = match self.send(url, signature, delivery.body.clone()).await {
            Ok(()) => return DeliveryStatus::Delivered,
            Err(cause) => cause,
        };
        let status = after_failure(delivery, self.clock.now_ms());
        tracing::debug!(event = delivery.event_id, attempts = delivery.attempts, cause, "webhook delivery failed");
        status
    }

    /// # Errors
    /// The reason why the event was not accepted.
    async fn send(&self, url: &str, signature: String, body: String) -> Result<(), String> {
        let request = Request::post(url)
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .header("stripe-signature", signature)
            .header(header::USER_AGENT, "Stripe/1.0 (test mode)")
            .body(Full::from(body))
            .map_err(|error| error.to_string())?;
        match tokio::time::timeout(POST_TIMEOUT, self.http.request(request)).await {
            Ok(Ok(response)) if response.status().is_success() => Ok(()),
            Ok(Ok(response)) => Err(response.status().to_string()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(elapsed) => Err(elapsed.to_string()),
        }
    }

    async fn delete_old_responses(&self, now_ms: i64) -> Result<(), Error> {
        let before = now_ms - RESPONSE_RETENTION;
        self.db.write(before, |tx, before| Box::pin(store::delete_responses_before(tx, *before))).await
    }
}

fn report(result: Result<(), Error>) {
    if let Err(error) = result {
        tracing::warn!(%error, "processing the webhook queue of the mock Stripe failed");
    }
}

/// Exponential backoff from one second to twelve hours, for three days.
fn after_failure(delivery: &Delivery, now_ms: i64) -> DeliveryStatus {
    let doublings = u32::try_from(delivery.attempts.saturating_sub(1)).unwrap_or(u32::MAX).min(30);
    let delay = clock::SECOND.saturating_mul(1 << doublings).min(MAX_DELAY);
    let next = now_ms.saturating_add(delay);
    if next - delivery.created_at > MAX_AGE { DeliveryStatus::Failed } else { DeliveryStatus::RetryAt(next) }
}

/// The `Stripe-Signature` header: HMAC-SHA256 of `{seconds}.{body}`.
pub fn sign(secret: &str, seconds: i64, body: &str) -> String {
    // HMAC accepts keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return format!("t={seconds}");
    };
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(body.as_bytes());
    format!("t={seconds},v1={}", hex::encode(mac.finalize().into_bytes()))
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
        assert_eq!(after_failure(&tried(1), 0), DeliveryStatus::RetryAt(clock::SECOND));
        assert_eq!(after_failure(&tried(2), 0), DeliveryStatus::RetryAt(2 * clock::SECOND));
        assert_eq!(after_failure(&tried(11), 0), DeliveryStatus::RetryAt(1024 * clock::SECOND));
        assert_eq!(after_failure(&tried(40), 0), DeliveryStatus::RetryAt(12 * clock::HOUR));
        assert_eq!(after_failure(&tried(i64::MAX), 3 * clock::DAY), DeliveryStatus::Failed);
    }
}
