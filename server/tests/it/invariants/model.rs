//! Model-based test: after every step of a random sequence, the shop and a simple model have the same stock, orders and
//! refunds.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use serde_json::json;
use tokio::runtime::Handle;

use super::run::Runs;
use crate::harness::{Intent, Light, Person, Stripe, TestShop};

const PRODUCTS: usize = 3;
const STOCK: i64 = 5;

/// A step of the sequence. Indexes are taken modulo the number of existing items.
#[derive(Clone, Debug)]
enum Step {
    Quote { quantities: [u8; PRODUCTS] },
    Replace { intent: u8, quantities: [u8; PRODUCTS] },
    Pay { intent: u8, card: Card },
    Order { intent: u8 },
    Expire,
    SetStock { product: u8, stock: u8 },
    CountStock { product: u8, difference: i8 },
    Reprice { product: u8, cents: u16 },
    Refund { order: u8, restock: bool },
    RefundAtTheProvider { order: u8, cents: u16 },
    FailRefund { order: u8, refund: u8 },
    Settle { order: u8, method: Method },
    InjectFaults { call: u8, kind: u8, disorder: u8 },
}

#[derive(Clone, Copy, Debug)]
enum Card {
    Good,
    Declined,
}

/// How a failed refund is settled.
#[derive(Clone, Copy, Debug)]
enum Method {
    Refund,
    Outside,
}

fn step() -> impl Strategy<Value = Step> {
    let quantities = || prop::array::uniform3(0..4_u8);
    prop_oneof![
        6 => quantities().prop_map(|quantities| Step::Quote { quantities }),
        2 => (any::<u8>(), quantities()).prop_map(|(intent, quantities)| Step::Replace { intent, quantities }),
        6 => any::<u8>().prop_map(|intent| Step::Pay { intent, card: Card::Good }),
        1 => any::<u8>().prop_map(|intent| Step::Pay { intent, card: Card::Declined }),
        3 => any::<u8>().prop_map(|intent| Step::Order { intent }),
        1 => Just(Step::Expire),
        2 => (any::<u8>(), 0..12_u8).prop_map(|(product, stock)| Step::SetStock { product, stock }),
        2 => (any::<u8>(), -3..8_i8).prop_map(|(product, difference)| Step::CountStock { product, difference }),
        1 => (any::<u8>(), 1..50_000_u16).prop_map(|(product, cents)| Step::Reprice { product, cents }),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(order, restock)| Step::Refund { order, restock }),
        2 => (any::<u8>(), 1..5_000_u16).prop_map(|(order, cents)| Step::RefundAtTheProvider { order, cents }),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(order, refund)| Step::FailRefund { order, refund }),
        2 => any::<u8>().prop_map(|order| Step::Settle { order, method: Method::Refund }),
        1 => any::<u8>().prop_map(|order| Step::Settle { order, method: Method::Outside }),
        3 => (any::<u8>(), any::<u8>(), any::<u8>())
            .prop_map(|(call, kind, disorder)| Step::InjectFaults { call, kind, disorder }),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Ordered,
    Refunded,
    Closed,
}

struct Checkout {
    intent: Intent,
    quantities: [i64; PRODUCTS],
    total: i64,
    state: State,
    refunded: i64,
    /// The part of it that was paid outside the provider.
    outside: i64,
    is_restocked: bool,
}

/// The expected state of the shop.
#[derive(Default)]
struct Model {
    stock: [i64; PRODUCTS],
    prices: [i64; PRODUCTS],
    checkouts: Vec<Checkout>,
}

impl Model {
    fn reserved(&self, product: usize) -> i64 {
        self.open().map(|checkout| checkout.quantities[product]).sum()
    }

    fn open(&self) -> impl Iterator<Item = &Checkout> {
        self.checkouts.iter().filter(|checkout| checkout.state == State::Open)
    }

    fn available(&self, product: usize) -> i64 {
        (self.stock[product] - self.reserved(product)).max(0)
    }

