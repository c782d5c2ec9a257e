//! Denial of service: one client floods the shop while a customer buys. The flood goes to the shop directly and, where
//! nginx is installed, through a reverse proxy configured as in `docs/guide/operate.md`. It has another source address
//! than the customer.
//!
//! The customer's requests succeed as they do without the flood, memory and open connections stay bounded, and every
//! rejected request of the customer says when to retry; latencies are printed. A short run has so few requests that its
//! success rate depends on the machine's load: only a long one asserts it. Cached responses and rejections of the rate limits cost so little that load shedding doesn't see them: these
//! floods test the response cache, and the limits.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::super::invariant::assert_status_in;
use super::super::run::{Form, Stretch};
use super::figure::{Bound, must, ratio, tell};
use super::load_generator::{Timed, median, timed};
use super::restore::insert_sample_data;
use super::server_process::ServerProcess;
use crate::harness::{ApiResponse, Client, Intent, Light, NGINX, Person, Proxy, Stripe, TestShop};

/// Shortest time of a purchase. It keeps two customers below the rate limits for quotes.
const PURCHASE: Duration = Duration::from_millis(1_200);
/// Success rate of the customer's requests, as a percentage of that without the flood.
const LEAST_SUCCESS: u128 = 95;
/// A development build uses more than a release build.
const MOST_MEMORY_MB: u128 = 250;
/// A client gets 256 connections. The others are about to be closed, or the customer's and the database's.
const MOST_FILES: u128 = 480;
/// An account gets 30 quotes a minute, and a flood may see two of these minutes.
const MOST_ACCEPTED: u128 = 60;

/// The target of a flood.
#[derive(Clone)]
struct Target {
    url: String,
    form: Form,
    /// Access token of the account that the flood may use.
    token: String,
    light: Light,
    sent: Arc<AtomicUsize>,
    /// Quotes of the flood that the shop accepted.
    accepted: Arc<AtomicUsize>,
}

impl Target {
    fn address(&self) -> SocketAddr {
        self.url.replace("http://", "").parse().unwrap()
    }

    async fn connect(&self, from: IpAddr) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(from, 0))?;
        socket.connect(self.address()).await
    }

    /// Sends the same request repeatedly over one connection, and reads the responses. Reconnects after errors.
    async fn hammer(self, from: IpAddr, request: String) {
        loop {
            match self.connect(from).await {
                Ok(stream) => self.hammer_on(stream, request.as_bytes()).await.unwrap_or_default(),
                Err(_) => sleep(Duration::from_millis(10)).await,
            }
        }
    }

    async fn hammer_on(&self, mut stream: TcpStream, request: &[u8]) -> std::io::Result<()> {
        let mut bytes = Vec::with_capacity(64 * 1024);
        loop {
            stream.write_all(request).await?;
            self.sent.fetch_add(1, Ordering::Relaxed);
            bytes.clear();
            while !is_whole(&bytes) {
                if stream.read_buf(&mut bytes).await? == 0 {
                    return Ok(());
                }
            }
        }
    }
}

/// Whether these bytes are a complete HTTP response.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(head) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    match text.lines().find_map(|line| line.strip_prefix("content-length: ")) {
        Some(length) => bytes.len() >= head + 4 + length.trim().parse::<usize>().unwrap(),
        None => !text.contains("transfer-encoding: chunked") || bytes.ends_with(b"0\r\n\r\n"),
    }
}

/// Source addresses of the flood: 127.0.0.2 and up.
fn flood_address(number: usize) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, 0, 0, u8::try_from(2 + number).unwrap()))
}

fn get(path: &str, header: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: shop.example\r\n{header}\r\n")
}

fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: Mozilla/5.0\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

/// The response, or none if the connection broke.
async fn call(
    client: &Client,
    method: &str,
    path: &str,
    body: Option<serde_json::Value>,
) -> Timed<Option<ApiResponse>> {
    let request = client.request(method, path);
    let request = match &body {
        Some(body) => request.json(body),
        None => request,
    };
    timed(client.sends_to_the_dying(request)).await
}

/// Buys repeatedly, with new connections for each purchase. Returns for each request whether it succeeded. A failed
/// quote skips the payment and the order.
async fn buys(url: &str, buyers: &[Person; 2], stripe: Stripe, light: &Light, lasts: Duration) -> Vec<Timed<bool>> {
    let (begun, mut done) = (Instant::now(), Vec::new());
    for buyer in buyers.iter().cycle().take_while(|_| begun.elapsed() < lasts) {
        let buyer = &Client::new(url).with_token(buyer.access_token());
        let started = Instant::now();
        let mut succeeded = |call: Timed<Option<ApiResponse>>| {
            let response = call.result.filter(is_success);
            done.push(Timed { result: response.is_some(), took: call.took });
            response
        };
        succeeded(call(buyer, "GET", "/products", None).await);
        succeeded(call(buyer, "GET", "/api/products", None).await);
        let cart = Person::cart(&[(light, 1)]);
        if let Some(quote) = succeeded(call(buyer, "POST", "/api/payments/create-intent", Some(cart)).await) {
            let intent = Intent::of(quote.json());
            if stripe.took(&intent, "pm_card_visa").await {
                let body = json!({ "paymentIntentId": intent.id });
                succeeded(call(buyer, "POST", "/api/orders", Some(body)).await);
            }
        }
        succeeded(call(buyer, "GET", "/api/user/orders", None).await);
        sleep(PURCHASE.saturating_sub(started.elapsed())).await;
    }
    done
}

