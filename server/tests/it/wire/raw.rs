//! Malformed HTTP requests that no client library sends, including request smuggling.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::harness::TestShop;

/// Smuggled request: a proxy sees it as part of a body, and the server must not respond to it.
const SMUGGLED: &str = "GET /readyz HTTP/1.1\r\nHost: shop\r\n\r\n";

const MAX_HEAD: usize = 16 * 1024;
const MAX_URL: usize = 8 * 1024;

/// Read timeout, long enough for any response.
const READ_TIMEOUT: Duration = Duration::from_secs(1);

/// Everything that the server sends until it closes the connection or the read times out.
async fn exchange(address: &str, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // Writing fails if the server has rejected the request and closed the connection already.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let mut part = vec![0; 64 * 1024];
    while let Ok(Ok(length @ 1..)) = tokio::time::timeout(READ_TIMEOUT, stream.read(&mut part)).await {
        answer.extend_from_slice(&part[..length]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn address(shop: &TestShop) -> String {
    shop.url().replace("http://", "")
}

// invariant: request-smuggling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_whose_length_can_be_read_in_two_ways_hides_no_other() {
    let shop = TestShop::open().await;
    let vectors = [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "Content-Length: 0\r\nContent-Length: 44\r\n\r\n",
        "Content-Length: 44\r\nContent-Length: 0\r\n\r\n",
        "Content-Length: 0, 44\r\n\r\n",
        "Content-Length: +0\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: 0x0\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity, chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Host: another\r\nContent-Length: 0\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Content-Length : 0\r\n\r\n",
        "Content-Length: 0\r\n folded: yes\r\n\r\n",
        "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1 \r\nx\r\nzz\r\n\r\n",
        "Bad Header: x\r\n\r\n",
        "X: a\0b\r\n\r\n",
        ": nothing\r\n\r\n",
    ];
    let address = address(&shop);
    let sent = vectors.map(|vector| format!("POST /api/pageviews HTTP/1.1\r\nHost: shop\r\n{vector}{SMUGGLED}"));
    let all = join_all(sent.iter().map(|request| exchange(&address, request.as_bytes()))).await;
    for (vector, response) in vectors.iter().zip(all) {
        let answers = response.matches("HTTP/1.1 ").count();
        // Either one error response and a closed connection, or a closed connection alone.
        let is_refusal = response.is_empty() || response.starts_with("HTTP/1.1 4");
        assert!(answers <= 1 && is_refusal, "{vector:?}: {response}");
    }
    assert_eq!(shop.visitor().get("/readyz").await.status, 200);
}

// invariant: request-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_of_any_size_are_refused_and_read_no_further() {
    let shop = TestShop::open().await;
    let address = address(&shop);
    let head = |more: &str| format!("GET /healthz HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n{more}\r\n\r\n");
    let of = |length: usize| head(&format!("X: {}", "y".repeat(length - head("X: ").len())));
    assert!(exchange(&address, of(MAX_HEAD - 1).as_bytes()).await.starts_with("HTTP/1.1 200"));
    let response = exchange(&address, of(MAX_HEAD + 1).as_bytes()).await;
    assert!(response.starts_with("HTTP/1.1 431"), "{response}");
    let many = (0..1_000).map(|number| format!("X-{number}: y")).collect::<Vec<_>>().join("\r\n");
    for too_much in [format!("X: {}", "y".repeat(64 * 1024)), many] {
        let response = exchange(&address, head(&too_much).as_bytes()).await;
        assert!(response.is_empty() || response.starts_with("HTTP/1.1 431"), "{response}");
    }
    let long = format!("GET /{} HTTP/1.1\r\nHost: shop\r\n\r\n", "x".repeat(64 * 1024));
    let response = exchange(&address, long.as_bytes()).await;
    assert!(response.is_empty() || response.starts_with("HTTP/1.1 4"), "{response}");
    assert_eq!(shop.visitor().get("/healthz").await.status, 200);
}

// invariant: request-smuggling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_names_one_host() {
    let shop = TestShop::open().await;
    let address = address(&shop);
    for (head, status) in [
        ("GET /healthz HTTP/1.1\r\nHost: shop\r\n", 200),
        ("GET /healthz HTTP/1.0\r\n", 200),
        ("GET /healthz HTTP/1.1\r\n", 400),
        ("GET /products HTTP/1.1\r\nHost: shop\r\nHost: shop\r\n", 400),
        ("GET /api/products HTTP/1.1\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: shop.example:3000\r\n", 200),
        ("GET /healthz HTTP/1.1\r\nHost: [2001:db8::1]:3000\r\n", 200),
        ("GET http://shop/healthz HTTP/1.1\r\nHost: shop\r\n", 200),
        ("GET http://other/healthz HTTP/1.1\r\nHost: shop\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: shop, other\r\n", 400),
        ("GET /api/products HTTP/1.1\r\nHost: shop,other\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: shop other\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: shop@other\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: shop/other\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost:\r\n", 400),
        ("GET /healthz HTTP/1.0\r\nHost: shop, other\r\n", 400),
    ] {
        let response = exchange(&address, format!("{head}Connection: close\r\n\r\n").as_bytes()).await;
        assert_eq!(response.split(' ').nth(1), Some(status.to_string().as_str()), "{head}: {response}");
    }
}

