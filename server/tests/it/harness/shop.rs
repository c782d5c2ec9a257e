//! Test shop: a database, a folder, an adjustable clock, and the server on its own port.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use argon2::Params;
use server::config::Config;
use server::infra::clock::Clock;
use server::shop::Shop;
use server::start::Running;
use tokio::runtime::Handle;

use super::database::Database;
use super::folder::Folder;
use super::{Client, Stripe};

/// Password of both seeded accounts and of all new customers.
pub const PASSWORD: &str = "four small lamps glow";
pub const ADMIN: &str = "admin@nudgelight.example";
pub const CUSTOMER: &str = "customer@nudgelight.example";

/// Configuration of a production shop: no demo mode, all protections enabled.
pub const NO_DEMO: [(&str, &str); 7] = [
    ("SHOP_DEMO", "0"),
    ("SHOP_DEMO_PASSWORD", ""),
    ("SHOP_BOT_CHECK", ""),
    ("SHOP_RATE_LIMITS", ""),
    ("STRIPE_SECRET_KEY", "sk_test_1"),
    ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
];

/// Makes a shop hash passwords at the cost of production. All others do it at the lowest cost, which saves a fifth of the
/// tests' processor time.
pub const PRODUCTION_PASSWORD_COST: (&str, &str) = ("TEST_PASSWORD_COST", "production");

