//! Requests that no library would send.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::harness::TestShop;

/// What a front and a back could take for another request.
const HIDDEN: &str = "GET /readyz HTTP/1.1\r\nHost: shop\r\n\r\n";

/// Long enough for an answer that is on its way.
const SILENCE: Duration = Duration::from_secs(1);

/// Everything that the shop says before it closes or falls silent.
async fn says(address: &str, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // Whoever is refused early may find the door closed before all is said.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let mut part = vec![0; 64 * 1024];
    while let Ok(Ok(length @ 1..)) = tokio::time::timeout(SILENCE, stream.read(&mut part)).await {
        answer.extend_from_slice(&part[..length]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn address(shop: &TestShop) -> String {
    shop.url().replace("http://", "")
}

// rule 38
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
    let sent = vectors.map(|vector| format!("POST /api/pageviews HTTP/1.1\r\nHost: shop\r\n{vector}{HIDDEN}"));
    let all = join_all(sent.iter().map(|request| says(&address, request.as_bytes()))).await;
    for (vector, said) in vectors.iter().zip(all) {
        let answers = said.matches("HTTP/1.1 ").count();
        // One refusal and the end of the connection, or an end without a word.
        let is_refusal = said.is_empty() || said.starts_with("HTTP/1.1 4");
        assert!(answers <= 1 && is_refusal, "{vector:?}: {said}");
    }
    assert_eq!(shop.visitor().get("/readyz").await.status, 200);
}

// rule 37
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_of_any_size_are_refused_and_read_no_further() {
    let shop = TestShop::open().await;
    let address = address(&shop);
    let head = |more: &str| format!("GET /healthz HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n{more}\r\n\r\n");
    assert!(says(&address, head("X: y").as_bytes()).await.starts_with("HTTP/1.1 200"));
    let many = (0..1_000).map(|number| format!("X-{number}: y")).collect::<Vec<_>>().join("\r\n");
    for too_much in [format!("X: {}", "y".repeat(64 * 1024)), many] {
        let said = says(&address, head(&too_much).as_bytes()).await;
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 431"), "{said}");
    }
    let long = format!("GET /{} HTTP/1.1\r\nHost: shop\r\n\r\n", "x".repeat(64 * 1024));
    let said = says(&address, long.as_bytes()).await;
    assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
    assert_eq!(shop.visitor().get("/healthz").await.status, 200);
}
