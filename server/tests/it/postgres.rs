//! PostgreSQL failures: crashes, read-only mode, lost connections, deadlocks and serialization failures.
//!
//! They are skipped without PostgreSQL: run them with `cargo xtask test --only postgres`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::Executor as _;
use tokio::sync::Barrier;

use crate::harness::{Cluster, Link, PASSWORD, TestShop, eventually};

async fn shop_on(cluster: &Cluster) -> TestShop {
    TestShop::open_with(&[("DATABASE_URL", &cluster.url())]).await
}

async fn signs_up(shop: &TestShop, name: &str) -> crate::harness::ApiResponse {
    let body = json!({ "email": format!("{name}@example.com"), "password": PASSWORD, "recaptchaToken": "" });
    shop.visitor().post("/api/auth/signup", &body).await
}

async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let start = Instant::now();
    (work.await, start.elapsed())
}

// invariant: database-failover
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_whose_database_crashes_says_so_and_goes_on_when_it_is_back() {
    let Some(cluster) = Cluster::start() else { return };
    let shop = shop_on(&cluster).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    for round in 0..3 {
        cluster.crashes();
        let (visitor, name) = (shop.visitor(), format!("ada{round}"));
        // An uncached product, because cached ones are served for another half second.
        let uncached = timed(visitor.get("/api/products/nothing"));
        let ((products, attempt_to_connect), sign_up) = tokio::join!(uncached, signs_up(&shop, &name));
        products.refuses(503, "Overloaded");
        sign_up.refuses(503, "Overloaded");
        assert!(sign_up.header("retry-after").is_some(), "{sign_up}");
        eventually("a database that can't be written to", async || {
            let response = shop.visitor().get("/readyz/database").await;
            (response.status != 200).then(|| response.refuses(503, "Overloaded"))
        })
        .await;
        // The catalog is served from memory, without another attempt to connect for each request.
        let mut fastest = Duration::MAX;
        for _ in 0..10 {
            let (response, duration) = timed(visitor.get("/api/products")).await;
            response.gives(200);
            fastest = fastest.min(duration);
        }
        assert!(fastest < attempt_to_connect / 2, "{fastest:?}; an attempt to connect: {attempt_to_connect:?}");
        for path in ["/healthz", "/readyz"] {
            assert_eq!(shop.visitor().get(path).await.status, 200, "{path}");
        }

        cluster.starts();
        eventually("a database that can be written to", async || {
            (shop.visitor().get("/readyz/database").await.status == 200).then_some(())
        })
        .await;
        buyer.buys(&stripe, &one, 1).await;
    }
    shop.audit().await;
    assert_eq!(shop.count_orders().await, 3);
}

// invariant: database-failover
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_in_the_middle_of_buying_gives_every_buyer_an_order_or_a_refusal() {
    let Some(cluster) = Cluster::start() else { return };
    let shop = shop_on(&cluster).await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let mut acknowledged = 0;
    for _ in 0..3 {
        let mut intents = Vec::new();
        for _ in 0..4 {
            intents.push(buyer.starts_payment(&[(&light, 1)]).await);
        }
        for intent in &intents {
            stripe.takes(intent, "pm_card_visa").await;
        }
        let asks = intents.iter().map(|intent| buyer.asks_for_order(&intent.id));
        let crash = async {
            tokio::time::sleep(Duration::from_millis(30)).await;
            tokio::task::block_in_place(|| cluster.crashes());
            tokio::task::block_in_place(|| cluster.starts());
        };
        let (responses, ()) = tokio::join!(futures_util::future::join_all(asks), crash);
        for response in &responses {
            assert!([200, 201, 503].contains(&response.status), "{response}");
        }
        acknowledged += responses.iter().filter(|response| response.status < 300).count();
        // Retries of failed requests succeed, and create no second order.
        for intent in &intents {
            eventually("the order", async || (buyer.asks_for_order(&intent.id).await.status == 200).then_some(()))
                .await;
        }
    }
    assert_eq!(shop.count_orders().await, 12, "{acknowledged} were acknowledged at once");
    shop.audit().await;
}

// invariant: database-failover
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_turned_read_only_is_still_read_and_written_to_again_without_a_restart() {
    let Some(cluster) = Cluster::start() else { return };
    let shop = shop_on(&cluster).await;
    signs_up(&shop, "ada").await.gives(201);
    cluster.becomes_read_only().await;
    eventually("a database that can't be written to", async || {
        (shop.visitor().get("/readyz/database").await.status == 503).then_some(())
    })
    .await;
    signs_up(&shop, "ben").await.refuses(503, "Overloaded");
    assert_eq!(shop.visitor().get("/api/products").await.gives(200).as_array().map(Vec::len), Some(4));

    cluster.becomes_writable().await;
    eventually("a database that can be written to", async || {
        (shop.visitor().get("/readyz/database").await.status == 200).then_some(())
    })
    .await;
    signs_up(&shop, "ben").await.gives(201);
}

