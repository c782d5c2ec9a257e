//! Tests of the mock Stripe over HTTP, with Stripe's own client and with plain requests.

mod bank_page;
mod cards;
mod disputes;
mod fault_injection;
mod idempotency;
mod payments;
mod payouts;
mod refunds;
mod state;
mod surface;
mod taxes;
mod webhooks;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use jiff::Timestamp;
use serde_json::Value;
use sqlx::any::AnyPoolOptions;
use stripe::{Client, ClientBuilder};
use stripe_core::payment_intent::CreatePaymentIntent;
use stripe_shared::PaymentIntent;
use stripe_types::Currency;

use super::{Clock, Db, Keys, MockStripe, ids, migrator, router};

/// A test account with its own database and port.
struct Account {
    base: String,
    clock: TestClock,
    keys: Keys,
    http: reqwest::Client,
    stripe: Client,
    folder: PathBuf,
    inside: MockStripe,
}

impl Drop for Account {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Milliseconds that the account's clock is ahead of the system's.
struct TestClock(Arc<AtomicI64>);

impl TestClock {
    fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::Relaxed);
    }
}

/// A plain response.
struct Reply {
    status: u16,
    replayed: bool,
    body: Value,
}

impl Account {
    async fn open() -> Self {
        let folder = std::env::temp_dir().join(format!("mock-stripe-{}", ids::sortable_id()));
        std::fs::create_dir(&folder).unwrap();
        let db = database(&folder).await;
        let clock = TestClock(Arc::new(AtomicI64::new(0)));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/test-stripe", listener.local_addr().unwrap());
        let ahead = clock.0.clone();
        let now_ms = move || Timestamp::now().as_millisecond() + ahead.load(Ordering::Relaxed);
        let inside = MockStripe::new(db, Clock::new(now_ms), base.clone(), &["*"]);
        let app: Router = Router::new().nest("/test-stripe", router(inside.clone()));
        tokio::spawn(async move { axum::serve(listener, app).await });
        let keys = inside.keys().await.unwrap();
        let stripe = ClientBuilder::new(&keys.secret_key).url(format!("{base}/")).build().unwrap();
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { base, clock, keys, http, stripe, folder, inside }
    }

    async fn intent_of(&self, cents: i64) -> PaymentIntent {
        CreatePaymentIntent::new(cents, Currency::USD)
            .metadata([("checkout_id".to_owned(), "c1".to_owned())])
            .send(&self.stripe)
            .await
            .unwrap()
    }

    /// The browser's confirmation, with the publishable key.
    async fn confirm(&self, intent: &PaymentIntent, card: &str) -> Reply {
        self.confirm_and_return(intent, card, "http://localhost:5173/back?a=1").await
    }

    async fn confirm_and_return(&self, intent: &PaymentIntent, card: &str, return_url: &str) -> Reply {
        let secret = intent.client_secret.as_deref().unwrap();
        let mut form = form_urlencoded::Serializer::new(card.to_owned());
        let form = form.append_pair("client_secret", secret).append_pair("return_url", return_url).finish();
        let path = format!("/v1/payment_intents/{}/confirm", intent.id);
        self.post_as(&self.keys.publishable_key, &path, &form).await
    }

    async fn paid(&self, cents: i64) -> PaymentIntent {
        let intent = self.intent_of(cents).await;
        let reply = self.confirm(&intent, "payment_method=pm_card_visa").await;
        assert_eq!((reply.status, reply.body["status"].as_str()), (200, Some("succeeded")), "{}", reply.body);
        intent
    }

    async fn post(&self, path: &str, form: &str) -> Reply {
        self.post_as(&self.keys.secret_key, path, form).await
    }

    async fn post_as(&self, key: &str, path: &str, form: &str) -> Reply {
        let request = self.http.post(format!("{}{path}", self.base)).bearer_auth(key);
        read(request.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned())).await
    }

    async fn post_once(&self, idempotency_key: &str, path: &str, form: &str) -> Reply {
        let request = self
            .http
            .post(format!("{}{path}", self.base))
            .bearer_auth(&self.keys.secret_key)
            .header("idempotency-key", idempotency_key)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        read(request).await
    }

    async fn get(&self, path: &str) -> Reply {
        read(self.http.get(format!("{}{path}", self.base)).bearer_auth(&self.keys.secret_key)).await
    }

    async fn control(&self, orders: Value) {
        let request = self.http.post(format!("{}/control", self.base)).bearer_auth(&self.keys.secret_key);
        let reply = read(request.body(orders.to_string())).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
}

/// SQLite with one writer.
async fn database(folder: &Path) -> Db {
    sqlx::any::install_default_drivers();
    let url = format!("sqlite:{}?mode=rwc", folder.join("t.db").display());
    let writers = AnyPoolOptions::new().max_connections(1).connect(&url).await.unwrap();
    sqlx::query("PRAGMA journal_mode = WAL").execute(&writers).await.unwrap();
    migrator().run(&writers).await.unwrap();
    Db::new(AnyPoolOptions::new().connect(&url).await.unwrap(), writers)
}

async fn read(request: reqwest::RequestBuilder) -> Reply {
    let response = request.send().await.unwrap();
    Reply {
        status: response.status().as_u16(),
        replayed: response.headers().contains_key("idempotent-replayed"),
        body: serde_json::from_slice(&response.bytes().await.unwrap()).unwrap(),
    }
}