    /// Fair share of the account. Its checkouts after the first may together reserve at most half of the stock that is
    /// available or reserved by them.
    fn fair_share(&self, product: usize) -> i64 {
        let held: i64 = self.open().skip(1).map(|checkout| checkout.quantities[product]).sum();
        ((self.available(product) - held) / 2).max(0)
    }

    /// The most that the account may reserve.
    fn limit(&self, product: usize) -> i64 {
        if self.open().next().is_none() { self.available(product) } else { self.fair_share(product) }
    }

    /// Picks a checkout in this state by index.
    fn pick(&mut self, index: u8, state: State) -> Option<&mut Checkout> {
        let mut fitting: Vec<&mut Checkout> =
            self.checkouts.iter_mut().filter(|checkout| checkout.state == state).collect();
        if fitting.is_empty() {
            return None;
        }
        let index = usize::from(index) % fitting.len();
        Some(fitting.swap_remove(index))
    }

    /// Applies a payment: the items are sold or, if out of stock, the payment is refunded.
    fn pays(&mut self, intent_id: &str) {
        let stock = &mut self.stock;
        let checkout = self.checkouts.iter_mut().find(|checkout| checkout.intent.id == intent_id).unwrap();
        if checkout.quantities.iter().zip(stock.iter()).all(|(quantity, stock)| quantity <= stock) {
            stock.iter_mut().zip(checkout.quantities).for_each(|(stock, quantity)| *stock -= quantity);
            checkout.state = State::Ordered;
        } else {
            checkout.state = State::Refunded;
        }
    }
}

struct World {
    shop: TestShop,
    stripe: Stripe,
    buyer: Person,
    admin: Person,
    lights: Vec<Light>,
    model: Model,
}

impl World {
    async fn open() -> Self {
        let shop = TestShop::open().await;
        let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
        let mut lights = Vec::new();
        for number in 0..PRODUCTS {
            lights.push(shop.adds_light(&format!("Light {number}"), STOCK).await);
        }
        let model = Model { stock: [STOCK; PRODUCTS], prices: [1_000; PRODUCTS], ..Model::default() };
        Self { shop, stripe, buyer, admin, lights, model }
    }

    async fn quotes(&mut self, quantities: [u8; PRODUCTS], replaced: Option<Intent>) {
        let quantities = quantities.map(i64::from);
        let lines: Vec<(&Light, i64)> =
            self.lights.iter().zip(quantities).filter(|(_, quantity)| *quantity > 0).collect();
        let mut cart = Person::cart(&lines);
        if let Some(old) = &replaced {
            cart["replaces"] = json!(old.id);
        }
        let response = self.buyer.asks_to_pay(&cart).await;
        if lines.is_empty() {
            response.names(&["items"]);
            return;
        }
        if response.status == 200 && replaced.as_ref().is_some_and(|old| response.json() == old.quote) {
            return;
        }
        let is_replacing = replaced.is_some();
        // A replaced intent is closed regardless of the response, unless canceling it failed.
        if let Some(old) = replaced
            && self.stripe.intent(&old.id).await["status"] == "canceled"
        {
            self.model.checkouts.iter_mut().find(|checkout| checkout.intent.id == old.id).unwrap().state =
                State::Closed;
        }
        match response.status {
            200 => {
                let intent = Intent::of(response.json());
                let cents = |name: &str| -> i64 {
                    wasm_core::money::Cents::parse(&intent.quote[name].to_string()).unwrap().cents()
                };
                let subtotal: i64 =
                    quantities.iter().zip(self.model.prices).map(|(quantity, price)| quantity * price).sum();
                let tax = intent.quote["taxCalculation"]["tax_amount_exclusive"].as_i64().unwrap();
                let total = cents("total");
                assert_eq!((cents("subtotal"), total), (subtotal, subtotal + cents("shippingCost") + tax));
                for (product, quantity) in quantities.iter().enumerate() {
                    assert!(
                        *quantity <= self.model.limit(product),
                        "{quantity} of product {product} are over the limit"
                    );
                }
                let (state, refunded) = (State::Open, 0);
                let (outside, is_restocked) = (0, false);
                let checkout = Checkout { intent, quantities, total, state, refunded, outside, is_restocked };
                self.model.checkouts.push(checkout);
            }
            // The chain of replaced checkouts has reached its time limit.
            409 if is_replacing && response.json()["code"] == "IntentExpired" => {}
            409 => {
                response.refuses(409, "InsufficientStockError");
                let is_short = |(product, quantity): (usize, &i64)| *quantity > self.model.fair_share(product);
                assert!(quantities.iter().enumerate().any(is_short), "rejected although in stock: {response}");
            }
            429 => assert_eq!(self.model.open().count(), 20),
            _ => assert_eq!(response.status, 503, "{response}"),
        }
    }

