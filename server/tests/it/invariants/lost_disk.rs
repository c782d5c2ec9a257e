//! A disk that is lost under load: the database is restored from a copy that Litestream or `pg_receivewal` made of it, and
//! the payments that the copy doesn't have come back from the payment provider.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rand::RngExt as _;
use serde_json::json;
use tokio::task::JoinSet;

use super::disputes::list_all;
use super::load::figure::{Bound, tell};
use super::load::server_process::ServerProcess;
use super::run::Runs;
use crate::harness::{
    CUSTOMER, Client, Cluster, Folder, Intent, Light, PASSWORD, Person, Stripe, TestShop, eventually, skip,
};

const BUYERS: usize = 4;
const MINUTE: i64 = 60_000;

/// Litestream with the configuration of `deploy/litestream.yml`, killed on drop.
struct Litestream {
    program: PathBuf,
    folder: Folder,
    process: Child,
}

impl Litestream {
    /// None if its program is missing, and then the test is skipped.
    fn start(database: &Path) -> Option<Self> {
        let Some(program) = program() else {
            skip("needs Litestream");
            return None;
        };
        let folder = Folder::new();
        let configuration = include_str!("../../../../deploy/litestream.yml")
            .replace("/var/lib/nudgelight/shop.db", database.to_str().unwrap())
            .replace("/var/lib/litestream/nudgelight", folder.path().join("replica").to_str().unwrap());
        std::fs::write(folder.path().join("litestream.yml"), configuration).unwrap();
        let process = Self::command(&program, folder.path(), "replicate").spawn().unwrap();
        Some(Self { program, folder, process })
    }

