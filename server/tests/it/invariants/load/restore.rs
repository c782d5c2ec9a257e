//! Backup of a large shop during sales, and its restore.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use server::db::Db;
use server::operations::backup::{Purpose, back_up, restore};

use super::super::run::Stretch;
use super::figure::{Bound, tell};
use super::load_generator::timed;
use crate::configuration::binary;
use crate::harness::{Database, Folder, TestShop};

const GIBIBYTE: u128 = 1 << 30;

/// Inserts sample data into the database of a closed shop.
pub fn insert_sample_data(shop: &TestShop, arguments: &[&str]) {
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut command = binary(&std::env::temp_dir(), &vars);
    command.arg("seed").args(arguments).stdout(Stdio::null());
    assert!(tokio::task::block_in_place(|| command.status()).unwrap().success());
}

// invariant: backup-and-restore
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_shop_that_is_copied_while_fifty_people_buy_is_whole_when_it_is_put_back() {
    let mut shop = TestShop::open().await;
    let light = shop.adds_light("Sold Meanwhile", 1_000_000).await;
    shop.close().await;
    let mut stretch = Stretch::of("orders backed up and restored", 2);
    let orders = stretch.form.pick(300, 4_000 * stretch.lasts.as_secs());
    insert_sample_data(&shop, &["--orders", &orders.to_string()]);
    shop.restart().await;
    let (stripe, over) = (shop.stripe().await, Arc::new(AtomicBool::new(false)));
    // Several accounts, because the number of open checkouts per account is limited.
    let mut accounts = Vec::new();
    for number in 0..5 {
        accounts.push(shop.new_customer(&format!("buyer{number}@example.com")).await);
    }
    let buyers: Vec<_> = (0..stretch.form.pick(10, 50))
        .map(|number| {
            let buyer = accounts[number % accounts.len()].clone();
            let (stripe, light, over) = (stripe.clone(), light.clone(), over.clone());
            tokio::spawn(async move {
                while !over.load(Ordering::SeqCst) {
                    buyer.buys(&stripe, &light, 1).await;
                }
            })
        })
        .collect();
    let folder = Folder::new();
    let file = folder.path().join("shop.backup");
    back_up(&shop.inside().platform.db, shop.clock.now_ms(), &file, |_| {}).await.unwrap();
    over.store(true, Ordering::SeqCst);
    for buyer in buyers {
        buyer.await.unwrap();
    }

    let empty = Database::sqlite(folder.path(), "restored.db");
    let db = Db::open(empty.url()).await.unwrap();
    db.migrate().await.unwrap();
    let restored = timed(restore(&db, &file, Purpose::Shop, |_| {})).await;
    restored.result.unwrap();
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM orders").fetch_one(db.read()).await.unwrap();
    let audit = server::operations::audit::audit(&db).await.unwrap();
    assert!(audit.findings.is_empty(), "{} findings", audit.findings.len());
    db.close().await;
    stretch.done = usize::try_from(found).unwrap();
    assert!(found >= i64::try_from(orders).unwrap());
    let size = u128::from(std::fs::metadata(folder.path().join("restored.db")).unwrap().len());
    let whole = restored.took.as_millis() * GIBIBYTE / size / 1_000;
    tell(&format!("restore of 1 GiB, extrapolated from {} MiB", size >> 20), whole, "s", Bound::AtMost(300));
}
