//! A full disk during purchases.
//!
//! The disk is a small tmpfs. Mounting it requires root; elsewhere the test is skipped and counts 0 runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::RngExt as _;
use serde_json::json;

use super::invariant::{PaymentOutcome, assert_status_in};
use super::run::Runs;
use crate::configuration::{binary, serve};
use crate::harness::{
    Client, Database, Folder, Intent, Light, PASSWORD, Person, Stripe, TestShop, eventually, product, skip,
};

struct SmallDisk(Folder);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = Folder::new();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=48m", "tmpfs"]).arg(folder.path());
        mount.output().is_ok_and(|output| output.status.success()).then(|| Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Fills the disk to the last byte.
    fn fill(&self) {
        assert!(std::fs::write(self.filler(), vec![0; 64 * 1024 * 1024]).is_err(), "the filler fits on the disk");
    }

    fn free_space(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[derive(Default)]
struct Observed {
    paid: Vec<String>,
    orders: Vec<String>,
    refusals: usize,
    over: bool,
}

type SharedObserved = Arc<Mutex<Observed>>;

/// Buys until `over` is set. Every rejected request must be a documented error.
async fn keep_buying(buyer: Person, stripe: Stripe, light: Light, observed: SharedObserved) {
    let is_over = || observed.lock().unwrap().over;
    let pause = || tokio::time::sleep(Duration::from_millis(20));
    while !is_over() {
        let response = buyer.asks_to_pay(&Person::cart(&[(&light, 1)])).await;
        assert_status_in(&response, &[200, 429, 503]);
        if response.status != 200 {
            observed.lock().unwrap().refusals += 1;
            pause().await;
            continue;
        }
        let intent = Intent::of(response.json());
        if !stripe.took(&intent, "pm_card_visa").await {
            // The mock Stripe's database is on the same disk.
            pause().await;
            continue;
        }
        observed.lock().unwrap().paid.push(intent.id.clone());
        while !is_over() {
            let response = buyer.asks_for_order(&intent.id).await;
            assert_status_in(&response, &[200, 201, 503]);
            if response.status < 300 {
                observed.lock().unwrap().orders.push(response.json()["orderId"].as_str().unwrap().to_owned());
                break;
            }
            observed.lock().unwrap().refusals += 1;
            pause().await;
        }
    }
}

fn vars(disk: &SmallDisk) -> Vec<(&'static str, String)> {
    let data = disk.path().display();
    vec![
        ("SHOP_ADDR", "127.0.0.1:0".to_owned()),
        ("SHOP_DATA_DIR", data.to_string()),
        ("DATABASE_URL", format!("sqlite:{data}/shop.db")),
        ("SHOP_DEMO_PASSWORD", PASSWORD.to_owned()),
        ("SHOP_BOT_CHECK", "off".to_owned()),
        ("SHOP_RATE_LIMITS", "off".to_owned()),
    ]
}

/// Runs a process of the shop whose disk is full for a while.
async fn run_with_full_disk(disk: &SmallDisk, vars: &[(&str, &str)], workload: &Workload, wait: u64) -> Observed {
    let (_process, url, _) = tokio::task::block_in_place(|| serve(disk.path(), vars));
    let client = Client::new(&url);
    let (stripe, observed) = (workload.stripe.at(&client), SharedObserved::default());
    let mut buying = Vec::new();
    for buyer in &workload.buyers {
        let tokens = json!({ "accessToken": buyer.access_token(), "refreshToken": buyer.refresh_token });
        let buyer = Person::of(&client, &tokens);
        buying.push(tokio::spawn(keep_buying(buyer, stripe.clone(), workload.light.clone(), observed.clone())));
    }
    tokio::time::sleep(Duration::from_millis(wait)).await;
    disk.fill();
    eventually("rejected requests", async || (observed.lock().unwrap().refusals > 2).then_some(())).await;
    // Reads must still work.
    client.get("/api/products").await.gives(200);
    tokio::time::sleep(Duration::from_millis(300)).await;
    disk.free_space();
    let sold = observed.lock().unwrap().orders.len();
    eventually("new orders", async || (observed.lock().unwrap().orders.len() > sold + 2).then_some(())).await;
    observed.lock().unwrap().over = true;
    for buyer in buying {
        buyer.await.unwrap();
    }
    std::mem::take(&mut observed.lock().unwrap())
}

/// The customers, their payment provider and the product they buy.
struct Workload {
    buyers: Vec<Person>,
    stripe: Stripe,
    light: Light,
}

// invariant: full-disk
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_whose_disk_is_full_refuses_and_forgets_nothing_and_goes_on_when_there_is_room() {
    let mut runs = Runs::of("full disks", 1);
    loop {
        let Some(disk) = SmallDisk::mount() else {
            skip("only root can mount a small disk");
            return;
        };
        let Some(mut rng) = runs.next() else { return };
        let vars = vars(&disk);
        let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut shop = TestShop::open_with(&vars).await;
        let workload = Workload {
            buyers: shop.new_customers(4).await,
            stripe: shop.stripe().await,
            light: shop.adds_light("Much Written Of", 100_000).await,
        };
        shop.close().await;
        let observed = run_with_full_disk(&disk, &vars, &workload, rng.random_range(0..1_000)).await;
        shop.restart().await;
        let stripe = shop.stripe().await;
        shop.settles(&stripe).await;
        for order in &observed.orders {
            let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM orders WHERE id = $1")
                .bind(order)
                .fetch_one(shop.inside().platform.db.read())
                .await
                .unwrap();
            assert_eq!(found, 1, "an acknowledged order is missing");
        }
        for intent in &observed.paid {
            assert_eq!(shop.payment_outcome(&stripe.intent(intent).await).await, PaymentOutcome::Ordered);
        }
        shop.agrees_with(&stripe).await;
    }
}

// invariant: full-disk
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_found_no_room_leaves_no_connection_on_which_nobody_can_write() {
    let folder = Folder::new();
    let database = Database::sqlite(folder.path(), "full.db");
    let shop = TestShop::open_with(&[("DATABASE_URL", database.url())]).await;
    let admin = shop.admin().await;
    let adds = async |number: usize| {
        let large = product().name(format!("Large {number}")).description("x".repeat(4_000));
        admin.post("/api/products", &large.json()).await
    };
    // SQLite rounds this up to the current size. The limit applies to this connection only.
    shop.tamper("PRAGMA max_page_count = 1").await;
    let mut refused = None;
    for number in 0..20 {
        let response = adds(number).await;
        if response.status != 201 {
            response.refuses(503, "Overloaded");
            refused = Some(number);
            break;
        }
    }
    adds(refused.expect("no write was rejected")).await.gives(201);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_check_notices_a_full_disk() {
    let Some(disk) = SmallDisk::mount() else { return skip("only root can mount a small disk") };
    let vars = vars(&disk);
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let (_process, ..) = tokio::task::block_in_place(|| serve(disk.path(), &vars));
    let check = || {
        let output = binary(disk.path(), &vars).arg("check").output().unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().find(|line| line.contains("  database: ")).unwrap().to_owned()
    };
    assert!(check().starts_with("works"), "{}", check());
    disk.fill();
    let line = check();
    assert!(line.starts_with("FAILS") && line.contains("No space left on device"), "{line}");
    disk.free_space();
    assert!(check().starts_with("works"), "{}", check());
}
