//! Interleavings: a request to the provider is paused while something else changes the same checkout.
//!
//! The pause begins when its fault injection rule is used up. From then on the shop waits for the provider, and the
//! concurrent action runs exactly at that point.

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use super::invariant::assert_status_in;
use super::run::Runs;
use crate::harness::{ApiResponse, Intent, Light, Person, Stripe, TestShop, event, eventually};

/// The shop's request to the provider that is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PausedRequest {
    Tax,
    Create,
    Retrieve,
    Cancel,
    Refund,
}

/// The action that runs during the pause.
#[derive(Clone, Copy, Debug)]
enum Concurrent {
    AnotherRequest,
    Webhook,
    Expiry,
    Reconciler,
    OutOfStock,
    Replacement,
    Disconnect,
    RefundAtTheProvider,
}

const PAUSED_REQUESTS: [PausedRequest; 5] =
    [PausedRequest::Tax, PausedRequest::Create, PausedRequest::Retrieve, PausedRequest::Cancel, PausedRequest::Refund];
const CONCURRENT: [Concurrent; 8] = [
    Concurrent::AnotherRequest,
    Concurrent::Webhook,
    Concurrent::Expiry,
    Concurrent::Reconciler,
    Concurrent::OutOfStock,
    Concurrent::Replacement,
    Concurrent::Disconnect,
    Concurrent::RefundAtTheProvider,
];

/// The participants of one run.
struct Fixture {
    buyer: Person,
    admin: Person,
    stripe: Stripe,
    light: Light,
    paused: PausedRequest,
    /// The payment that exists before the paused request.
    intent: Option<Intent>,
    order: Option<String>,
}

impl Fixture {
    async fn of(shop: &TestShop, paused: PausedRequest, number: usize) -> Self {
        let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
        stripe.drops_webhooks().await;
        let light = shop.adds_light(&format!("Held {number}"), 6).await;
        let mut fixture = Self { buyer, admin, stripe, light, paused, intent: None, order: None };
        match paused {
            PausedRequest::Tax | PausedRequest::Create => {}
            PausedRequest::Cancel => fixture.intent = Some(fixture.buyer.starts_payment(&[(&fixture.light, 2)]).await),
            PausedRequest::Retrieve | PausedRequest::Refund => {
                let intent = shop.paid_but_gone(&fixture.buyer, &fixture.light, 2).await;
                if paused == PausedRequest::Refund {
                    let response = fixture.buyer.asks_for_order(&intent.id).await.gives(201);
                    fixture.order = response["orderId"].as_str().map(str::to_owned);
                }
                fixture.intent = Some(intent);
            }
        }
        fixture
    }

    fn rule(&self, action: &Value) -> Value {
        let (method, path) = match (self.paused, &self.intent) {
            (PausedRequest::Tax, _) => ("POST", "/v1/tax/calculations".to_owned()),
            (PausedRequest::Retrieve, Some(intent)) => ("GET", format!("/v1/payment_intents/{}", intent.id)),
            (PausedRequest::Cancel, Some(intent)) => ("POST", format!("/v1/payment_intents/{}/cancel", intent.id)),
            (PausedRequest::Refund, _) => ("POST", "/v1/refunds".to_owned()),
            _ => ("POST", "/v1/payment_intents".to_owned()),
        };
        json!({ "calls": [{ "method": method, "path": path, "times": 1, "action": action }] })
    }

    /// Sends the request that will be paused.
    async fn send_paused(&self) -> ApiResponse {
        match (self.paused, &self.intent) {
            (PausedRequest::Retrieve, Some(intent)) => self.buyer.asks_for_order(&intent.id).await,
            (PausedRequest::Cancel, Some(intent)) => self.replaces(intent, 3).await,
            (PausedRequest::Refund, _) => self.refunds().await,
            _ => self.buyer.asks_to_pay(&Person::cart(&[(&self.light, 2)])).await,
        }
    }

    async fn replaces(&self, intent: &Intent, quantity: i64) -> ApiResponse {
        let mut cart = Person::cart(&[(&self.light, quantity)]);
        cart["replaces"] = json!(intent.id);
        self.buyer.asks_to_pay(&cart).await
    }

