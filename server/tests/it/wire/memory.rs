//! What is sent to the shop is not kept in its memory.

use std::convert::Infallible;
use std::process::Child;

use axum::body::Bytes;
use http_body_util::StreamBody;
use hyper::body::Frame;

use crate::configuration::serve;
use crate::harness::{Client, Folder};

const TEN_MEGABYTES: usize = 10 * 1024 * 1024;
const CHUNK: usize = 64 * 1024;

/// In kibibytes, as the system counts it.
fn memory_of(process: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Ten megabytes in chunks, which nobody announced.
fn flood() -> reqwest::Body {
    let chunk = Bytes::from(vec![b' '; CHUNK]);
    let frames = (0..TEN_MEGABYTES / CHUNK).map(move |_| Ok::<_, Infallible>(Frame::data(chunk.clone())));
    reqwest::Body::wrap(StreamBody::new(futures_util::stream::iter(frames)))
}

/// Refused while it is still being sent: the caller may find the door closed before there is an answer.
async fn pours(client: &Client, encoding: Option<&str>, status: u16) {
    let mut request = client.request("POST", "/api/pageviews").header("content-type", "application/json").body(flood());
    if let Some(encoding) = encoding {
        request = request.header("content-encoding", encoding);
    }
    if let Some(answer) = client.sends_to_the_dying(request).await {
        assert_eq!(answer.status, status, "{answer}");
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
    let pour = async || {
        pours(&client, None, 413).await;
        pours(&client, Some("gzip"), 415).await;
    };
    // What the first requests set up stays.
    for _ in 0..5 {
        pour().await;
    }
    let before = memory_of(&process.0);
    for _ in 0..30 {
        pour().await;
    }
    let after = memory_of(&process.0);
    assert!(after < before + 5 * 1024, "from {before} to {after} KiB");
    assert_eq!(client.get("/healthz").await.status, 200);
}