// invariant: database-failover
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_to_a_node_that_vanished_are_replaced_and_a_write_on_one_ends() {
    let Some(cluster) = Cluster::start() else { return };
    let link = Link::to(cluster.address()).await;
    let shop = TestShop::open_with(&[("DATABASE_URL", &cluster.url_by(&link.address().to_string()))]).await;
    let (begun, go_on) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (db, begins, goes_on) = (shop.inside().platform.db.clone(), begun.clone(), go_on.clone());
    let writing = tokio::spawn(async move {
        let work = db.write((), move |tx, ()| {
            let (begins, goes_on) = (begins.clone(), goes_on.clone());
            Box::pin(async move {
                tx.execute("UPDATE counters SET value = value + 1").await?;
                begins.wait().await;
                goes_on.wait().await;
                tx.execute("UPDATE counters SET value = value + 1").await?;
                Ok(())
            })
        });
        work.await
    });
    begun.wait().await;
    link.silences_what_is_open();
    go_on.wait().await;
    // Write connections are not checked within 100 ms of their last use, so wait longer. An unchecked one would fail
    // during the write.
    tokio::time::sleep(Duration::from_millis(150)).await;
    // The next request detects the dead connection and replaces it.
    assert_eq!(shop.visitor().get("/api/products").await.gives(200).as_array().map(Vec::len), Some(4));
    signs_up(&shop, "ada").await.gives(201);
    let refused = writing.await.unwrap().unwrap_err();
    assert_eq!(refused.code(), server::error::Code::Overloaded, "{refused}");
    assert_eq!(shop.count("SELECT value FROM counters WHERE name = 'settings_version'").await, 0);
    shop.signs_up("ben@example.com").await;
    shop.code_for("ben@example.com", &[]).await;
    // Dropping the link closes the dead connections, which ends the reads that still wait on them.
    drop(link);
}

// invariant: database-failover
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_transactions_that_wait_for_each_other_both_come_through() {
    let Some(shop) = TestShop::on_postgres().await else { return };
    let tries = Arc::new(AtomicUsize::new(0));
    // Deadlock: each transaction locks its first row before either requests the other's. Retries do not wait.
    let met = Arc::new(Barrier::new(2));
    let raise = |first: &'static str, second: &'static str| {
        let (db, tries, met) = (shop.inside().platform.db.clone(), tries.clone(), met.clone());
        async move {
            let work = db.write((), move |tx, ()| {
                let (tries, met) = (tries.clone(), met.clone());
                Box::pin(async move {
                    tx.execute(first).await?;
                    if tries.fetch_add(1, Ordering::SeqCst) < 2 {
                        met.wait().await;
                    }
                    tx.execute(second).await?;
                    Ok(())
                })
            });
            work.await
        }
    };
    const ONE: &str = "UPDATE products SET version = version + 1 WHERE slug = 'nudgelight-one'";
    const HALO: &str = "UPDATE products SET version = version + 1 WHERE slug = 'nudgelight-halo'";
    let (there, back) = tokio::join!(raise(ONE, HALO), raise(HALO, ONE));
    there.unwrap();
    back.unwrap();
    assert_eq!(tries.load(Ordering::SeqCst), 3, "one of them was tried twice");
    assert_eq!(shop.count("SELECT COUNT(*) FROM products WHERE version = 3").await, 2);
}

// invariant: database-failover
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_cannot_be_serialized_is_tried_again() {
    let Some(shop) = TestShop::on_postgres().await else { return };
    let tries = Arc::new(AtomicUsize::new(0));
    let met = Arc::new(Barrier::new(2));
    let count_on = || {
        let (db, tries, met) = (shop.inside().platform.db.clone(), tries.clone(), met.clone());
        async move {
            let work = db.write((), move |tx, ()| {
                let (tries, met) = (tries.clone(), met.clone());
                Box::pin(async move {
                    tx.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE").await?;
                    let seen: i64 = sqlx::query_scalar("SELECT value FROM counters WHERE name = 'settings_version'")
                        .fetch_one(&mut *tx)
                        .await?;
                    if tries.fetch_add(1, Ordering::SeqCst) < 2 {
                        met.wait().await;
                    }
                    sqlx::query("UPDATE counters SET value = $1 WHERE name = 'settings_version'")
                        .bind(seen + 1)
                        .execute(&mut *tx)
                        .await?;
                    Ok(())
                })
            });
            work.await
        }
    };
    let (first, second) = tokio::join!(count_on(), count_on());
    first.unwrap();
    second.unwrap();
    assert_eq!(tries.load(Ordering::SeqCst), 3, "one of them was tried twice");
    assert_eq!(shop.count("SELECT value FROM counters WHERE name = 'settings_version'").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_reads_cannot_write() {
    let Some(shop) = TestShop::on_postgres().await else { return };
    let refused = shop.inside().platform.db.read().execute("UPDATE counters SET value = 9").await.unwrap_err();
    assert!(server::error::database::is_unavailable(&refused), "{refused}");
    assert_eq!(shop.count("SELECT value FROM counters WHERE name = 'settings_version'").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_that_is_held_for_too_long_is_a_busy_shop_and_not_a_fault() {
    let Some(shop) = TestShop::on_postgres().await else { return };
    let holder = shop.inside().platform.db.clone();
    let (held, release) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (holds, waits) = (held.clone(), release.clone());
    let holding = tokio::spawn(async move {
        let work = holder.write((), move |tx, ()| {
            let (holds, waits) = (holds.clone(), waits.clone());
            Box::pin(async move {
                tx.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE").await?;
                holds.wait().await;
                waits.wait().await;
                Ok(())
            })
        });
        work.await
    });
    held.wait().await;
    signs_up(&shop, "ada").await.refuses(503, "Overloaded");
    release.wait().await;
    holding.await.unwrap().unwrap();
    signs_up(&shop, "ada").await.gives(201);
}