/// Trusts this machine as a proxy, which lifts the connection limit per address. All clients of a test share one
/// address.
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
    /// A demo shop with its four products, without bot check and rate limits.
    pub async fn open() -> Self {
        Self::open_with(&[]).await
    }

    /// A demo shop on PostgreSQL. None without a server, and then the test is skipped.
    pub async fn on_postgres() -> Option<Self> {
        let database = Database::migrated_postgres().await?;
        Some(Self::open_on(Folder::new(), database, &[]).await)
    }

    /// A demo shop on SQLite, independent of `TEST_DATABASE_URL`.
    pub async fn on_sqlite() -> Self {
        let folder = Folder::new();
        let database = Database::migrated_sqlite(folder.path()).await;
        Self::open_on(folder, database, &[]).await
    }

    /// A demo shop with additional variables. An empty value unsets a variable.
    pub async fn open_with(vars: &[(&str, &str)]) -> Self {
        let folder = Folder::new();
        let database = Database::migrated(folder.path()).await;
        Self::open_on(folder, database, vars).await
    }

    /// A shop that uses the mock Stripe of a second shop, which has a database of its own, so that one can be lost
    /// without the other. No webhook arrives. The second shop serves the mock Stripe, so it must be dropped last.
    pub async fn open_with_external_provider(vars: &[(&str, &str)]) -> (Self, Stripe, Self) {
        let provider = Self::open_with(&[BEHIND_A_PROXY]).await;
        let (keys, stripe) = (provider.mock_stripe_keys().await, provider.stripe().await);
        stripe.drops_webhooks().await;
        let base = format!("{}/test-stripe", provider.url());
        let of_provider = [
            ("STRIPE_SECRET_KEY", keys.secret_key.as_str()),
            ("STRIPE_PUBLISHABLE_KEY", &keys.publishable_key),
            ("STRIPE_WEBHOOK_SECRET", "whsec_elsewhere"),
            ("STRIPE_API_BASE", &base),
            BEHIND_A_PROXY,
        ];
        (Self::open_with(&[&of_provider, vars].concat()).await, stripe, provider)
    }

    async fn open_on(folder: Folder, database: Database, vars: &[(&str, &str)]) -> Self {
        // Rendering email needs an executor, which can be set only once per process.
        let _ = any_spawner::Executor::init_tokio();
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

    /// Stops the shop gracefully.
    pub async fn close(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop().await;
        }
    }

    /// Restarts the shop with the same data.
    pub async fn restart(&mut self) {
        self.close().await;
        let running = start(&self.vars, &self.clock).await;
        self.client = Client::new(&format!("http://{}", running.addr));
        self.running = Some(running);
    }

    /// Restarts the shop with the same data and changed variables.
    pub async fn restart_with(&mut self, vars: &[(&str, &str)]) {
        self.vars.extend(vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        self.restart().await;
    }

    /// Starts a second process of this shop, with a client for it.
    pub async fn another_process(&self) -> (Running, Client) {
        let running = start(&self.vars, &self.clock).await;
        let client = Client::new(&format!("http://{}", running.addr));
        (running, client)
    }

    /// A client without an account.
    pub fn visitor(&self) -> Client {
        self.client.clone()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.running().addr)
    }

    /// Base URL of the mock Stripe on its own port, if `SHOP_TEST_STRIPE_ADDR` is set.
    pub fn mock_stripe_url(&self) -> String {
        format!("http://{}", self.running().mock_stripe_addr.unwrap())
    }

    /// The server's own state, to audit the database and to run background jobs immediately.
    pub fn inside(&self) -> &Arc<Shop> {
        &self.running().shop
    }

    /// Environment of another process of this shop.
    pub fn vars(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.vars.iter().map(|(name, value)| (name.clone(), value.clone()))
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn mail_folder(&self) -> PathBuf {
        PathBuf::from(&self.vars["SHOP_DATA_DIR"]).join("mail")
    }

    /// Runs the job that expires checkouts and processes stored events, which the shop does every 5 seconds.
    pub async fn expires(&self) {
        server::checkout::reconcile::expire(&self.inside().checkout).await.unwrap();
    }

    /// Runs the reconciler, which compares open payments, refunds, disputes and early fraud warnings with the provider
    /// every minute.
    pub async fn reconciles(&self) {
        use server::checkout::reconcile::{MIN_AGE_MS, run_once};
        run_once(&self.inside().checkout, MIN_AGE_MS).await.unwrap();
    }

    /// Runs the job that reminds the shopkeeper of due responses to disputes, which the shop does every minute.
    pub async fn reminds_of_disputes(&self) {
        server::checkout::disputes::remind(&self.inside().checkout).await.unwrap();
    }

    /// Runs the job that lists payouts and balance transactions every ten minutes.
    pub async fn syncs_payouts(&self) {
        server::money::payouts::sync(&self.inside().money).await.unwrap();
    }

    /// Runs the job that emails the shopkeeper about low stock, which the shop does every minute.
    pub async fn reports_low_stock(&self) {
        server::catalog::low_stock::notify(&self.inside().catalog).await.unwrap();
    }

    /// Runs the hourly data retention job, which deletes personal data that is no longer needed.
    pub async fn deletes_what_is_old(&self) {
        server::operations::retention::sweep(&self.inside().operations).await.unwrap();
    }

    /// Runs the job that reports taxes of sales and refunds to the provider every 5 seconds.
    pub async fn records_taxes(&self) {
        server::checkout::tax_records::process_pending(&self.inside().checkout).await.unwrap();
    }

    /// Writes the counted page views to the database, which the shop does every 5 seconds.
    pub async fn writes_page_views(&self) {
        server::storefront::analytics::flush(&self.inside().storefront).await.unwrap();
    }

    fn running(&self) -> &Running {
        self.running.as_ref().unwrap()
    }
}

async fn start(vars: &BTreeMap<String, String>, clock: &Clock) -> Running {
    let mut config = Config::from_vars(vars.clone()).unwrap();
    if !vars.contains_key(PRODUCTION_PASSWORD_COST.0) {
        config.password_cost = Params::new(Params::MIN_M_COST, Params::MIN_T_COST, 1, None).unwrap();
    }
    Running::start(config, clock.clone()).await.unwrap()
}

/// Graceful shutdown, so that nothing writes to the folder while it is being deleted.
impl Drop for TestShop {
    fn drop(&mut self) {
        let running = self.running.take();
        let database = &self.database;
        tokio::task::block_in_place(|| {
            Handle::current().block_on(async {
                if let Some(running) = running {
                    let stopped = tokio::time::timeout(Duration::from_secs(20), running.stop()).await;
                    assert!(stopped.is_ok() || std::thread::panicking(), "the shop did not stop within 20 seconds");
                }
                database.remove().await;
            });
        });
    }
}