    async fn refunds(&self) -> ApiResponse {
        let path = format!("/api/admin/order/{}", self.order.as_deref().unwrap());
        self.admin.patch(&path, &json!({ "status": "refunded", "restock": true })).await
    }

    async fn perform(&self, shop: &TestShop, concurrent: Concurrent) {
        let allowed = [200, 201, 402, 404, 409, 503];
        match (concurrent, &self.intent) {
            (Concurrent::AnotherRequest, _) => assert_status_in(&self.send_paused().await, &allowed),
            (Concurrent::Webhook, Some(intent)) => {
                let object = self.stripe.intent(&intent.id).await;
                let kind = if object["status"] == "succeeded" { "succeeded" } else { "canceled" };
                let id = format!("evt_{}", intent.id);
                shop.receives(&event(&id, &format!("payment_intent.{kind}"), &object)).await.gives(200);
            }
            (Concurrent::Expiry, _) => {
                shop.clock.advance(900_000);
                shop.expires().await;
            }
            (Concurrent::Reconciler, _) => {
                shop.clock.advance(11_000);
                shop.reconciles().await;
            }
            (Concurrent::OutOfStock, _) => {
                let path = format!("/api/products/{}/stock", self.light.id);
                self.admin.patch(&path, &json!({ "stock": 0 })).await.gives(200);
            }
            (Concurrent::Replacement, Some(intent)) => assert_status_in(&self.replaces(intent, 1).await, &allowed),
            (Concurrent::RefundAtTheProvider, Some(intent)) if self.paused != PausedRequest::Cancel => {
                let fields = [("payment_intent", intent.id.as_str()), ("amount", "300")];
                let response = self.stripe.as_shop("POST", "/v1/refunds", &fields).await;
                assert!(matches!(response.status, 200 | 400), "{response}");
            }
            // A disconnected client needs no action. Without an intent, the remaining actions do not apply.
            _ => {}
        }
    }
}

// invariant: accounting
// invariant: client-disconnects
// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_while_a_call_to_the_provider_hangs_the_books_balance() {
    let mut pairs: Vec<(PausedRequest, Concurrent)> = PAUSED_REQUESTS
        .iter()
        .flat_map(|paused| CONCURRENT.iter().map(move |concurrent| (*paused, *concurrent)))
        .collect();
    let mut runs = Runs::of("concurrent operations during a hanging provider request", 10);
    let shop = TestShop::open().await;
    while let Some(mut rng) = runs.next() {
        let number = runs.number() % pairs.len();
        if number == 0 {
            pairs.shuffle(&mut rand::rngs::StdRng::seed_from_u64(runs.seed()));
        }
        let (paused, concurrent) = pairs[number];
        let fixture = Fixture::of(&shop, paused, runs.number()).await;
        // Either paused and then processed, or processed and never responded to.
        let ms = rng.random_range(60..250);
        let action =
            if rng.random_bool(0.6) { json!({ "hang": { "ms": ms } }) } else { json!({ "lose_answer": { "ms": ms } }) };
        fixture.stripe.misbehaves(&fixture.rule(&action)).await;
        let caller = async {
            let call = fixture.send_paused();
            if matches!(concurrent, Concurrent::Disconnect) {
                let disconnect_after = std::time::Duration::from_millis(rng.random_range(1..400));
                // Dropping the future closes the connection, like closing the browser.
                return tokio::time::timeout(disconnect_after, call).await.ok();
            }
            Some(call.await)
        };
        let other = async {
            eventually("the request to be paused", async || {
                let waiting = "SELECT COUNT(*) FROM mock_stripe_faults WHERE remaining > 0";
                (matches!(concurrent, Concurrent::Disconnect) || shop.count(waiting).await == 0).then_some(())
            })
            .await;
            fixture.perform(&shop, concurrent).await;
        };
        let (response, ()) = tokio::join!(caller, other);
        if let Some(response) = response {
            assert_status_in(&response, &[200, 201, 401, 402, 404, 409, 503]);
        }
        shop.settles(&fixture.stripe).await;
        shop.clock.advance(900_000);
        shop.expires().await;
        shop.agrees_with(&fixture.stripe).await;
        let after = shop.light(&fixture.light.name).await;
        assert_eq!(
            after.stock, after.available,
            "expired reservations were not released after {paused:?} and {concurrent:?}"
        );
    }
}
