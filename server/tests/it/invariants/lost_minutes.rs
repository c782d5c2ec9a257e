//! A database that loses its last minutes, in a failover or a restore, while the payment provider loses nothing: whatever
//! happened before, in these minutes and afterward, every payment has its order or its refund.
//!
//! The mock Stripe has a database of its own, that of another shop. The shop gets no events, so its comparisons with the
//! provider find everything.

use rand::RngExt as _;
use serde_json::json;
use server::checkout::reconcile::{MIN_AGE_MS, run_once};
use server::db::Db;
use server::operations::backup::tables::TABLES;
use server::operations::backup::{Purpose, back_up, restore};

use super::disputes::{assert_same_disputes, list_all};
use super::payouts::{a_random_history, providers_books};
use super::run::Runs;
use crate::harness::{Light, Stripe, TestShop, eventually, tamper};

const MINUTE: i64 = 60_000;
/// A shop and its provider become slower with their payments.
const RUNS_PER_SHOP: usize = 20;

struct World {
    shop: TestShop,
    stripe: Stripe,
    light: Light,
    /// Dropped last: it serves the mock Stripe.
    provider: TestShop,
}

impl World {
    async fn open() -> Self {
        let (shop, stripe, provider) = TestShop::open_with_external_provider(&[]).await;
        let light = shop.adds_light("Lost And Found", 100_000).await;
        let world = Self { shop, stripe, light, provider };
        world.advances(MINUTE).await;
        world
    }

    /// Advances both clocks, and compares the shop with the provider. Returns what couldn't be compared.
    async fn advances(&self, ms: i64) -> Vec<String> {
        self.shop.clock.advance(ms);
        self.provider.clock.advance(ms);
        self.shop.expires().await;
        run_once(&self.shop.inside().checkout, MIN_AGE_MS).await.unwrap().failures
    }

    /// Runs `minutes`, and then sets the database back to before, while no process uses it.
    async fn loses(&mut self, minutes: impl AsyncFnOnce(&Self)) {
        let file = self.shop.folder().join("before.backup");
        let platform = &self.shop.inside().platform;
        let url = platform.config.database_url.clone();
        back_up(&platform.db, self.shop.clock.now_ms(), &file, |_| {}).await.unwrap();
        minutes(self).await;
        self.shop.close().await;
        let db = Db::open(&url).await.unwrap();
        for table in TABLES.iter().rev() {
            tamper(&db, format!("DELETE FROM {}", table.name)).await;
        }
        restore(&db, &file, Purpose::Shop, |_| {}).await.unwrap();
        db.close().await;
        self.shop.restart().await;
    }

    /// The provider's decisions are made, and the shop knows all of them.
    async fn settles(&self) {
        self.advances(2 * MINUTE).await;
        eventually("the banks' decisions on refunds", async || {
            self.provider.clock.advance(MINUTE);
            self.shop.clock.advance(MINUTE);
            (self.provider.count("SELECT COUNT(*) FROM mock_stripe_scheduled").await == 0).then_some(())
        })
        .await;
        for _ in 0..2 {
            self.advances(2 * MINUTE).await;
        }
        assert_eq!(self.advances(20 * MINUTE).await, Vec::<String>::new());
        self.shop.syncs_payouts().await;
    }

    async fn assert_agreement(&self, context: &str) {
        let ordered = self.shop.texts("SELECT payment_intent_id FROM orders").await;
        // They were charged back, or the customer's bank returned the automatic refund, and an alert says so.
        let left_to_the_shopkeeper = self
            .shop
            .texts(
                "SELECT payment_intent_id FROM alerts WHERE kind IN ('payment_charged_back', 'payment_refund_failed')",
            )
            .await;
        for intent in list_all(&self.stripe, "/v1/payment_intents", "&expand[]=data.latest_charge").await {
            let is_in = |ids: &[String]| ids.iter().any(|id| intent["id"] == id.as_str());
            if is_in(&ordered) || !is_in(&left_to_the_shopkeeper) {
                self.shop.payment_outcome(&intent).await;
            }
        }
        assert_same_disputes(&self.shop, &self.stripe, context).await;
        let listed = self.shop.payouts().await;
        assert_eq!(listed["unexplained"], json!([]), "{context}");
        for payout in listed["payouts"].as_array().unwrap() {
            assert_eq!(payout["difference"], json!(0.0), "{context}: {payout}");
        }
        assert_eq!(self.shop.own_books().await, providers_books(&self.stripe).await, "{context}");
        self.shop.audit().await;
    }
}

// invariant: payment-recovery
// invariant: no-over-refunds
// invariant: explained-payouts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_lost_its_last_minutes_gets_every_payment_back() {
    let mut runs = Runs::of("lost minutes in random histories", 2);
    let mut world = World::open().await;
    while let Some(mut rng) = runs.next() {
        if runs.number() > 0 && runs.number().is_multiple_of(RUNS_PER_SHOP) {
            world = World::open().await;
        }
        a_random_history(&world.shop, &world.stripe, &world.light, &mut rng).await;
        if rng.random_bool(0.5) {
            world.advances(MINUTE).await;
        }
        let is_compared = rng.random_bool(0.5);
        world
            .loses(async |world| {
                a_random_history(&world.shop, &world.stripe, &world.light, &mut rng).await;
                if is_compared {
                    world.advances(MINUTE).await;
                }
            })
            .await;
        if rng.random_bool(0.5) {
            a_random_history(&world.shop, &world.stripe, &world.light, &mut rng).await;
        }
        world.settles().await;
        world.assert_agreement(&format!("seed {}", runs.seed())).await;
    }
}
