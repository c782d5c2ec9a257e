//! Horizontal scaling: several processes share one PostgreSQL database behind a load balancer. They are real processes,
//! and one is killed while customers buy.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::spawn_blocking;

use crate::configuration::{Process, serve};
use crate::harness::{CUSTOMER, Client, Database, Folder, Intent, PASSWORD, Person, TestShop, eventually, form};

const PROCESSES: usize = 3;
const BUYERS: usize = 6;
const PURCHASES: usize = 4;
/// Acknowledged orders before one process is killed, so that every customer is in the middle of a checkout.
const KILLED_AFTER: usize = 5;

struct Processes {
    database: Database,
    folder: Folder,
    running: Vec<Process>,
    urls: Vec<String>,
}

impl Processes {
    /// Starts all processes at once on an empty database. None without PostgreSQL.
    async fn start() -> Option<Self> {
        let database = Database::postgres().await?;
        let folder = Folder::new();
        let vars = vars(&folder, &database);
        let starts = (0..PROCESSES).map(|_| {
            let (path, vars) = (folder.path().to_owned(), vars.clone());
            spawn_blocking(move || {
                let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (*name, value.as_str())).collect();
                serve(&path, &vars)
            })
        });
        let (mut running, mut urls) = (Vec::new(), Vec::new());
        for started in join_all(starts).await {
            let (process, url, _) = started.unwrap();
            running.push(process);
            urls.push(url);
        }
        Some(Self { database, folder, running, urls })
    }

    /// Another instance on the same database, inside the test process, for access to its state.
    async fn join(&self) -> TestShop {
        let vars = vars(&self.folder, &self.database);
        let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (*name, value.as_str())).collect();
        TestShop::open_with(&vars).await
    }

    async fn end(mut self) {
        self.running.clear();
        self.database.remove().await;
    }
}

fn vars(folder: &Folder, database: &Database) -> Vec<(&'static str, String)> {
    vec![
        ("SHOP_ADDR", "127.0.0.1:0".to_owned()),
        ("SHOP_DATA_DIR", folder.path().display().to_string()),
        ("DATABASE_URL", database.url().to_owned()),
        ("SHOP_DEMO", "1".to_owned()),
        ("SHOP_DEMO_PASSWORD", PASSWORD.to_owned()),
        ("SHOP_BOT_CHECK", "off".to_owned()),
        ("SHOP_RATE_LIMITS", "off".to_owned()),
    ]
}

/// Round-robin load balancer with failover: a failed request is retried on the next process.
#[derive(Clone)]
struct Balancer {
    clients: Arc<Vec<Client>>,
    turn: Arc<AtomicUsize>,
}

impl Balancer {
    fn of(urls: &[String]) -> Self {
        let clients = urls.iter().map(|url| Client::new(url)).collect();
        Self { clients: Arc::new(clients), turn: Arc::default() }
    }

    /// The body of the first response that is neither a 503 nor a connection error.
    async fn ask(&self, path: &str, token: &str, body: &Body) -> Value {
        eventually(path, async || {
            let client = &self.clients[self.turn.fetch_add(1, Ordering::Relaxed) % self.clients.len()];
            let request = client.with_token(token).request("POST", path);
            let request = match body {
                Body::Json(value) => request.json(value),
                Body::Form(text) => {
                    request.header("content-type", "application/x-www-form-urlencoded").body(text.clone())
                }
            };
            let response = request.send().await.ok()?;
            let (status, text) = (response.status().as_u16(), response.text().await.ok()?);
            assert!(!(300..500).contains(&status), "{path}: {status} {text}");
            (status < 300).then(|| serde_json::from_str(&text).unwrap())
        })
        .await
    }
}

enum Body {
    Json(Value),
    Form(String),
}

/// State that all customers share.
#[derive(Clone)]
struct SharedState {
    balancer: Balancer,
    token: String,
    publishable_key: String,
    light: Value,
    acknowledged: Arc<AtomicUsize>,
    enough: Arc<Notify>,
}

impl SharedState {
    async fn begin(processes: &Processes) -> Self {
        let balancer = Balancer::of(&processes.urls);
        let log_in = json!({ "username": CUSTOMER, "password": PASSWORD, "recaptchaToken": "" });
        let tokens = balancer.ask("/api/auth/login", "", &Body::Json(log_in)).await;
        let config = balancer.clients[0].get("/api/config").await.gives(200);
        let light = balancer.clients[1].get("/api/products/nudgelight-one").await.gives(200);
        Self {
            token: tokens["accessToken"].as_str().unwrap().to_owned(),
            publishable_key: config["payments"]["publishable_key"].as_str().unwrap().to_owned(),
            balancer,
            light,
            acknowledged: Arc::default(),
            enough: Arc::default(),
        }
    }

