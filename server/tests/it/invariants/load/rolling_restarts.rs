//! Rolling restarts behind each proxy of the guide: two processes on one PostgreSQL database, restarted one after the
//! other.

use std::net::TcpListener;
use std::time::Instant;

use super::super::run::{Form, Stretch};
use super::server_process::ServerProcess;
use super::steady_load::{SteadyLoad, is_shed};
use crate::harness::{ApiResponse, BareStripe, Database, HAPROXY, NGINX, Proxy, TestShop, is_installed_or_skip};

/// As in the guide.
const DRAIN_SECONDS: (&str, &str) = ("SHOP_DRAIN_SECONDS", "10");
const FEWEST: usize = 2;

/// A free address below the ports of outgoing connections, so that nothing else takes it during a restart.
fn free_address() -> String {
    let first = 20_000 + std::process::id() % 10_000;
    let mut addresses = (first..32_768).map(|port| format!("127.0.0.1:{port}"));
    addresses.find(|address| TcpListener::bind(address).is_ok()).unwrap()
}

fn start_process(shop: &TestShop) -> ServerProcess {
    let address = free_address();
    let own = [("SHOP_ADDR", address.as_str()), DRAIN_SECONDS].map(|(name, value)| (name.to_owned(), value.to_owned()));
    ServerProcess::start(shop.vars().filter(|(name, _)| name != "SHOP_ADDR").chain(own).collect())
}

// invariant: graceful-shutdown
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_behind_nginx_or_haproxy_fails_no_request() {
    if !is_installed_or_skip(NGINX) || !is_installed_or_skip(HAPROXY) {
        return;
    }
    let Some(database) = Database::postgres().await else { return };
    // Outside of the processes, as in production.
    let stripe = BareStripe::open().await;
    let vars = [&stripe.vars()[..], &[("DATABASE_URL", database.url())]].concat();
    let mut shop = TestShop::open_with(&vars).await;
    let light = shop.adds_light("Sold Without A Pause", 1_000_000).await;
    shop.close().await;
    let mut processes = [start_process(&shop), start_process(&shop)];
    let urls = [processes[0].url.clone(), processes[1].url.clone()];
    let urls = [urls[0].as_str(), urls[1].as_str()];
    let mut stretch = Stretch::of("requests during rolling restarts", 0);
    let mut proxies = vec![Proxy::haproxy_before_two(urls)];
    // nginx checks no servers, so on a busy machine it may find both too slow.
    if stretch.form == Form::Long {
        proxies.push(Proxy::nginx_before_two(urls));
    }
    let mut loads = Vec::new();
    for proxy in &proxies {
        loads.push(SteadyLoad::begin(&proxy.url(), &stripe, &light).await);
    }
    let (begun, mut restarts) = (Instant::now(), 0);
    while restarts < FEWEST || begun.elapsed() < stretch.lasts {
        for process in &mut processes {
            process.restart().await;
        }
        restarts += 1;
    }
    for (load, proxy) in loads.into_iter().zip(&proxies) {
        let replies = load.end().await;
        stretch.done += replies.len();
        // A short run has to pass on a busy machine, where the database may be slow.
        let is_failed = |reply: &ApiResponse| reply.status >= 300 && !(stretch.form == Form::Short && is_shed(reply));
        let failed: Vec<String> = replies
            .into_iter()
            .filter_map(|reply| reply.map_or_else(Some, |reply| is_failed(&reply).then(|| reply.to_string())))
            .collect();
        assert!(failed.is_empty(), "{restarts} rolling restarts: {failed:#?}\n{}", proxy.log());
    }
    drop(processes);
    shop.restart().await;
    shop.audit().await;
    drop(shop);
    database.remove().await;
}
