//! One call to the provider is held, and while it hangs somebody else does something about the same checkout.
//!
//! What is held begins when the rule that holds it has been used up: from then on the shop waits in the middle of its
//! work, and what happens meanwhile happens exactly there.

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use super::invariant::is_one_of;
use super::run::Runs;
use crate::harness::{Answer, Intent, Light, Person, Stripe, TestShop, event, eventually};

/// In which call of the shop it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Tax,
    Create,
    Retrieve,
    Cancel,
    Refund,
}

/// What happens there.
#[derive(Clone, Copy, Debug)]
enum Meanwhile {
    AnotherCall,
    Webhook,
    Expiry,
    Reconciler,
    EmptyShelf,
    Replacement,
    HangUp,
    RefundAtTheProvider,
}

const HELD: [Held; 5] = [Held::Tax, Held::Create, Held::Retrieve, Held::Cancel, Held::Refund];
const MEANWHILE: [Meanwhile; 8] = [
    Meanwhile::AnotherCall,
    Meanwhile::Webhook,
    Meanwhile::Expiry,
    Meanwhile::Reconciler,
    Meanwhile::EmptyShelf,
    Meanwhile::Replacement,
    Meanwhile::HangUp,
    Meanwhile::RefundAtTheProvider,
];

/// Everybody who is in one trial.
struct Scene {
    buyer: Person,
    admin: Person,
    stripe: Stripe,
    light: Light,
    held: Held,
    /// The payment that is there already when the call is made.
    intent: Option<Intent>,
    order: Option<String>,
}

impl Scene {
    async fn of(shop: &TestShop, held: Held, number: usize) -> Self {
        let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
        stripe.drops_webhooks().await;
        let light = shop.adds_light(&format!("Held {number}"), 6).await;
        let mut scene = Self { buyer, admin, stripe, light, held, intent: None, order: None };
        match held {
            Held::Tax | Held::Create => {}
            Held::Cancel => scene.intent = Some(scene.buyer.starts_payment(&[(&scene.light, 2)]).await),
            Held::Retrieve | Held::Refund => {
                let intent = shop.paid_but_gone(&scene.buyer, &scene.light, 2).await;
                if held == Held::Refund {
                    let answer = scene.buyer.asks_for_order(&intent.id).await.gives(201);
                    scene.order = answer["orderId"].as_str().map(str::to_owned);
                }
                scene.intent = Some(intent);
            }
        }
        scene
    }

    fn rule(&self, action: &Value) -> Value {
        let (method, path) = match (self.held, &self.intent) {
            (Held::Tax, _) => ("POST", "/v1/tax/calculations".to_owned()),
            (Held::Retrieve, Some(intent)) => ("GET", format!("/v1/payment_intents/{}", intent.id)),
            (Held::Cancel, Some(intent)) => ("POST", format!("/v1/payment_intents/{}/cancel", intent.id)),
            (Held::Refund, _) => ("POST", "/v1/refunds".to_owned()),
            _ => ("POST", "/v1/payment_intents".to_owned()),
        };
        json!({ "calls": [{ "method": method, "path": path, "times": 1, "action": action }] })
    }

    /// The call that will be held.
    async fn calls(&self) -> Answer {
        match (self.held, &self.intent) {
            (Held::Retrieve, Some(intent)) => self.buyer.asks_for_order(&intent.id).await,
            (Held::Cancel, Some(intent)) => self.replaces(intent, 3).await,
            (Held::Refund, _) => self.refunds().await,
            _ => self.buyer.asks_to_pay(&Person::cart(&[(&self.light, 2)])).await,
        }
    }

    async fn replaces(&self, intent: &Intent, quantity: i64) -> Answer {
        let mut cart = Person::cart(&[(&self.light, quantity)]);
        cart["replaces"] = json!(intent.id);
        self.buyer.asks_to_pay(&cart).await
    }

    async fn refunds(&self) -> Answer {
        let path = format!("/api/admin/order/{}", self.order.as_deref().unwrap());
        self.admin.patch(&path, &json!({ "status": "refunded", "restock": true })).await
    }

