//! Slow request bodies (Slowloris): other clients are served meanwhile.

use std::time::Duration;

use futures_util::future::select_all;
use serde_json::json;

use crate::harness::{Client, Socket, TestShop};

/// Request head that announces a body of 4,000 bytes.
const HEAD: &str =
    "POST /api/pageviews HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n";
/// The first part of such a body: longer than the first kilobyte, which has to arrive within two seconds.
const BEGIN: usize = 1_200;
/// Request bodies in transit per client.
const MAX_BODIES: usize = 64;

async fn slow_bodies(shop: &TestShop, own: &str, count: usize, header: &str) -> Vec<Socket> {
    let mut sockets = Vec::with_capacity(count);
    for _ in 0..count {
        let mut socket = shop.socket_from(own).await;
        socket.says(&format!("{HEAD}{header}\r\n{{{}", " ".repeat(BEGIN - 1))).await;
        sockets.push(socket);
    }
    sockets
}

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_bodies_keep_nobody_else_from_buying() {
    let shop = TestShop::open().await;
    let (buyer, stripe, light) = (shop.customer().await, shop.stripe().await, shop.light("Nudgelight One").await);
    let mut floods = Vec::new();
    for last in 2..=10 {
        // More requests in total than the concurrency limit, all with an incomplete body.
        floods.push(slow_bodies(&shop, &format!("127.0.0.{last}"), MAX_BODIES, "").await);
    }
    floods.push(slow_bodies(&shop, "127.0.0.11", 560, "").await);
    let elsewhere = Client::from_address(&shop.url(), "127.0.0.12");
    for path in ["/healthz", "/", "/products", "/api/products", "/api/config"] {
        assert_eq!(elsewhere.get(path).await.status, 200, "{path}");
    }
    buyer.buys(&stripe, &light, 1).await;
    drop(floods);
}

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_bodies_of_many_clients_leave_room_for_others() {
    let shop = TestShop::open().await;
    let (buyer, stripe, light) = (shop.customer().await, shop.stripe().await, shop.light("Nudgelight One").await);
    // Each counts as much as the largest body, so 32 clients have as many as the shop takes.
    let head = HEAD.replace("Content-Length: 4000", "Transfer-Encoding: chunked");
    let mut flood = Vec::new();
    for number in 0..32 * 8 {
        let mut socket = shop.socket_from(&format!("127.0.0.{}", 2 + number / 8)).await;
        socket.says(&format!("{head}\r\n4B0\r\n{{{}\r\n", " ".repeat(BEGIN - 1))).await;
        flood.push(socket);
    }
    buyer.buys(&stripe, &light, 1).await;
    let view = json!({ "path": "/about" });
    for last in 40..60 {
        let elsewhere = Client::from_address(&shop.url(), &format!("127.0.0.{last}"));
        elsewhere.post("/api/pageviews", &view).await.gives(204);
    }
}

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_kilobyte_has_to_arrive_sooner_than_the_body() {
    let shop = TestShop::open().await;
    let mut begun = shop.socket_from("127.0.0.2").await;
    let mut silent = shop.socket_from("127.0.0.3").await;
    begun.says(&format!("{HEAD}\r\n{{{}", " ".repeat(BEGIN - 1))).await;
    silent.says(&format!("{HEAD}\r\n{{")).await;
    tokio::select! {
        status = silent.hears() => assert_eq!(status, Some(400)),
        status = begun.hears() => panic!("the body that began was rejected first: {status:?}"),
    }
}

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_client_has_so_many_bodies_on_their_way_and_no_more() {
    let shop = TestShop::open_with(&[("SHOP_TRUSTED_PROXIES", "127.0.0.2/32")]).await;
    for (own, header) in [("127.0.0.3", ""), ("127.0.0.2", "X-Forwarded-For: 203.0.113.1\r\n")] {
        // One request exceeds the limit. The server may see them in any order, so any of them may get the 503.
        let mut waiting = slow_bodies(&shop, own, MAX_BODIES + 1, header).await;
        let (first, ..) = select_all(waiting.iter_mut().map(|socket| Box::pin(socket.hears()))).await;
        assert_eq!(first, Some(503), "{own} {header}");
        // Requests without a body pass, and so do bodies of other clients, even behind the same proxy.
        assert_eq!(shop.socket_from(own).await.asks("/api/config").await, Some(200));
        let view = json!({ "path": "/about" });
        shop.visitor().post("/api/pageviews", &view).await.gives(204);
        let by_proxy = Client::from_address(&shop.url(), "127.0.0.2");
        let other = by_proxy.request("POST", "/api/pageviews").header("x-forwarded-for", "203.0.113.2").json(&view);
        by_proxy.send(other).await.gives(204);
        drop(waiting);
    }
}

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_came_or_broke_off_counts_no_longer() {
    let shop = TestShop::open().await;
    for _ in 0..3 {
        let mut waiting = slow_bodies(&shop, "127.0.0.2", MAX_BODIES, "").await;
        for socket in &mut waiting {
            socket.says(&format!("\"path\":\"/about\",\"x\":\"{}\"}}", "y".repeat(4_000 - BEGIN - 23))).await;
        }
        for socket in &mut waiting {
            assert_eq!(socket.hears().await, Some(204));
        }
        drop(slow_bodies(&shop, "127.0.0.2", MAX_BODIES, "").await);
        crate::harness::eventually("the aborted bodies to be released", async || {
            let mut socket = shop.socket_from("127.0.0.2").await;
            socket.says(&format!("{}\r\n{{}}", HEAD.replace("4000", "2"))).await;
            (socket.hears().await == Some(400)).then_some(())
        })
        .await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Path prefix of uncached products. Requests for it block while the test holds all read connections.
const UNCACHED: &str = "/api/products/of-another-name";

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_place_the_catalog_is_a_little_old_and_the_process_still_lives() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for path in ["/", "/products", "/api/products"] {
        assert_eq!(visitor.get(path).await.status, 200);
    }
    let readers = shop.inside().platform.db.read();
    let mut taken = Vec::new();
    for _ in 0..readers.options().get_max_connections() {
        taken.push(readers.acquire().await.unwrap());
    }
    let mut crowd = Vec::new();
    for number in 0..560 {
        let mut socket = shop.socket_from(&format!("127.0.0.{}", 2 + number % 4)).await;
        socket.says(&format!("GET {UNCACHED}-{number} HTTP/1.1\r\nHost: shop\r\n\r\n")).await;
        crowd.push(socket);
    }
    // Requests above the concurrency limit are rejected.
    assert_eq!(crowd[559].hears().await, Some(503));
    // Cached responses are stale by now, and the database cannot be read.
    tokio::time::sleep(Duration::from_millis(600)).await;
    for path in ["/", "/products", "/api/products", "/healthz"] {
        assert_eq!(visitor.get(path).await.status, 200, "{path}");
    }
    drop(taken);
    for socket in &mut crowd[..512] {
        assert!(matches!(socket.hears().await, Some(404 | 503)));
    }
    // Responses are current again as soon as the database can be read.
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    admin.patch(&format!("/api/products/{}/stock", light.id), &json!({ "stock": 77 })).await.gives(200);
    assert_eq!(visitor.get("/api/products/nudgelight-one").await.gives(200)["stock"], 77);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_database_cannot_be_read_the_catalog_is_a_little_old() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    visitor.get("/api/products").await.gives(200);
    let readers = shop.inside().platform.db.read();
    let mut taken = Vec::new();
    for _ in 0..readers.options().get_max_connections() {
        taken.push(readers.acquire().await.unwrap());
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    for path in ["/api/products", "/products", "/sitemap.xml"] {
        assert_eq!(visitor.get(path).await.status, 200, "{path}");
    }
}
