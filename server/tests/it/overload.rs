//! Load shedding and write limits: floods of cheap requests write next to nothing, and priority requests go first.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Semaphore;

use crate::configuration::{Process, binary};
use crate::harness::{Client, PASSWORD, Person, TestShop, eventually, together};

/// Database writes during `flood`, including those of background tasks.
async fn written_during(shop: &TestShop, flood: impl Future<Output = ()>) -> u64 {
    let before = shop.inside().platform.db.writes();
    flood.await;
    shop.inside().platform.db.writes() - before
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asking_whether_the_shop_is_ready_writes_once_a_second() {
    let shop = TestShop::open().await;
    let written = written_during(&shop, async {
        for _ in 0..8 {
            let visitor = shop.visitor();
            let responses = together(50, |_| {
                let visitor = visitor.clone();
                async move { visitor.get("/readyz/database").await.status }
            })
            .await;
            assert_eq!(responses, [200; 50]);
        }
    })
    .await;
    assert!(written < 100, "{written} writes for 400 questions");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_views_are_not_written_one_by_one() {
    let shop = TestShop::open().await;
    let written = written_during(&shop, async {
        for _ in 0..300 {
            shop.visitor().post("/api/pageviews", &json!({ "path": "/about" })).await.gives(204);
        }
    })
    .await;
    assert!(written < 100, "{written} writes for 300 views");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logging_out_of_no_session_writes_nothing() {
    let shop = TestShop::open().await;
    let forged = "A".repeat(43);
    let written = written_during(&shop, async {
        for number in 0..300 {
            let token = if number % 2 == 0 { "junk" } else { &forged };
            shop.visitor().post("/api/auth/logout", &json!({ "refreshToken": token })).await.gives(204);
        }
    })
    .await;
    assert!(written < 100, "{written} writes for 300 requests");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ending_a_session_that_has_ended_writes_nothing() {
    let shop = TestShop::open().await;
    let (first, second) = (shop.customer().await, shop.customer().await);
    let sessions = first.get("/api/auth/sessions").await.gives(200);
    let other = sessions["sessions"].as_array().unwrap().iter().find(|session| session["current"] == false).unwrap();
    let path = format!("/api/auth/sessions/{}", other["id"].as_str().unwrap());
    let written = written_during(&shop, async {
        for _ in 0..300 {
            first.delete(&path).await.gives(204);
        }
    })
    .await;
    assert!(written < 100, "{written} writes for 300 requests");
    assert!(!second.is_logged_in().await);
}

/// Blocks the given number of database writes until dropped.
pub struct BlockedWrites(Arc<Semaphore>);

impl BlockedWrites {
    pub async fn of(shop: &TestShop, waiting: usize) -> Self {
        let released = Arc::new(Semaphore::new(0));
        // PostgreSQL runs eight writes concurrently, and only the others are pending.
        for _ in 0..8 + waiting {
            let (db, released) = (shop.inside().platform.db.clone(), released.clone());
            tokio::spawn(async move {
                db.write((), move |_, ()| {
                    let released = released.clone();
                    Box::pin(async move {
                        let _ = released.acquire().await;
                        Ok(())
                    })
                })
                .await
            });
        }
        eventually("pending writes", async || (shop.inside().platform.db.pending_writes() >= waiting).then_some(()))
            .await;
        Self(released)
    }
}

impl Drop for BlockedWrites {
    fn drop(&mut self) {
        self.0.close();
    }
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_fifty_writes_wait_money_and_sessions_are_taken_in_and_nothing_else_that_writes() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let blocked = BlockedWrites::of(&shop, 60).await;
    let sign_up = json!({ "email": "ada@example.com", "password": PASSWORD });
    // An accepted request would wait for the blocked writes, hence the timeout.
    let refused =
        tokio::time::timeout(Duration::from_secs(60), shop.visitor().post("/api/auth/signup", &sign_up)).await;
    refused.expect("an immediate rejection").refuses(503, "Overloaded");
    let bought = tokio::spawn({
        let (buyer, one) = (buyer.clone(), one.clone());
        async move { buyer.asks_to_pay(&Person::cart(&[(&one, 1)])).await }
    });
    let renewed = tokio::spawn(async move {
        buyer.post("/api/auth/refresh-token", &json!({ "refreshToken": buyer.refresh_token })).await
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(blocked);
    bought.await.unwrap().gives(200);
    renewed.await.unwrap().gives(200);
    shop.audit().await;
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_refusals_is_a_line_a_second_in_the_log() {
    let mut shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await;
    shop.close().await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let files = ["out", "log"].map(|name| shop.folder().join(name));
    let mut command = binary(shop.folder(), &vars);
    command.stdout(std::fs::File::create(&files[0]).unwrap());
    let child = command.stderr(Stdio::from(std::fs::File::create(&files[1]).unwrap())).spawn().unwrap();
    let process = Process(child);
    let url = eventually("the process to listen", async || {
        let said = std::fs::read_to_string(&files[0]).unwrap();
        said.lines().find_map(|line| line.strip_prefix("listening on ").map(str::to_owned))
    })
    .await;
    let visitor = Client::new(&url);
    let body = json!({ "username": "ada@example.com", "password": PASSWORD });
    let mut refused = 0;
    for _ in 0..600 {
        let response = visitor.post("/api/auth/login", &body).await;
        refused += usize::from(response.status == 429);
    }
    assert!(refused > 500, "{refused}");
    let log = eventually("the number of rejections", async || {
        let log = std::fs::read_to_string(&files[1]).unwrap();
        log.contains("requests rejected by limits").then_some(log)
    })
    .await;
    drop(process);
    assert!(log.lines().count() < 200, "{} lines for {refused} rejections: {log}", log.lines().count());
    assert!(log.contains("TooManyRequests"), "{log}");
}
