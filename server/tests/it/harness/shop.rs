//! One shop: a database, a folder, a clock to travel with, and the server itself on a port of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use server::config::Config;
use server::infra::clock::Clock;
use server::shop::Shop;
use server::start::Running;
use tokio::runtime::Handle;

use super::Client;
use super::database::Database;
use super::folder::Folder;

/// The password of both seeded accounts, and of everybody who signs up here.
pub const PASSWORD: &str = "four small lamps glow";
pub const ADMIN: &str = "admin@nudgelight.example";
pub const CUSTOMER: &str = "customer@nudgelight.example";

/// A shop for customers and no demo, with every protection: what a test shop is otherwise spared.
pub const NO_DEMO: [(&str, &str); 7] = [
    ("SHOP_DEMO", "0"),
    ("SHOP_DEMO_PASSWORD", ""),
    ("SHOP_BOT_CHECK", ""),
    ("SHOP_RATE_LIMITS", ""),
    ("STRIPE_SECRET_KEY", "sk_test_1"),
    ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
];

/// More clients than one address may be: all of a test's have the same one, so it is a proxy's.
pub const BEHIND_A_PROXY: (&str, &str) = ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32");

pub struct TestShop {
    running: Option<Running>,
    vars: BTreeMap<String, String>,
    pub clock: Clock,
    client: Client,
    database: Database,
    folder: Folder,
}

impl TestShop {
    /// A demo shop with its four lights, where nobody is slowed down: no bot check, no rate limits.
    pub async fn open() -> Self {
        Self::open_with(&[]).await
    }

    /// The same, with these variables set as well; an empty value unsets one.
    pub async fn open_with(vars: &[(&str, &str)]) -> Self {
        // The views of mails are rendered by an executor that a process sets up once.
        let _ = any_spawner::Executor::init_tokio();
        let folder = Folder::new();
        let database = Database::new(folder.path()).await;
        let data_dir = folder.path().display().to_string();
        let defaults = [
            ("SHOP_ADDR", "127.0.0.1:0"),
            ("SHOP_DATA_DIR", &data_dir),
            ("DATABASE_URL", database.url()),
            ("SHOP_DEMO", "1"),
            ("SHOP_DEMO_PASSWORD", PASSWORD),
            ("SHOP_BOT_CHECK", "off"),
            ("SHOP_RATE_LIMITS", "off"),
        ];
        let vars: BTreeMap<String, String> =
            defaults.iter().chain(vars).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let clock = Clock::default();
        let running = start(&vars, &clock).await;
        let client = Client::new(&format!("http://{}", running.addr));
        Self { running: Some(running), vars, clock, client, database, folder }
    }

    /// Stops the shop, waiting for what has begun.
    pub async fn close(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop().await;
        }
    }

    /// Stops the shop and starts it again on the same data.
    pub async fn restart(&mut self) {
        self.close().await;
        let running = start(&self.vars, &self.clock).await;
        self.client = Client::new(&format!("http://{}", running.addr));
        self.running = Some(running);
    }

    /// The same, with these variables set to something else.
    pub async fn restart_with(&mut self, vars: &[(&str, &str)]) {
        self.vars.extend(vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        self.restart().await;
    }

    /// A second process of this shop, and a visitor of it.
    pub async fn another_process(&self) -> (Running, Client) {
        let running = start(&self.vars, &self.clock).await;
        let client = Client::new(&format!("http://{}", running.addr));
        (running, client)
    }

    /// Somebody without an account.
    pub fn visitor(&self) -> Client {
        self.client.clone()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.running().addr)
    }

    /// The address of the embedded Stripe alone, where the shop was told to give it one.
    pub fn mock_stripe_url(&self) -> String {
        format!("http://{}", self.running().mock_stripe_addr.unwrap())
    }

    /// What the server itself works with: to audit the database and to call on the clockwork without waiting.
    pub fn inside(&self) -> &Arc<Shop> {
        &self.running().shop
    }

    /// The variables another process of the same shop would be started with.
    pub fn vars(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.vars.iter().map(|(name, value)| (name.clone(), value.clone()))
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn mail_folder(&self) -> PathBuf {
        PathBuf::from(&self.vars["SHOP_DATA_DIR"]).join("mail")
    }

    /// What the shop does every 5 seconds: expiry, and events that wait to be applied.
    pub async fn expires(&self) {
        server::checkout::reconcile::expire(self.inside()).await.unwrap();
    }

    /// What the shop does every minute: compare open payments, refunds and disputes with the provider.
    pub async fn reconciles(&self) {
        use server::checkout::reconcile::{MIN_AGE_MS, run_once};
        run_once(self.inside(), MIN_AGE_MS).await.unwrap();
    }

    /// What the shop does each hour: delete personal data that nobody needs any more.
    pub async fn deletes_what_is_old(&self) {
        let shop = self.inside();
        server::retention::sweep(&shop.db, shop.clock.now_ms()).await.unwrap();
    }

    /// What the shop does every 5 seconds beside that: tell the provider of the tax of sales and refunds.
    pub async fn records_taxes(&self) {
        server::checkout::tax_records::process_pending(self.inside()).await.unwrap();
    }

    /// What the shop does every 5 seconds with the page views it has counted.
    pub async fn writes_page_views(&self) {
        server::analytics::flush(self.inside()).await;
    }

    fn running(&self) -> &Running {
        self.running.as_ref().unwrap()
    }
}

async fn start(vars: &BTreeMap<String, String>, clock: &Clock) -> Running {
    let config = Config::from_vars(vars.clone()).unwrap();
    Running::start(config, clock.clone()).await.unwrap()
}

/// A shop is stopped like in life, so that nothing goes on writing into a folder that is being removed.
impl Drop for TestShop {
    fn drop(&mut self) {
        let running = self.running.take();
        let database = &self.database;
        tokio::task::block_in_place(|| {
            Handle::current().block_on(async {
                if let Some(running) = running {
                    let stopped = tokio::time::timeout(Duration::from_secs(20), running.stop()).await;
                    assert!(stopped.is_ok() || std::thread::panicking(), "the shop does not stop");
                }
                database.remove().await;
            });
        });
    }
}