/// Whether a customer's request succeeded. The only other response is that the shop is busy, and for how long.
#[track_caller]
fn is_success(response: &ApiResponse) -> bool {
    let is_success = matches!(response.status, 200 | 201);
    if !is_success {
        assert_status_in(response, &[503]);
        assert!(response.header("retry-after").is_some(), "{} has no Retry-After", response.call);
    }
    is_success
}

fn succeeded_percent(calls: &[Timed<bool>]) -> u128 {
    let succeeded = calls.iter().filter(|call| call.result).count();
    u128::try_from(succeeded * 100 / calls.len().max(1)).unwrap()
}

/// Measures a customer's purchases with and without the flood, directly and through the proxy.
async fn measure_flood(name: &'static str, flood: impl Fn(Target, &mut JoinSet<()>)) {
    measure_flood_of_products(name, 0, flood).await;
}

/// Measures with additional products in the catalog; a tenth of them in the regular test suite.
async fn measure_flood_of_products(name: &'static str, products: u32, flood: impl Fn(Target, &mut JoinSet<()>)) {
    let mut shop = TestShop::open().await;
    let light = shop.adds_light("Bought In A Flood", 1_000_000).await;
    let buyers = [shop.new_customer("ada@example.com").await, shop.new_customer("bea@example.com").await];
    let (stripe, flooder) = (shop.stripe().await, shop.new_customer("flood@example.com").await);
    shop.close().await;
    let mut stretch = Stretch::of(name, 4);
    if products > 0 {
        let products = stretch.form.pick(products / 10, products).to_string();
        insert_sample_data(&shop, &["--orders", "1", "--products", &products]);
    }
    let lasts = (stretch.lasts / 4).clamp(Duration::from_secs(1), Duration::from_secs(20));
    // The mock Stripe runs in the shop's process. Rate limits are those of production.
    shop.restart_with(&[("SHOP_RATE_LIMITS", ""), ("SHOP_TRUSTED_PROXIES", "")]).await;
    for is_proxied in [false, true] {
        if is_proxied {
            if stretch.form == Form::Short || !Path::new(NGINX).exists() {
                continue;
            }
            shop.restart_with(&[("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
        }
        let server_process = ServerProcess::spawn(&mut shop).await;
        let proxy = is_proxied.then(|| Proxy::nginx(&server_process.url));
        let url = proxy.as_ref().map_or(server_process.url.clone(), Proxy::url);
        let way = if is_proxied { "behind nginx" } else { "directly" };
        let customer = || buys(&url, &buyers, stripe.at(&server_process.client), &light, lasts);
        let idle = customer().await;
        let target = Target {
            url: url.clone(),
            form: stretch.form,
            token: flooder.access_token().to_owned(),
            light: light.clone(),
            sent: Arc::default(),
            accepted: Arc::default(),
        };
        let files = server_process.files();
        let mut attack = JoinSet::new();
        flood(target.clone(), &mut attack);
        let (peak, flooded) = server_process.peak_during(customer()).await;
        attack.shutdown().await;
        stretch.done += target.sent.load(Ordering::Relaxed);
        let control = succeeded_percent(&idle);
        let figure = |what: &str| format!("{name}, {way}: {what}");
        let succeeded = succeeded_percent(&flooded) * 100 / control.max(1);
        let rate = figure("success rate of a customer's requests");
        let is_met = tell(&rate, succeeded, "%", Bound::AtLeast(LEAST_SUCCESS));
        if stretch.form == Form::Long {
            assert_eq!(control, 100, "a request failed without a flood");
            assert!(is_met, "{rate}: {succeeded} %");
        }
        must(&figure("memory, maximum"), u128::from(peak.kib / 1_000), "MB", Bound::AtMost(MOST_MEMORY_MB));
        let accepted = u128::try_from(target.accepted.load(Ordering::Relaxed)).unwrap();
        must(&figure("accepted quotes of the flood"), accepted, "", Bound::AtMost(MOST_ACCEPTED));
        if !is_proxied {
            let opened = u128::try_from(peak.files.saturating_sub(files)).unwrap();
            must(&figure("open files, maximum"), opened, "", Bound::AtMost(MOST_FILES));
        }
        let relative = figure("customer's median latency relative to idle");
        ratio(&relative, median(&flooded), median(&idle), 500);
        drop(server_process);
        shop.restart().await;
        shop.audit().await;
    }
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readiness_checks_page_views_and_refused_requests() {
    measure_flood("flood of readiness checks, page views and refused requests", |target, attack| {
        let junk = "x".repeat(43);
        let requests = [
            get("/readyz", ""),
            post("/api/pageviews", r#"{"path":"/products"}"#),
            post("/api/auth/logout", &json!({ "refreshToken": junk }).to_string()),
            post("/api/auth/login", r#"{"username":"nobody@example.com","password":"not the password"}"#),
        ];
        for number in 0..205 {
            attack.spawn(target.clone().hammer(flood_address(0), requests[number % requests.len()].clone()));
        }
    })
    .await;
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weighted_encodings() {
    measure_flood("flood of requests with weighted encodings", |target, attack| {
        let weights = "Accept-Encoding: gzip;q=1.0, br;q=0.9\r\n";
        let paths = ["/openapi.json", "/docs", "/products", "/api/products", "/fonts", "/favicon.svg"];
        for number in 0..8 {
            let (target, path) = (target.clone(), paths[number % paths.len()]);
            attack.spawn(async move {
                let script = script_of(&target.url).await;
                let path = if path == "/fonts" { script.as_str() } else { path };
                target.clone().hammer(flood_address(0), get(path, weights)).await;
            });
        }
    })
    .await;
}

/// The path of the first asset on the home page.
async fn script_of(url: &str) -> String {
    let page = Client::new(url).get("/").await.text;
    let from = page.find("/assets/").unwrap();
    page[from..].split(['"', '\'']).next().unwrap().to_owned()
}

/// Sends a body of 4,000 bytes at 48 bytes per second.
async fn slow_body(target: Target, number: usize) {
    let head = post("/api/auth/login", "").replace("Content-Length: 0", "Content-Length: 4000");
    sleep(Duration::from_millis(2) * u32::try_from(number).unwrap()).await;
    loop {
        let Ok(mut stream) = target.connect(flood_address(0)).await else {
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        target.sent.fetch_add(1, Ordering::Relaxed);
        let mut rest = head.as_bytes();
        let (mut said, piece) = (vec![0; 1024], [b' '; 48]);
        while stream.write_all(rest).await.is_ok() {
            rest = &piece;
            tokio::select! {
                _ = stream.read(&mut said) => break,
                () = sleep(Duration::from_secs(1)) => {}
            }
        }
        sleep(Duration::from_millis(50)).await;
    }
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_bodies() {
    measure_flood("flood of slow bodies", |target, attack| {
        for number in 0..560 {
            attack.spawn(slow_body(target.clone(), number));
        }
    })
    .await;
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections() {
    measure_flood("flood of idle connections", |target, attack| {
        for number in 0..target.form.pick(600, 4_500) {
            let target = target.clone();
            attack.spawn(async move {
                sleep(Duration::from_micros(500) * number).await;
                loop {
                    if let Ok(mut stream) = target.connect(flood_address(0)).await {
                        target.sent.fetch_add(1, Ordering::Relaxed);
                        let _closed = stream.read(&mut [0; 64]).await;
                    }
                    sleep(Duration::from_millis(100)).await;
                }
            });
        }
    })
    .await;
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn catalog_requests_with_worthless_tokens() {
    measure_flood_of_products("flood of catalog requests with a worthless token", 1_000, |target, attack| {
        for _ in 0..16 {
            attack.spawn(target.clone().hammer(flood_address(0), get("/api/products", "Authorization: x\r\n")));
        }
    })
    .await;
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_pages() {
    measure_flood_of_products("flood of search pages", 200, |target, attack| {
        for number in 0..64 {
            let path = format!("/products?q=lamp-{number}");
            attack.spawn(target.clone().hammer(flood_address(number % 8), get(&path, "Accept-Encoding: gzip\r\n")));
        }
    })
    .await;
}

/// Requests quotes endlessly, each replacing the previous one.
async fn quotes(target: Target) {
    let client = Client::from_address(&target.url, &flood_address(0).to_string()).with_token(&target.token);
    let mut cart = Person::cart(&[(&target.light, 1)]);
    loop {
        let response = call(&client, "POST", "/api/payments/create-intent", Some(cart.clone())).await.result;
        target.sent.fetch_add(1, Ordering::Relaxed);
        match response.filter(|response| response.status == 200) {
            Some(quote) => {
                target.accepted.fetch_add(1, Ordering::Relaxed);
                cart["replaces"] = quote.json()["paymentIntent"]["id"].clone();
            }
            None => sleep(Duration::from_millis(5)).await,
        }
    }
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quotes_without_end() {
    measure_flood("flood of quotes of one account", |target, attack| {
        for _ in 0..8 {
            attack.spawn(quotes(target.clone()));
        }
    })
    .await;
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logins_with_wrong_passwords() {
    measure_flood("flood of logins from 24 addresses", |target, attack| {
        for number in 0..24 {
            let body = json!({ "username": format!("somebody{number}@example.com"), "password": "not the password" });
            attack.spawn(target.clone().hammer(flood_address(number), post("/api/auth/login", &body.to_string())));
        }
    })
    .await;
}
