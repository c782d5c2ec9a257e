//! A disk that is full in the middle of buying.
//!
//! It is a small one of its own, held in memory: making it takes root. Without that nothing is tried and the count is 0.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::RngExt as _;
use serde_json::json;

use super::invariant::{End, is_one_of};
use super::run::Runs;
use crate::configuration::serve;
use crate::harness::{Client, Database, Folder, Intent, Light, PASSWORD, Person, Stripe, TestShop, eventually};

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

    /// To the last byte.
    fn is_filled(&self) {
        assert!(std::fs::write(self.filler(), vec![0; 64 * 1024 * 1024]).is_err(), "it is not that large");
    }

    fn has_room_again(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[derive(Default)]
struct Told {
    paid: Vec<String>,
    orders: Vec<String>,
    refusals: usize,
    over: bool,
}

type Memory = Arc<Mutex<Told>>;

/// Buys until it is over, and takes every refusal for what it says.
async fn buys_on(buyer: Person, stripe: Stripe, light: Light, told: Memory) {
    let is_over = || told.lock().unwrap().over;
    let pause = || tokio::time::sleep(Duration::from_millis(20));
    while !is_over() {
        let answer = buyer.asks_to_pay(&Person::cart(&[(&light, 1)])).await;
        is_one_of(&answer, &[200, 429, 503]);
        if answer.status != 200 {
            told.lock().unwrap().refusals += 1;
            pause().await;
            continue;
        }
        let intent = Intent::of(answer.json());
        if !stripe.took(&intent, "pm_card_visa").await {
            // The provider's books are on the same disk.
            pause().await;
            continue;
        }
        told.lock().unwrap().paid.push(intent.id.clone());
        while !is_over() {
            let answer = buyer.asks_for_order(&intent.id).await;
            is_one_of(&answer, &[200, 201, 503]);
            if answer.status < 300 {
                told.lock().unwrap().orders.push(answer.json()["orderId"].as_str().unwrap().to_owned());
                break;
            }
            told.lock().unwrap().refusals += 1;
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

/// A process of the shop whose disk is full for a while.
async fn lives_through_it(disk: &SmallDisk, vars: &[(&str, &str)], crowd: &Crowd, wait: u64) -> Told {
    let (_process, url, _) = tokio::task::block_in_place(|| serve(disk.path(), vars));
    let client = Client::new(&url);
    let (stripe, told) = (crowd.stripe.at(&client), Memory::default());
    let mut buying = Vec::new();
    for buyer in &crowd.buyers {
        let tokens = json!({ "accessToken": buyer.access_token(), "refreshToken": buyer.refresh_token });
        let buyer = Person::of(&client, &tokens);
        buying.push(tokio::spawn(buys_on(buyer, stripe.clone(), crowd.light.clone(), told.clone())));
    }
    tokio::time::sleep(Duration::from_millis(wait)).await;
    disk.is_filled();
    eventually("somebody to be refused", async || (told.lock().unwrap().refusals > 2).then_some(())).await;
    // What can be read is still read.
    client.get("/api/products").await.gives(200);
    tokio::time::sleep(Duration::from_millis(300)).await;
    disk.has_room_again();
    let sold = told.lock().unwrap().orders.len();
    eventually("somebody to buy again", async || (told.lock().unwrap().orders.len() > sold + 2).then_some(())).await;
    told.lock().unwrap().over = true;
    for buyer in buying {
        buyer.await.unwrap();
    }
    std::mem::take(&mut told.lock().unwrap())
}

/// Those who buy, where they pay, and what they want.
struct Crowd {
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
            println!("not tried: only root can make a small disk");
            return;
        };
        let Some(mut chance) = runs.next() else { return };
        let vars = vars(&disk);
        let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut shop = TestShop::open_with(&vars).await;
        let crowd = Crowd {
            buyers: shop.new_customers(4).await,
            stripe: shop.stripe().await,
            light: shop.adds_light("Much Written Of", 100_000).await,
        };
        shop.close().await;
        let told = lives_through_it(&disk, &vars, &crowd, chance.random_range(0..1_000)).await;
        shop.restart().await;
        let stripe = shop.stripe().await;
        shop.settles(&stripe).await;
        for order in &told.orders {
            let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM orders WHERE id = $1")
                .bind(order)
                .fetch_one(shop.inside().db.read())
                .await
                .unwrap();
            assert_eq!(found, 1, "an order that somebody was told of is gone");
        }
        for intent in &told.paid {
            assert_eq!(shop.end_of(&stripe.intent(intent).await).await, End::Ordered);
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
        let body = json!({
            "name": format!("Large {number}"), "description": "x".repeat(4_000), "price": 1, "stock": 1, "weight_pounds": 1,
        });
        admin.post("/api/products", &body).await
    };
    // As many pages as there are, for as long as this connection is there.
    shop.tamper("PRAGMA max_page_count = 1").await;
    let mut refused = None;
    for number in 0..20 {
        let answer = adds(number).await;
        if answer.status != 201 {
            answer.refuses(503, "Overloaded");
            refused = Some(number);
            break;
        }
    }
    adds(refused.expect("there is room for everything")).await.gives(201);
    shop.audit().await;
}