    async fn pays(&mut self, index: u8, card: Card) {
        let Some(checkout) = self.model.pick(index, State::Open) else { return };
        let intent = checkout.intent.clone();
        match card {
            Card::Good => {
                self.stripe.takes(&intent, "pm_card_visa").await;
                self.model.pays(&intent.id);
            }
            Card::Declined => {
                let response = self.stripe.confirms(&intent, "pm_card_chargeDeclined").await;
                assert_eq!(response.status, 402, "{response}");
            }
        }
    }

    async fn asks_for_order(&mut self, index: u8) {
        let count = self.model.checkouts.len();
        if count == 0 {
            return;
        }
        let checkout = &self.model.checkouts[usize::from(index) % count];
        let response = self.buyer.asks_for_order(&checkout.intent.id).await;
        let expected: &[u16] = match checkout.state {
            State::Open => &[402, 503],
            State::Ordered => &[200, 201],
            State::Refunded | State::Closed => &[409, 503],
        };
        assert!(expected.contains(&response.status), "{:?}: {response}", checkout.state);
    }

    async fn sets_stock(&mut self, product: u8, stock: i64, was: Option<i64>) {
        let product = usize::from(product) % PRODUCTS;
        let mut body = json!({ "stock": stock });
        if let Some(was) = was {
            body["was"] = json!(was);
        }
        let path = format!("/api/products/{}/stock", self.lights[product].id);
        let response = self.admin.patch(&path, &body).await;
        let after = was.map_or(stock, |was| self.model.stock[product] + stock - was);
        if after < 0 {
            assert_eq!(response.status, 400, "{response}");
            return;
        }
        assert_eq!(response.gives(200)["stock"], json!(after));
        self.model.stock[product] = after;
    }

    async fn reprices(&mut self, product: u8, cents: i64) {
        let product = usize::from(product) % PRODUCTS;
        let price: serde_json::Value = serde_json::from_str(&format!("{}.{:02}", cents / 100, cents % 100)).unwrap();
        let path = format!("/api/products/{}", self.lights[product].id);
        self.admin.patch(&path, &json!({ "price": price })).await.gives(200);
        self.model.prices[product] = cents;
    }

    async fn refunds(&mut self, index: u8, restock: bool) {
        let Some(checkout) = self.model.pick(index, State::Ordered) else { return };
        let (intent, was_restocked) = (checkout.intent.id.clone(), checkout.is_restocked);
        let path = self.order_path(&intent).await;
        let was_status_refunded = self.admin.get(&path).await.gives(200)["status"] == "refunded";
        let response = self.admin.patch(&path, &json!({ "status": "refunded", "restock": restock })).await;
        if matches!(response.status, 409 | 503) {
            // After a 503, the refund may have happened or not, and another one gets a 409 until that is known.
            return self.reads_refunded(&intent).await;
        }
        response.gives(200);
        let checkout = self.model.checkouts.iter_mut().find(|checkout| checkout.intent.id == intent).unwrap();
        if !was_status_refunded {
            checkout.refunded = checkout.total;
        }
        if restock && !was_restocked {
            checkout.is_restocked = true;
            self.model.stock.iter_mut().zip(checkout.quantities).for_each(|(stock, quantity)| *stock += quantity);
        }
    }

    async fn order_path(&self, intent: &str) -> String {
        let order = self.buyer.asks_for_order(intent).await.gives(200)["orderId"].as_str().unwrap().to_owned();
        format!("/api/admin/order/{order}")
    }

