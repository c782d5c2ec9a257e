//! A connection pooler between the shop and PostgreSQL. The tests are skipped without PgBouncer.

use futures_util::future::join_all;

use crate::configuration::{binary, complaint, serve};
use crate::harness::{Cluster, Folder, PASSWORD, Pooler, TestShop};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_shares_sessions_is_named_at_the_start_and_by_the_check() {
    let Some(cluster) = Cluster::start() else { return };
    for mode in ["transaction", "statement"] {
        let Some(pooler) = Pooler::start(&cluster, mode) else { return };
        let (folder, url) = (Folder::new(), cluster.url_by(&pooler.address()));
        let vars = [("SHOP_ADDR", "127.0.0.1:0"), ("DATABASE_URL", url.as_str())];
        let said = complaint(binary(folder.path(), &vars));
        assert!(said.contains("DATABASE_URL") && said.contains("set its pool_mode to session"), "{mode}: {said}");
        let mut check = binary(folder.path(), &vars);
        check.arg("check");
        let output = crate::configuration::run_to_end(check);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("FAILS  database: ") && said.contains("pool_mode"), "{mode}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_processes_that_start_at_once_behind_a_pooler_of_sessions_serve() {
    let Some(cluster) = Cluster::start() else { return };
    let Some(pooler) = Pooler::start(&cluster, "session") else { return };
    let (folder, url) = (Folder::new(), cluster.url_by(&pooler.address()));
    let data = folder.path().display().to_string();
    let vars = [
        ("SHOP_ADDR", "127.0.0.1:0"),
        ("SHOP_DATA_DIR", &data),
        ("DATABASE_URL", &url),
        ("SHOP_DEMO", "1"),
        ("SHOP_DEMO_PASSWORD", PASSWORD),
        ("SHOP_BOT_CHECK", "off"),
        ("SHOP_RATE_LIMITS", "off"),
    ];
    let starts = (0..3).map(|_| {
        let vars = vars.map(|(name, value)| (name, value.to_owned()));
        let path = folder.path().to_owned();
        tokio::task::spawn_blocking(move || {
            let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (*name, value.as_str())).collect();
            serve(&path, &vars)
        })
    });
    let processes = join_all(starts).await;
    let urls: Vec<String> = processes.iter().map(|started| started.as_ref().unwrap().1.clone()).collect();
    assert_eq!(urls.len(), 3);
    let shop = TestShop::open_with(&vars).await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    buyer.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    for url in &urls {
        assert_eq!(crate::harness::Client::new(url).get("/readyz/database").await.status, 200);
    }
    shop.audit().await;
}
