//! Customers and an administrator at a steady rate.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bench::http;
use bench::purchase::{Cart, Customer, logged_in};
use xtask::process::Failure;

const CUSTOMER: &str = "customer@nudgelight.example";
const ADMIN: &str = "admin@nudgelight.example";
/// Before an access token expires.
const LOGIN_EVERY: Duration = Duration::from_secs(600);
const PAGES: [&str; 5] = ["/", "/products", "/products/nudgelight-one", "/api/products", "/sitemap.xml"];
const ADMIN_PAGES: [&str; 4] =
    ["/api/admin/orders?search=ada", "/api/admin/orders?page=20", "/api/admin/overview", "/api/admin/health"];

pub struct Load {
    counts: Arc<Counts>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Counts {
    is_over: AtomicBool,
    orders: AtomicU64,
    failed: AtomicU64,
    /// Microseconds of each since the last sample.
    purchases: Mutex<Vec<u64>>,
    pages: Mutex<Vec<u64>>,
}

impl Load {
    pub fn start(url: &str, cart: Cart) -> Self {
        let counts = Arc::new(Counts::default());
        let mut buying = Buying { url: url.to_owned(), cart, customer: None };
        let reading = url.to_owned();
        let mut watching = Watching { url: url.to_owned(), token: None };
        let threads = vec![
            repeat(&counts, Duration::from_secs(1), move |counts, _| buying.buy(counts)),
            repeat(&counts, Duration::from_millis(100), move |counts, turn| read(&reading, counts, turn)),
            repeat(&counts, Duration::from_secs(5), move |_, turn| watching.read(turn)),
        ];
        Self { counts, threads }
    }

    pub fn orders(&self) -> u64 {
        self.counts.orders.load(Ordering::Relaxed)
    }

    /// The medians of purchases and pages since the last call, in microseconds.
    pub fn medians(&self) -> (u64, u64) {
        (take_median(&self.counts.purchases), take_median(&self.counts.pages))
    }

    /// Ends the load, and returns how many requests and purchases have failed.
    pub fn stop(self) -> u64 {
        self.counts.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads {
            // A panic would have been counted as nothing.
            if thread.join().is_err() {
                self.counts.failed.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.counts.failed.load(Ordering::Relaxed)
    }
}

/// Does the work at this rate, whatever it takes, until the load is over.
fn repeat(
    counts: &Arc<Counts>,
    interval: Duration,
    mut work: impl FnMut(&Counts, usize) -> Result<(), Failure> + Send + 'static,
) -> JoinHandle<()> {
    let counts = Arc::clone(counts);
    thread::spawn(move || {
        let mut next = Instant::now();
        for turn in 0.. {
            if counts.is_over.load(Ordering::Relaxed) {
                break;
            }
            if let Err(failure) = work(&counts, turn) {
                println!("{failure}");
                counts.failed.fetch_add(1, Ordering::Relaxed);
            }
            next += interval;
            thread::sleep(next.saturating_duration_since(Instant::now()));
        }
    })
}

struct Buying {
    url: String,
    cart: Cart,
    customer: Option<(Instant, Customer)>,
}

impl Buying {
    fn buy(&mut self, counts: &Counts) -> Result<(), Failure> {
        let fresh = self.customer.take().filter(|(since, _)| since.elapsed() < LOGIN_EVERY);
        let (since, customer) = match fresh {
            Some(fresh) => fresh,
            None => (Instant::now(), Customer::log_in(&self.url, CUSTOMER)?),
        };
        let began = Instant::now();
        let bought = customer.buys(&self.url, &self.cart)?;
        note(&counts.purchases, began);
        self.customer = Some((since, customer));
        if !bought {
            return Err(Failure::new("the shop was too busy for a purchase"));
        }
        counts.orders.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

struct Watching {
    url: String,
    token: Option<(Instant, String)>,
}

impl Watching {
    fn read(&mut self, turn: usize) -> Result<(), Failure> {
        let fresh = self.token.take().filter(|(since, _)| since.elapsed() < LOGIN_EVERY);
        let (since, token) = match fresh {
            Some(fresh) => fresh,
            None => (Instant::now(), logged_in(&self.url, ADMIN)?),
        };
        let read = found(&self.url, ADMIN_PAGES.get(turn % ADMIN_PAGES.len()).copied().unwrap_or_default(), &[&token]);
        self.token = Some((since, token));
        read
    }
}

fn read(url: &str, counts: &Counts, turn: usize) -> Result<(), Failure> {
    let began = Instant::now();
    found(url, PAGES.get(turn % PAGES.len()).copied().unwrap_or_default(), &[])?;
    note(&counts.pages, began);
    Ok(())
}

fn found(url: &str, path: &str, headers: &[&str]) -> Result<(), Failure> {
    match http::get(url, path, headers)?.status {
        200 => Ok(()),
        status => Err(Failure::new(format!("{path}: status {status}"))),
    }
}

fn note(times: &Mutex<Vec<u64>>, began: Instant) {
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    times.lock().unwrap_or_else(PoisonError::into_inner).push(micros);
}

fn take_median(times: &Mutex<Vec<u64>>) -> u64 {
    let mut times = std::mem::take(&mut *times.lock().unwrap_or_else(PoisonError::into_inner));
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