    /// The provider's state decides.
    async fn reads_refunded(&mut self, intent: &str) {
        let back = self.stripe.intent(intent).await["latest_charge"]["amount_refunded"].as_i64().unwrap();
        let checkout = self.model.checkouts.iter_mut().find(|checkout| checkout.intent.id == intent).unwrap();
        checkout.refunded = back + checkout.outside;
    }

    /// The bank returns one of the order's refunds.
    async fn fails_refund(&mut self, index: u8, refund: u8) {
        let Some(checkout) = self.model.pick(index, State::Ordered) else { return };
        let intent = checkout.intent.id.clone();
        let path = format!("/v1/refunds?limit=100&payment_intent={intent}");
        let list = self.stripe.as_shop("GET", &path, &[]).await.gives(200);
        let made: Vec<_> = list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "succeeded").collect();
        if !made.is_empty() {
            self.stripe.returns_refund(made[usize::from(refund) % made.len()]["id"].as_str().unwrap()).await;
            self.reads_refunded(&intent).await;
        }
    }

    /// Settles the first failed refund of the order.
    async fn settles_failed(&mut self, index: u8, method: Method) {
        let Some(checkout) = self.model.pick(index, State::Ordered) else { return };
        let intent = checkout.intent.id.clone();
        let refunds = format!("{}/refunds", self.order_path(&intent).await);
        let list = self.admin.get(&refunds).await.gives(200);
        let is_open = |refund: &&serde_json::Value| refund["state"] == "failed" && refund["replaced_by"].is_null();
        let Some(failed) = list["refunds"].as_array().unwrap().iter().find(is_open) else { return };
        let body = match method {
            Method::Refund => json!({ "method": "refund" }),
            Method::Outside => {
                json!({ "method": "outside", "paid_on": failed["created_at_local"].as_str().unwrap()[..10] })
            }
        };
        let path = format!("/api/admin/refunds/{}/settle", failed["id"].as_str().unwrap());
        let response = self.admin.post(&path, &body).await;
        assert!(matches!(response.status, 201 | 409 | 503), "{response}");
        if response.status == 201 && matches!(method, Method::Outside) {
            let checkout = self.model.checkouts.iter_mut().find(|checkout| checkout.intent.id == intent).unwrap();
            let amount = response.json()["parts"]["amount"].to_string();
            checkout.outside += wasm_core::money::Cents::parse(&amount).unwrap().cents();
        }
        self.reads_refunded(&intent).await;
    }

    async fn refunds_at_the_provider(&mut self, index: u8, cents: i64) {
        let Some(checkout) = self.model.pick(index, State::Ordered) else { return };
        // The provider doesn't know what was paid outside, and would refund it, too.
        if checkout.outside > 0 && checkout.refunded + cents > checkout.total {
            return;
        }
        let amount = cents.to_string();
        let fields = [("payment_intent", checkout.intent.id.as_str()), ("amount", amount.as_str())];
        let response = self.stripe.as_shop("POST", "/v1/refunds", &fields).await;
        if checkout.refunded + cents > checkout.total {
            assert_eq!(response.status, 400, "{response}");
        } else {
            response.gives(200);
            checkout.refunded += cents;
        }
    }

    /// Injects faults at the provider for the next step.
    async fn injects_faults(&self, call: u8, kind: u8, disorder: u8) {
        const CALLS: [(&str, &str); 5] = [
            ("POST", "/v1/tax"),
            ("POST", "/v1/payment_intents"),
            ("GET", "/v1/payment_intents"),
            ("POST", "/v1/refunds"),
            ("POST", "/v1/tax/transactions"),
        ];
        let (method, path) = CALLS[usize::from(call) % CALLS.len()];
        let action = match kind % 4 {
            0 => json!({ "fail": { "status": 500 } }),
            1 => json!({ "fail": { "status": 429 } }),
            2 => json!({ "lose_answer": { "ms": 0 } }),
            _ => json!({ "hang": { "ms": 80 } }),
        };
        let times = 1 + kind % 3;
        let webhooks =
            json!({ "drop_percent": disorder % 101, "double_percent": disorder % 97, "reorder_ms": disorder });
        let calls = [json!({ "method": method, "path": path, "times": times, "action": action })];
        self.stripe.misbehaves(&json!({ "webhooks": webhooks, "calls": calls })).await;
    }

    async fn apply(&mut self, step: &Step) {
        match *step {
            Step::Quote { quantities } => self.quotes(quantities, None).await,
            Step::Replace { intent, quantities } => {
                let old = self.model.pick(intent, State::Open).map(|checkout| checkout.intent.clone());
                self.quotes(quantities, old).await;
            }
            Step::Pay { intent, card } => {
                // Faults apply to the shop's requests only, not to the customer's own.
                self.stripe.behaves().await;
                self.pays(intent, card).await;
            }
            Step::Order { intent } => self.asks_for_order(intent).await,
            Step::Expire => {
                self.stripe.behaves().await;
                self.shop.clock.advance(900_000);
                self.shop.expires().await;
                self.model
                    .checkouts
                    .iter_mut()
                    .filter(|it| it.state == State::Open)
                    .for_each(|it| it.state = State::Closed);
                (self.buyer, self.admin) = (self.shop.customer().await, self.shop.admin().await);
            }
            Step::SetStock { product, stock } => self.sets_stock(product, i64::from(stock), None).await,
            Step::CountStock { product, difference } => {
                self.sets_stock(product, 10 + i64::from(difference), Some(10)).await;
            }
            Step::Reprice { product, cents } => self.reprices(product, i64::from(cents)).await,
            Step::Refund { order, restock } => self.refunds(order, restock).await,
            Step::RefundAtTheProvider { order, cents } => {
                self.stripe.behaves().await;
                self.refunds_at_the_provider(order, i64::from(cents)).await;
            }
            Step::FailRefund { order, refund } => {
                self.stripe.behaves().await;
                self.fails_refund(order, refund).await;
            }
            Step::Settle { order, method } => self.settles_failed(order, method).await,
            Step::InjectFaults { call, kind, disorder } => return self.injects_faults(call, kind, disorder).await,
        }
        self.compare().await;
    }

    /// Asserts that the idle shop equals its model.
    async fn compare(&mut self) {
        let moment = self.shop.moment();
        self.shop.settles(&self.stripe).await;
        self.shop.returns_to(&moment);
        for (product, light) in self.lights.iter().enumerate() {
            let seen = self.shop.light(&light.name).await;
            let expected = (self.model.stock[product], self.model.available(product));
            assert_eq!((seen.stock, seen.available), expected, "{}", light.name);
        }
        let mut orders: Vec<(String, i64, i64)> =
            sqlx::query_as("SELECT payment_intent_id, total, refunded FROM orders")
                .fetch_all(self.shop.inside().platform.db.read())
                .await
                .unwrap();
        orders.sort_unstable();
        let ordered = self.model.checkouts.iter().filter(|checkout| checkout.state == State::Ordered);
        let mut expected: Vec<(String, i64, i64)> =
            ordered.map(|it| (it.intent.id.clone(), it.total, it.refunded)).collect();
        expected.sort_unstable();
        assert_eq!(orders, expected);
        self.shop.agrees_with(&self.stripe).await;
    }
}

// invariant: accounting
// invariant: no-over-refunds
// invariant: order-snapshots
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_and_its_model_agree_after_every_step_of_any_sequence() {
    let mut runs = Runs::of("random action sequences, compared with a model", 2);
    while runs.next().is_some() {
        let config = Config {
            cases: 1,
            failure_persistence: None,
            max_shrink_iters: 40,
            rng_seed: RngSeed::Fixed(runs.seed()),
            ..Config::default()
        };
        let outcome = tokio::task::block_in_place(|| {
            TestRunner::new(config).run(&prop::collection::vec(step(), 10..50), |steps| {
                Handle::current().block_on(async {
                    let mut world = World::open().await;
                    for step in &steps {
                        world.apply(step).await;
                    }
                });
                Ok(())
            })
        });
        if let Err(TestError::Fail(reason, steps)) = outcome {
            panic!("seed {}: {reason}\nshortest failing sequence: {steps:#?}", runs.seed());
        }
    }
}