    fn command(program: &Path, folder: &Path, verb: &str) -> Command {
        let mut command = Command::new(program);
        command.arg(verb).arg("-config").arg(folder.join("litestream.yml"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn has_copy(&self) -> bool {
        std::fs::read_dir(self.folder.path().join("replica")).is_ok_and(|mut entries| entries.next().is_some())
    }

    /// The disk is gone, and Litestream with it.
    fn is_killed(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    fn restores(&self, database: &Path) {
        let output = Self::command(&self.program, self.folder.path(), "restore")
            .arg(database)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Litestream {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "a test setting, not shop configuration")]
fn program() -> Option<PathBuf> {
    std::env::var_os("TEST_LITESTREAM").map(PathBuf::from)
}

/// Payments whose orders were acknowledged, and when.
type Acknowledged = Arc<Mutex<Vec<(String, Instant)>>>;

/// Buys until the shop is gone.
async fn keep_buying(buyer: Client, stripe: Stripe, light: Light, acknowledged: Acknowledged) -> Option<()> {
    let cart = Person::cart(&[(&light, 1)]);
    loop {
        let request = buyer.request("POST", "/api/payments/create-intent").json(&cart);
        let quote = buyer.sends_to_the_dying(request).await?;
        if quote.status != 200 {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        }
        let intent = Intent::of(quote.json());
        stripe.takes(&intent, "pm_card_visa").await;
        let request = buyer.request("POST", "/api/orders").json(&json!({ "paymentIntentId": intent.id }));
        let order = buyer.sends_to_the_dying(request).await?;
        if matches!(order.status, 200 | 201) {
            acknowledged.lock().unwrap().push((intent.id, Instant::now()));
        }
    }
}

/// Deletes the database's files, as if their disk were lost. The signing key is kept elsewhere.
fn delete(database: &Path) {
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", database.display()));
    }
    let state = database.with_file_name(format!(".{}-litestream", database.file_name().unwrap().to_str().unwrap()));
    let _ = std::fs::remove_dir_all(state);
}

/// What was sold until the database was lost.
struct Sold {
    /// Payments whose orders were acknowledged, and when.
    acknowledged: Vec<(String, Instant)>,
    lost_at: Instant,
}

/// A shop whose provider has a database of its own.
struct World {
    shop: TestShop,
    stripe: Stripe,
    light: Light,
    /// Dropped last: it serves the mock Stripe.
    _provider: TestShop,
}

impl World {
    async fn open(database_url: &str) -> Self {
        let (shop, stripe, provider) = TestShop::open_with_external_provider(&[("DATABASE_URL", database_url)]).await;
        let light = shop.adds_light("Lost With Its Disk", 100_000).await;
        Self { shop, stripe, light, _provider: provider }
    }

    /// Sells for this long, and then `lose`s the database.
    async fn sells_until(&mut self, time: Duration, lose: impl FnOnce()) -> Sold {
        let process = ServerProcess::spawn(&mut self.shop).await;
        let log_in = json!({ "username": CUSTOMER, "password": PASSWORD, "recaptchaToken": "" });
        let tokens = process.client.post("/api/auth/login", &log_in).await.gives(200);
        let buyer = process.client.with_token(tokens["accessToken"].as_str().unwrap());
        let acknowledged = Acknowledged::default();
        let mut buying = JoinSet::new();
        for _ in 0..BUYERS {
            let (stripe, light) = (self.stripe.clone(), self.light.clone());
            buying.spawn(keep_buying(buyer.clone(), stripe, light, acknowledged.clone()));
        }
        eventually("a sale", async || (!acknowledged.lock().unwrap().is_empty()).then_some(())).await;
        tokio::time::sleep(time).await;
        let lost_at = Instant::now();
        tokio::task::block_in_place(lose);
        drop(process);
        buying.join_all().await;
        let acknowledged = acknowledged.lock().unwrap().clone();
        Sold { acknowledged, lost_at }
    }

    /// Starts the shop on what was restored: it gets every payment back.
    async fn recovers(&mut self, database_url: &str, sold: Sold) -> Loss {
        let Sold { acknowledged, lost_at } = sold;
        self.shop.restart_with(&[("DATABASE_URL", database_url)]).await;
        let copied = self.shop.texts("SELECT payment_intent_id FROM orders").await;
        let is_lost = |(intent, at): &&(String, Instant)| *at < lost_at && !copied.contains(intent);
        let lost: Vec<_> = acknowledged.iter().filter(is_lost).collect();
        let oldest = lost.iter().map(|(_, at)| lost_at.duration_since(*at)).fold(Duration::ZERO, Duration::max);
        for _ in 0..3 {
            self.shop.clock.advance(MINUTE);
            self.shop.expires().await;
            self.shop.reconciles().await;
        }
        for intent in list_all(&self.stripe, "/v1/payment_intents", "&expand[]=data.latest_charge").await {
            self.shop.payment_outcome(&intent).await;
        }
        let found = self.shop.texts("SELECT payment_intent_id FROM orders").await;
        assert!(acknowledged.iter().all(|(intent, _)| found.contains(intent)), "{acknowledged:?}");
        self.shop.audit().await;
        println!("{} orders acknowledged, {} of them not in the copy", acknowledged.len(), lost.len());
        Loss { orders: lost.len(), oldest }
    }
}

/// What a copy lacks.
#[derive(Default)]
struct Loss {
    orders: usize,
    /// Age of the oldest order.
    oldest: Duration,
}

impl Loss {
    fn most(self, other: Self) -> Self {
        Self { orders: self.orders.max(other.orders), oldest: self.oldest.max(other.oldest) }
    }

    fn tell(&self, copier: &str) {
        println!("at most {} acknowledged orders were missing in a copy by {copier}", self.orders);
        let what = format!("age of the oldest order that a copy by {copier} lacks");
        tell(&what, self.oldest.as_millis(), "ms", Bound::AtMost(2_000));
    }
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_sqlite_database_is_restored_from_litestream_and_lost_payments_become_orders_again() {
    let mut runs = Runs::of("lost disks with Litestream", 1);
    let mut most = Loss::default();
    while let Some(mut rng) = runs.next() {
        let folder = Folder::new();
        let database = folder.path().join("shop.db");
        let url = format!("sqlite:{}", database.display());
        let mut world = World::open(&url).await;
        let Some(mut litestream) = Litestream::start(&database) else { return };
        eventually("a copy", async || litestream.has_copy().then_some(())).await;
        let time = Duration::from_millis(rng.random_range(1_500..4_000));
        let sold = world
            .sells_until(time, || {
                litestream.is_killed();
                delete(&database);
            })
            .await;
        delete(&database);
        litestream.restores(&database);
        most = most.most(world.recovers(&url, sold).await);
    }
    most.tell("Litestream");
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_postgresql_is_restored_from_pg_receivewal_and_lost_payments_become_orders_again() {
    let mut runs = Runs::of("lost disks with pg_receivewal", 1);
    let mut most = Loss::default();
    while let Some(mut rng) = runs.next() {
        let Some(lost) = Cluster::start() else { return };
        let mut world = World::open(&lost.url()).await;
        let copy = lost.receives_wal();
        let time = Duration::from_millis(rng.random_range(1_500..4_000));
        let sold = world.sells_until(time, || lost.crashes()).await;
        let restored = lost.restored_from(&copy).await;
        most = most.most(world.recovers(&restored.url(), sold).await);
        world.shop.close().await;
    }
    most.tell("pg_receivewal");
}