    async fn happens(&self, shop: &TestShop, meanwhile: Meanwhile) {
        let allowed = [200, 201, 402, 404, 409, 503];
        match (meanwhile, &self.intent) {
            (Meanwhile::AnotherCall, _) => is_one_of(&self.calls().await, &allowed),
            (Meanwhile::Webhook, Some(intent)) => {
                let object = self.stripe.intent(&intent.id).await;
                let kind = if object["status"] == "succeeded" { "succeeded" } else { "canceled" };
                let id = format!("evt_{}", intent.id);
                shop.receives(&event(&id, &format!("payment_intent.{kind}"), &object)).await.gives(200);
            }
            (Meanwhile::Expiry, _) => {
                shop.clock.advance(900_000);
                shop.expires().await;
            }
            (Meanwhile::Reconciler, _) => {
                shop.clock.advance(11_000);
                shop.reconciles().await;
            }
            (Meanwhile::EmptyShelf, _) => {
                let path = format!("/api/products/{}/stock", self.light.id);
                self.admin.patch(&path, &json!({ "stock": 0 })).await.gives(200);
            }
            (Meanwhile::Replacement, Some(intent)) => is_one_of(&self.replaces(intent, 1).await, &allowed),
            (Meanwhile::RefundAtTheProvider, Some(intent)) if self.held != Held::Cancel => {
                let fields = [("payment_intent", intent.id.as_str()), ("amount", "300")];
                let answer = self.stripe.as_shop("POST", "/v1/refunds", &fields).await;
                assert!(matches!(answer.status, 200 | 400), "{answer}");
            }
            // Whoever called has gone; and where nothing is there yet, that is all that can happen.
            _ => {}
        }
    }
}

// invariant: accounting
// invariant: client-disconnects
// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_while_a_call_to_the_provider_hangs_the_books_balance() {
    let mut pairs: Vec<(Held, Meanwhile)> =
        HELD.iter().flat_map(|held| MEANWHILE.iter().map(move |meanwhile| (*held, *meanwhile))).collect();
    let mut runs = Runs::of("concurrent operations during a hanging provider request", 10);
    let shop = TestShop::open().await;
    while let Some(mut chance) = runs.next() {
        let number = runs.number() % pairs.len();
        if number == 0 {
            pairs.shuffle(&mut rand::rngs::StdRng::seed_from_u64(runs.seed()));
        }
        let (held, meanwhile) = pairs[number];
        let scene = Scene::of(&shop, held, runs.number()).await;
        // Held and then done, or done and then never answered.
        let ms = chance.random_range(60..250);
        let action = if chance.random_bool(0.6) {
            json!({ "hang": { "ms": ms } })
        } else {
            json!({ "lose_answer": { "ms": ms } })
        };
        scene.stripe.misbehaves(&scene.rule(&action)).await;
        let caller = async {
            let call = scene.calls();
            if matches!(meanwhile, Meanwhile::HangUp) {
                let patience = std::time::Duration::from_millis(chance.random_range(1..400));
                // Dropped like the request of a browser that was closed.
                return tokio::time::timeout(patience, call).await.ok();
            }
            Some(call.await)
        };
        let other = async {
            eventually("the call to be held", async || {
                let waiting = "SELECT COUNT(*) FROM mock_stripe_faults WHERE remaining > 0";
                (matches!(meanwhile, Meanwhile::HangUp) || shop.count(waiting).await == 0).then_some(())
            })
            .await;
            scene.happens(&shop, meanwhile).await;
        };
        let (answer, ()) = tokio::join!(caller, other);
        if let Some(answer) = answer {
            is_one_of(&answer, &[200, 201, 401, 402, 404, 409, 503]);
        }
        shop.settles(&scene.stripe).await;
        shop.clock.advance(900_000);
        shop.expires().await;
        shop.agrees_with(&scene.stripe).await;
        let after = shop.light(&scene.light.name).await;
        assert_eq!(after.stock, after.available, "goods are held for nobody after {held:?} and {meanwhile:?}");
    }
}
