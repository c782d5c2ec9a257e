//! Callers who hang up at any moment of any call.

use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::json;

use super::invariant::is_one_of;
use super::run::Runs;
use crate::harness::{Answer, Light, PASSWORD, Person, TestShop, eventually, together};

/// Somebody else's transaction that nobody goes on with.
const FORGOTTEN: &str = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
    AND state LIKE 'idle in transaction%' AND state_change < now() - interval '1 second'";

/// Looked at after so many.
const OFTEN: usize = 50;

struct Scene {
    buyer: Person,
    admin: Person,
    /// Whose refresh token is used again and again.
    returning: Person,
    light: Light,
    order: String,
    /// Of a payment that nobody has asked an order for yet.
    paid: String,
}

impl Scene {
    async fn of(shop: &TestShop) -> Self {
        let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
        let light = shop.adds_light("Hung Up On", 500_000).await;
        let order = buyer.buys(&stripe, &light, 1).await;
        let paid = shop.paid_but_gone(&buyer, &light, 1).await.id;
        Self { buyer, admin, returning: shop.customer().await, light, order, paid }
    }

    async fn calls(&self, chance: &mut StdRng) -> Answer {
        let (buyer, admin) = (&self.buyer, &self.admin);
        match chance.random_range(0..9) {
            0 | 1 => buyer.asks_to_pay(&Person::cart(&[(&self.light, chance.random_range(1..=3))])).await,
            2 => buyer.asks_for_order(&self.paid).await,
            3 => {
                let path = format!("/api/products/{}/stock", self.light.id);
                admin.patch(&path, &json!({ "stock": chance.random_range(400_000..500_000) })).await
            }
            4 => {
                let path = format!("/api/admin/order/{}", self.order);
                admin.patch(&path, &json!({ "tracking_number": chance.random_range(0..99).to_string() })).await
            }
            5 => {
                let body = json!({ "refreshToken": self.returning.refresh_token });
                buyer.post("/api/auth/refresh-token", &body).await
            }
            6 => admin.get("/api/admin/orders.csv").await,
            7 => admin.get("/api/admin/overview").await,
            _ => {
                let email = format!("ada{}@example.com", chance.random_range(0..1_000));
                buyer.post("/api/auth/signup", &json!({ "email": email, "password": PASSWORD })).await
            }
        }
    }

    /// Every connection is back, none of them in the middle of something, and each can be used.
    async fn nothing_is_left(&self, shop: &TestShop) {
        let on_postgres = shop.vars().any(|(name, value)| name == "DATABASE_URL" && value.starts_with("postgres"));
        eventually("all connections to be back", async || {
            let connections = shop.inside().db.connections();
            connections.iter().all(|(_, size, idle)| usize::try_from(*size) == Ok(*idle)).then_some(())
        })
        .await;
        if on_postgres {
            assert_eq!(shop.count(FORGOTTEN).await, 0);
        }
        let path = format!("/api/products/{}/stock", self.light.id);
        let answers = together(16, |_| {
            let (admin, path) = (self.admin.clone(), path.clone());
            async move { admin.patch(&path, &json!({ "stock": 500_000 })).await }
        });
        answers.await.iter().for_each(|answer| drop(answer.gives(200)));
        // Their quotes hold goods as long as any, and then no more.
        shop.clock.advance(900_000);
        shop.expires().await;
        let after = shop.light(&self.light.name).await;
        assert_eq!(after.stock, after.available, "goods are held for nobody");
        shop.audit().await;
    }
}

// invariant: client-disconnects
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_hangs_up_at_whatever_moment_leaves_no_transaction_and_no_connection_behind() {
    let shop = TestShop::open().await;
    let mut scene = Scene::of(&shop).await;
    let mut runs = Runs::of("disconnecting clients", 100);
    while let Some(mut chance) = runs.next() {
        let patience = Duration::from_micros(chance.random_range(0..25_000));
        if let Ok(answer) = tokio::time::timeout(patience, scene.calls(&mut chance)).await {
            is_one_of(&answer, &[200, 201, 401, 409, 429, 503]);
        }
        if (runs.number() + 1).is_multiple_of(OFTEN) {
            scene.nothing_is_left(&shop).await;
            scene = again(&shop, scene).await;
        }
    }
    scene.nothing_is_left(&shop).await;
}

/// Sessions have aged with the clock.
async fn again(shop: &TestShop, scene: Scene) -> Scene {
    let (buyer, admin, returning) = (shop.customer().await, shop.admin().await, shop.customer().await);
    let paid = shop.paid_but_gone(&buyer, &scene.light, 1).await.id;
    Scene { buyer, admin, returning, paid, ..scene }
}