// invariant: request-smuggling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_but_100_continue_can_be_expected() {
    let shop = TestShop::open().await;
    let address = address(&shop);
    for (expected, status) in
        [("100-continue", 200), ("100-Continue", 200), ("200-ok", 400), ("100-continue, 200-ok", 400), ("", 400)]
    {
        let request = format!("GET /healthz HTTP/1.1\r\nHost: shop\r\nExpect: {expected}\r\n\r\n");
        let response = exchange(&address, format!("{request}{SMUGGLED}").as_bytes()).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{expected:?}: {response}");
        assert!(status == 200 || response.matches("HTTP/1.1 ").count() == 1, "{expected:?}: {response}");
    }
}

// invariant: request-smuggling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bare_line_feed_ends_no_line_of_a_head() {
    let shop = TestShop::open().await;
    let address = address(&shop);
    let view = "{\n\"path\":\n\"/about\"\n}";
    let good = format!(
        "POST /api/pageviews HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        view.len()
    );
    for bare in [
        "GET /healthz HTTP/1.1\nHost: shop\n\n",
        "GET /api/products HTTP/1.1\r\nHost: shop\n\r\n",
        "GET /api/products HTTP/1.1\r\nHost: shop\r\n\n",
        "GET /healthz HTTP/1.1\r\nHost: shop\r\nX: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /api/pageviews HTTP/1.1\r\nHost: shop\r\nX: a\nContent-Length: 44\r\n\r\n",
    ] {
        let response = exchange(&address, format!("{bare}{SMUGGLED}").as_bytes()).await;
        assert!(
            response.starts_with("HTTP/1.1 400 ") && response.matches("HTTP/1.1 ").count() == 1,
            "{bare:?}: {response}"
        );
        // The same on a keep-alive connection, after other requests and after a body.
        let mut socket = shop.socket_from("127.0.0.1").await;
        for _ in 0..2 {
            socket.says(&good).await;
            socket.says(view).await;
            assert_eq!(socket.hears().await, Some(204), "{bare:?}");
            assert_eq!(socket.asks("/api/products").await, Some(200), "{bare:?}");
        }
        socket.says(bare).await;
        assert_eq!(socket.hears().await, Some(400), "{bare:?}");
    }
    // Pipelined heads are not scanned for bare line feeds, so the connection closes after the first response.
    for together in [format!("{good}{view}"), "GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n".to_owned()] {
        let response = exchange(&address, format!("{together}GET /readyz HTTP/1.1\nHost: shop\n\n").as_bytes()).await;
        assert!(response.starts_with("HTTP/1.1 20"), "{response}");
        assert_eq!(response.matches("HTTP/1.1 2").count(), 1, "{response}");
    }
}

// invariant: request-smuggling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_2_in_plain_text_is_closed() {
    let shop = TestShop::open().await;
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    let response =
        exchange(&address(&shop), &[b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(), &settings].concat()).await;
    assert!(response.is_empty() || response.starts_with("HTTP/1.1 400 "), "{response:?}");
    // Upgrading to HTTP/2 (h2c) is ignored.
    let upgrade = "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";
    let response =
        exchange(&address(&shop), format!("GET /healthz HTTP/1.1\r\nHost: shop\r\n{upgrade}\r\n").as_bytes()).await;
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
}

// invariant: request-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_of_more_than_eight_kibibytes_is_refused_in_the_one_form() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for path in ["/", "/api/products", "/api/products?x=", "/products/nudgelight-one?x=", "/openapi.json?x="] {
        let longest = format!("{path}{}", "y".repeat(MAX_URL - path.len()));
        assert!(matches!(visitor.get(&longest).await.status, 200 | 404), "{path}");
        visitor.get(&format!("{longest}y")).await.refuses(414, "AddressTooLong");
    }
}
