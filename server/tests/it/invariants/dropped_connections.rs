//! Client disconnects at any point of any request.

use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::json;

use super::invariant::assert_status_in;
use super::run::Runs;
use crate::harness::{ApiResponse, Light, PASSWORD, Person, TestShop, eventually, together};

/// Transactions that were left open: idle in a transaction for more than a second.
const IDLE_TRANSACTIONS: &str = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
    AND state LIKE 'idle in transaction%' AND state_change < now() - interval '1 second'";

/// Number of runs between two checks.
const CHECK_INTERVAL: usize = 50;

struct Fixture {
    buyer: Person,
    admin: Person,
    /// The session whose refresh token is used repeatedly.
    returning: Person,
    light: Light,
    order: String,
    /// A paid intent whose order has not been requested.
    paid: String,
}

impl Fixture {
    async fn of(shop: &TestShop) -> Self {
        let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
        let light = shop.adds_light("Hung Up On", 500_000).await;
        let order = buyer.buys(&stripe, &light, 1).await;
        let paid = shop.paid_but_gone(&buyer, &light, 1).await.id;
        Self { buyer, admin, returning: shop.customer().await, light, order, paid }
    }

    async fn send_random(&self, rng: &mut StdRng) -> ApiResponse {
        let (buyer, admin) = (&self.buyer, &self.admin);
        match rng.random_range(0..9) {
            0 | 1 => buyer.asks_to_pay(&Person::cart(&[(&self.light, rng.random_range(1..=3))])).await,
            2 => buyer.asks_for_order(&self.paid).await,
            3 => {
                let path = format!("/api/products/{}/stock", self.light.id);
                admin.patch(&path, &json!({ "stock": rng.random_range(400_000..500_000) })).await
            }
            4 => {
                let path = format!("/api/admin/order/{}", self.order);
                admin.patch(&path, &json!({ "tracking_number": rng.random_range(0..99).to_string() })).await
            }
            5 => {
                let body = json!({ "refreshToken": self.returning.refresh_token });
                buyer.post("/api/auth/refresh-token", &body).await
            }
            6 => admin.get("/api/admin/orders.csv").await,
            7 => admin.get("/api/admin/overview").await,
            _ => {
                let email = format!("ada{}@example.com", rng.random_range(0..1_000));
                buyer.post("/api/auth/signup", &json!({ "email": email, "password": PASSWORD })).await
            }
        }
    }

    /// Asserts that all connections are back in the pool, none in a transaction, and that each can write.
    async fn assert_no_leaks(&self, shop: &TestShop) {
        let on_postgres = shop.vars().any(|(name, value)| name == "DATABASE_URL" && value.starts_with("postgres"));
        eventually("all connections to return to the pool", async || {
            let connections = shop.inside().platform.db.connections();
            connections.iter().all(|pool| usize::try_from(pool.open) == Ok(pool.idle)).then_some(())
        })
        .await;
        if on_postgres {
            assert_eq!(shop.count(IDLE_TRANSACTIONS).await, 0);
        }
        let path = format!("/api/products/{}/stock", self.light.id);
        let responses = together(16, |_| {
            let (admin, path) = (self.admin.clone(), path.clone());
            async move { admin.patch(&path, &json!({ "stock": 500_000 })).await }
        });
        responses.await.iter().for_each(|response| drop(response.gives(200)));
        // Quotes of disconnected clients reserve stock until they expire.
        shop.clock.advance(900_000);
        shop.expires().await;
        let after = shop.light(&self.light.name).await;
        assert_eq!(after.stock, after.available, "expired reservations were not released");
        shop.audit().await;
    }
}

// invariant: client-disconnects
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_hangs_up_at_whatever_moment_leaves_no_transaction_and_no_connection_behind() {
    let shop = TestShop::open().await;
    let mut fixture = Fixture::of(&shop).await;
    let mut runs = Runs::of("disconnecting clients", 100);
    while let Some(mut rng) = runs.next() {
        let disconnect_after = Duration::from_micros(rng.random_range(0..25_000));
        if let Ok(response) = tokio::time::timeout(disconnect_after, fixture.send_random(&mut rng)).await {
            assert_status_in(&response, &[200, 201, 401, 409, 429, 503]);
        }
        if (runs.number() + 1).is_multiple_of(CHECK_INTERVAL) {
            fixture.assert_no_leaks(&shop).await;
            fixture = renew_sessions(&shop, fixture).await;
        }
    }
    fixture.assert_no_leaks(&shop).await;
}

/// Advancing the clock expired the sessions.
async fn renew_sessions(shop: &TestShop, fixture: Fixture) -> Fixture {
    let (buyer, admin, returning) = (shop.customer().await, shop.admin().await, shop.customer().await);
    let paid = shop.paid_but_gone(&buyer, &fixture.light, 1).await.id;
    Fixture { buyer, admin, returning, paid, ..fixture }
}
