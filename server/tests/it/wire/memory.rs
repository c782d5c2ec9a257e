//! Memory use: rejected uploads are not buffered.

use std::convert::Infallible;
use std::process::Child;

use axum::body::Bytes;
use http_body_util::StreamBody;
use hyper::body::Frame;

use crate::configuration::serve;
use crate::harness::{Client, Folder};

const TEN_MEGABYTES: usize = 10 * 1024 * 1024;
const CHUNK: usize = 64 * 1024;

/// Resident memory in KiB.
fn memory_of(process: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Ten megabytes as a chunked body, without a `Content-Length`.
fn flood() -> reqwest::Body {
    let chunk = Bytes::from(vec![b' '; CHUNK]);
    let frames = (0..TEN_MEGABYTES / CHUNK).map(move |_| Ok::<_, Infallible>(Frame::data(chunk.clone())));
    reqwest::Body::wrap(StreamBody::new(futures_util::stream::iter(frames)))
}

/// The server rejects the request before the upload ends, so the connection may close before a response arrives.
async fn send_flood(client: &Client, encoding: Option<&str>, status: u16) {
    let mut request = client.request("POST", "/api/pageviews").header("content-type", "application/json").body(flood());
    if let Some(encoding) = encoding {
        request = request.header("content-encoding", encoding);
    }
    if let Some(response) = client.sends_to_the_dying(request).await {
        assert_eq!(response.status, status, "{response}");
    }
}

// invariant: request-limits
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_megabytes_sent_again_and_again_are_refused_and_take_no_memory() {
    let folder = Folder::new();
    let vars = [("SHOP_ADDR", "127.0.0.1:0"), ("SHOP_BOT_CHECK", "off"), ("SHOP_RATE_LIMITS", "off")];
    let (process, url, _) = tokio::task::block_in_place(|| serve(folder.path(), &vars));
    let client = Client::new(&url);
    let attempt = async || {
        send_flood(&client, None, 413).await;
        send_flood(&client, Some("gzip"), 415).await;
    };
    // Warm-up: memory that the first requests allocate stays allocated.
    for _ in 0..5 {
        attempt().await;
    }
    let before = memory_of(&process.0);
    for _ in 0..30 {
        attempt().await;
    }
    let after = memory_of(&process.0);
    assert!(after < before + 5 * 1024, "from {before} to {after} KiB");
    assert_eq!(client.get("/healthz").await.status, 200);
}
