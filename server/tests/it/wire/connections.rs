//! Connection limit per IP address: the connection that has been idle the longest is closed for a new one.

use crate::harness::{Socket, TestShop};

const MAX_CONNECTIONS: usize = 256;

async fn sockets(shop: &TestShop, own: &str, count: usize) -> Vec<Socket> {
    let mut sockets = Vec::with_capacity(count);
    for _ in 0..count {
        sockets.push(shop.socket_from(own).await);
    }
    sockets
}

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_an_address_with_too_many_connections_the_longest_idle_one_gives_way() {
    let shop = TestShop::open().await;
    let mut first = shop.socket_from("127.0.0.2").await;
    // Its request is incomplete, so the connection is not idle.
    let head =
        "POST /api/pageviews HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n";
    first.says(head).await;
    let mut used = shop.socket_from("127.0.0.2").await;
    let mut others = sockets(&shop, "127.0.0.2", MAX_CONNECTIONS - 2).await;
    // It is older than the others, but was used last.
    assert_eq!(used.asks("/healthz").await, Some(200));

    let mut one_more = shop.socket_from("127.0.0.2").await;
    assert_eq!(others[0].hears().await, None, "the connection that was idle the longest is closed");
    assert_eq!(one_more.asks("/healthz").await, Some(200));
    assert_eq!(used.asks("/healthz").await, Some(200));
    assert_eq!(others[1].asks("/healthz").await, Some(200), "all others stay open");
    first.says("{\"path\":\"/about\"}").await;
    assert_eq!(first.hears().await, Some(204));
    assert_eq!(shop.socket_from("127.0.0.3").await.asks("/healthz").await, Some(200));
}

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trusted_proxy_may_have_more() {
    let shop = TestShop::open_with(&[("SHOP_TRUSTED_PROXIES", "127.0.0.2/32")]).await;
    let mut proxied = sockets(&shop, "127.0.0.2", MAX_CONNECTIONS + 10).await;
    for socket in &mut proxied {
        assert_eq!(socket.asks("/healthz").await, Some(200));
    }
}