    async fn pays(&self) -> Intent {
        let light = serde_json::from_value(self.light.clone()).unwrap();
        let cart = Person::cart(&[(&light, 1)]);
        let intent = Intent::of(self.balancer.ask("/api/payments/create-intent", &self.token, &Body::Json(cart)).await);
        let fields = form(&[("client_secret", intent.client_secret.as_str()), ("payment_method", "pm_card_visa")]);
        let path = format!("/test-stripe/v1/payment_intents/{}/confirm", intent.id);
        let paid = self.balancer.ask(&path, &self.publishable_key, &Body::Form(fields)).await;
        assert_eq!(paid["status"], "succeeded", "{paid}");
        intent
    }

    /// Buys several times. After the last payment the browser closes without requesting the order.
    async fn buys(self) -> Vec<String> {
        let mut paid = Vec::new();
        for purchase in 0..PURCHASES {
            let intent = self.pays().await;
            if purchase + 1 < PURCHASES {
                let wanted = json!({ "paymentIntentId": intent.id });
                let order = self.balancer.ask("/api/orders", &self.token, &Body::Json(wanted)).await;
                assert!(order["orderId"].is_string(), "{order}");
                if self.acknowledged.fetch_add(1, Ordering::Relaxed) + 1 == KILLED_AFTER {
                    self.enough.notify_one();
                }
            }
            paid.push(intent.id);
        }
        paid
    }
}

const UNSENT: &str = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL";
const RECEIPTS: &str = "SELECT COUNT(*) FROM outbox WHERE kind = 'receipt'";
const UNDELIVERED: &str = "SELECT COUNT(*) FROM mock_stripe_deliveries WHERE state = 'pending'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_killed_while_people_buy_costs_nobody_an_order_a_light_or_a_mail() {
    let Some(mut processes) = Processes::start().await else { return };
    let shopping = SharedState::begin(&processes).await;
    let buyers = (0..BUYERS).map(|_| shopping.clone().buys());
    let one_is_killed = async {
        shopping.enough.notified().await;
        drop(processes.running.pop());
    };
    let (bought, ()) = tokio::join!(join_all(buyers), one_is_killed);
    let paid: BTreeSet<String> = bought.into_iter().flatten().collect();
    assert_eq!(paid.len(), BUYERS * PURCHASES);

    // A new instance replaces the killed one, and finishes its work once the leases have expired.
    let shop = processes.join().await;
    shop.clock.advance(3 * 60_000);
    shop.reconciles().await;
    eventually("an order for every payment", async || (shop.count_orders().await >= 24).then_some(())).await;
    eventually("the last webhook", async || (shop.count(UNDELIVERED).await == 0).then_some(())).await;
    eventually("the last email", async || (shop.count(UNSENT).await == 0).then_some(())).await;

    let ordered: Vec<String> = shop.texts("SELECT payment_intent_id FROM orders").await;
    assert_eq!(ordered.len(), paid.len(), "one order for each payment");
    assert_eq!(ordered.into_iter().collect::<BTreeSet<_>>(), paid);
    assert_eq!(shop.count(RECEIPTS).await, 24);
    let receipts: Vec<_> = shop.mails_to(CUSTOMER).into_iter().filter(|mail| mail.subject.contains("order")).collect();
    let subjects: BTreeSet<_> = receipts.iter().map(|mail| mail.subject.clone()).collect();
    assert_eq!((receipts.len(), subjects.len()), (24, 24), "one receipt for each order");
    let light = shop.light("Nudgelight One").await;
    assert_eq!(light.stock, 120 - 24);
    shop.audit().await;
    drop(shop);
    processes.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_start_at_once_on_an_empty_database_set_it_up_once() {
    let Some(processes) = Processes::start().await else { return };
    let shop = processes.join().await;
    let applied = shop.count("SELECT COUNT(*) FROM _sqlx_migrations WHERE success").await;
    assert_eq!(shop.count("SELECT MAX(version) FROM _sqlx_migrations").await, server::db::schema_version());
    assert_eq!(applied, shop.count("SELECT COUNT(DISTINCT version) FROM _sqlx_migrations").await);
    assert_eq!(shop.count("SELECT COUNT(*) FROM products").await, 4);
    assert_eq!(shop.count("SELECT COUNT(*) FROM users").await, 2);
    assert_eq!(shop.count("SELECT COUNT(*) FROM signing_keys").await, 1);
    // A session that begins on one process is valid on all.
    let person = shop.customer().await;
    for url in &processes.urls {
        Client::new(url).with_token(person.access_token()).get("/api/auth/user").await.gives(200);
    }
    drop(person);
    drop(shop);
    processes.end().await;
}
