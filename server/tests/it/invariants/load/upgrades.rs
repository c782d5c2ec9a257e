//! Upgrades and rollbacks of a shop on one machine: the next process starts on the same socket and database while the
//! previous one drains.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::super::run::{Form, Stretch};
use super::figure;
use super::server_process::ServerProcess;
use super::steady_load::{SteadyLoad, is_shed};
use crate::harness::{ApiResponse, BareStripe, Client, NGINX, Proxy, TestShop, is_installed_or_skip};

/// Longer than `keepalive_timeout` of the guide's `upstream` block.
const DRAIN_SECONDS: (&str, &str) = ("SHOP_DRAIN_SECONDS", "3");
/// A later version has migrated the schema, and older programs may still use it.
const MIGRATED: &str = "INSERT INTO _sqlx_migrations (version, description, installed_on, success, checksum, execution_time) \
                        SELECT 9000, 'later', installed_on, success, checksum, execution_time FROM _sqlx_migrations \
                        WHERE version = 1";

/// Times a request every ten milliseconds.
struct Probe {
    stopped: CancellationToken,
    task: JoinHandle<Vec<Duration>>,
}

impl Probe {
    fn begin(url: &str) -> Self {
        let (client, stopped) = (Client::new(url), CancellationToken::new());
        let until = stopped.clone();
        let task = tokio::spawn(async move {
            let mut times = Vec::new();
            while !until.is_cancelled() {
                let began = Instant::now();
                client.get("/api/products").await;
                times.push(began.elapsed());
                sleep(Duration::from_millis(10)).await;
            }
            times
        });
        Self { stopped, task }
    }

    /// The 99th percentile.
    async fn end(self) -> Duration {
        self.stopped.cancel();
        let mut times = self.task.await.unwrap();
        times.sort();
        times[times.len() * 99 / 100]
    }
}

// invariant: graceful-shutdown
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upgrade_and_its_rollback_on_one_socket_fail_no_request() {
    if !is_installed_or_skip(NGINX) {
        return;
    }
    let stripe = BareStripe::open().await;
    let mut shop = TestShop::open_with(&[&stripe.vars()[..], &[DRAIN_SECONDS]].concat()).await;
    let light = shop.adds_light("Sold Without A Pause", 1_000_000).await;
    let vars: Vec<(String, String)> = shop.vars().filter(|(name, _)| name != "SHOP_ADDR").collect();
    shop.close().await;
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut running = ServerProcess::start_on(&socket, vars.clone());
    let mut stretch = Stretch::of("requests during upgrades and rollbacks", 0);
    let proxy = Proxy::nginx(&running.url);
    let load = SteadyLoad::begin(&proxy.url(), &stripe, &light).await;
    let (at_rest, begun) = (Probe::begin(&proxy.url()), Instant::now());
    sleep(stretch.form.pick(Duration::from_secs(1), Duration::from_secs(20))).await;
    let at_rest = at_rest.end().await;
    let during = Probe::begin(&proxy.url());
    let mut count = 0;
    while count < 2 || begun.elapsed() < stretch.lasts {
        let next = ServerProcess::start_on(&socket, vars.clone());
        let mut previous = std::mem::replace(&mut running, next);
        previous.terminate();
        assert!(previous.wait_for_exit().await.success());
        if count == 0 {
            // The next processes are those of the version before.
            let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            TestShop::open_with(&vars).await.tamper(MIGRATED).await;
        }
        count += 1;
    }
    let during = during.end().await;
    let replies = load.end().await;
    stretch.done += replies.len();
    println!("{count} upgrades and rollbacks");
    figure::ratio("99th percentile during upgrades, of that at rest", during, at_rest, 200);
    // A short run has to pass on a busy machine, where the database may be slow.
    let is_failed = |reply: &ApiResponse| reply.status >= 300 && !(stretch.form == Form::Short && is_shed(reply));
    let failed: Vec<String> = replies
        .into_iter()
        .filter_map(|reply| reply.map_or_else(Some, |reply| is_failed(&reply).then(|| reply.to_string())))
        .collect();
    assert!(failed.is_empty(), "{count} upgrades and rollbacks: {failed:#?}\n{}", proxy.log());
    drop(running);
    shop.restart().await;
    shop.audit().await;
}
