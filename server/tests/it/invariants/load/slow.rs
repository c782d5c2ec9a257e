//! Slowloris: connections that send nothing, or one byte per second.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::super::run::Stretch;
use super::figure::{ratio, time};
use super::load_generator::{Timed, p99, poll_catalog, slowest, timed};
use super::server_process::ServerProcess;
use crate::harness::{TestShop, eventually};

/// Bytes sent immediately, and bytes sent one per second. None of them forms a complete request.
const PARTIAL_REQUESTS: [(&str, &[u8]); 5] = [
    ("", b""),
    ("", b"GET /api/products HTTP/1.1\r\nHost: shop\r\nX-Long: "),
    ("", b"PRI * HTTP/2.0\r\n"),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b""),
    (
        "POST /api/auth/login HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n",
        b"{",
    ),
];

/// Sends slowly and returns whether the server closes the connection. The server's timeouts are much shorter than 60
/// seconds.
async fn send_slowly(address: String, number: usize) -> bool {
    let (at_once, slowly) = PARTIAL_REQUESTS[number % PARTIAL_REQUESTS.len()];
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(at_once.as_bytes()).await.unwrap();
    let (mut from, mut to) = stream.split();
    let endless = async {
        for byte in slowly.iter().chain(std::iter::repeat(&b' ')) {
            if slowly.is_empty() || to.write_all(&[*byte]).await.is_err() {
                break;
            }
            sleep(Duration::from_secs(1)).await;
        }
        std::future::pending::<()>().await;
    };
    let mut said = Vec::new();
    let closed = async { from.read_to_end(&mut said).await };
    timeout(Duration::from_secs(60), async {
        tokio::select! {
            // A connection reset counts as closed.
            _ = closed => {}
            () = endless => {}
        }
    })
    .await
    .is_ok()
}

// invariant: slow-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_say_next_to_nothing_are_closed_and_hold_up_nobody() {
    let mut shop = TestShop::open().await;
    let server_process = ServerProcess::spawn(&mut shop).await;
    let mut stretch = Stretch::of("idle and slow connections", 0);
    let count: u64 = stretch.form.pick(150, 2_000);
    let idle = poll_catalog(&server_process.client, Duration::from_secs(stretch.form.pick(1, 5))).await;
    let files = server_process.files();
    let address = server_process.url.replace("http://", "");
    let connections: Vec<_> = (0..count)
        .map(|number| {
            let address = address.clone();
            tokio::spawn(async move {
                // Connecting all at once would overflow the listen backlog, and the system would silently drop
                // connections.
                sleep(Duration::from_millis(2 * number)).await;
                timed(send_slowly(address, usize::try_from(number).unwrap())).await
            })
        })
        .collect();
    let meanwhile = poll_catalog(&server_process.client, Duration::from_secs(stretch.form.pick(2, 10))).await;
    let mut closed: Vec<Timed<bool>> = Vec::new();
    for connection in connections {
        closed.push(connection.await.unwrap());
    }
    assert!(closed.iter().all(|connection| connection.result), "some connections are still open");
    stretch.done = closed.len();
    eventually("the connections' file descriptors to be closed", async || {
        (server_process.files() <= files + files.div_ceil(20)).then_some(())
    })
    .await;
    time("time until an idle or slow connection is closed, maximum", slowest(&closed), 15_000);
    ratio("catalog latency among slow connections, p99 relative to idle", p99(&meanwhile), p99(&idle), 200);
}
