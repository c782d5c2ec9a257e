//! Whole purchases: quote, payment intent, card payment, order, webhooks and receipt.

use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::databases::{Database, Served};
use crate::program::Listening;
use crate::row::{Figure, Row, Target};
use crate::{Bench, Measurement, cpu_time};
use bench::purchase::{Cart, Customer, add_lights, throughput};
use xtask::process::Failure;

pub const MEASUREMENT: Measurement = Measurement {
    name: "orders",
    title: "Orders",
    how: "Purchases over HTTP with durable writes. CPU time is measured on sequential purchases: the server with \
        the mock Stripe inside it and the database, including background work. Throughput is measured with eight \
        concurrent customers. The reference is bare axum routes that run the shop's own statements on the same \
        database with the provider's responses ready: they write the same rows, but render nothing and call no \
        provider. Medians of three rounds. [ADR 30](adr/0030-cpu-cost-of-a-purchase.md) breaks the time down.",
    run,
};

const CUSTOMER: &str = "customer@nudgelight.example";
const WARM_UP: u64 = 20;
const PURCHASES: u64 = 200;
/// Until the webhooks, emails and tax records of the last purchase are processed.
const BACKGROUND_WORK: Duration = Duration::from_secs(8);
/// The limit of open checkouts per account.
const CUSTOMERS: usize = 8;
const ROUND: Duration = Duration::from_secs(4);
const ROUNDS: usize = 3;

struct Buyer {
    customer: Customer,
    cart: Cart,
}

impl Buyer {
    fn buys(&self, url: &str) -> Result<bool, Failure> {
        self.customer.buys(url, &self.cart)
    }
}

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for database in Database::all()? {
        rows.extend(measure(bench, &database)?);
    }
    Ok(rows)
}

fn measure(bench: &Bench, database: &Database) -> Result<[Row; 2], Failure> {
    let served = database.shop(bench, "orders", &["--orders", "1"])?;
    let url = served.shop.url.clone();
    let buyer = Buyer { customer: Customer::log_in(&url, CUSTOMER)?, cart: add_lights(&url, 1)?.remove(0) };
    let each = cpu_time_per_purchase(&served, &buyer)?;
    let ours = median(&buyer, &url)?;
    thread::sleep(BACKGROUND_WORK);

    // The shop's workers would process the rows of the reference.
    let closed = served.close();
    let bare = Listening::start(Command::new(bench.bare_orders()).arg(&closed.database_url))?;
    buyer.buys(&bare.url)?;
    let theirs = median(&buyer, &bare.url)?;
    Ok(rows(database.name, each, ours, theirs))
}

/// CPU time in microseconds, after a warm-up.
fn cpu_time_per_purchase(served: &Served, buyer: &Buyer) -> Result<u64, Failure> {
    purchases(served, buyer, WARM_UP)?;
    let before = cpu_time::total(served)?;
    purchases(served, buyer, PURCHASES)?;
    Ok((cpu_time::total(served)? - before) / PURCHASES)
}

/// Sequential purchases, with their background work.
fn purchases(served: &Served, buyer: &Buyer, count: u64) -> Result<(), Failure> {
    for _ in 0..count {
        buyer.buys(&served.shop.url)?;
    }
    thread::sleep(BACKGROUND_WORK);
    Ok(())
}

fn rows(name: &str, cpu_time: u64, ours: u64, theirs: u64) -> [Row; 2] {
    let most = Target::NoMoreThan(Figure::Microseconds(3_000));
    let bare = ("bare routes", Figure::PerSecond(theirs));
    let throughput = format!("{name}: purchases, throughput");
    [
        Row::without_reference(format!("{name}: CPU time per purchase"), Figure::Microseconds(cpu_time), most),
        Row::with_reference(throughput, Figure::PerSecond(ours), bare, Target::AtLeast(50)),
    ]
}

fn median(buyer: &Buyer, url: &str) -> Result<u64, Failure> {
    let mut rounds = (0..ROUNDS)
        .map(|_| throughput(CUSTOMERS, ROUND, |_, _| buyer.buys(url)))
        .collect::<Result<Vec<u64>, Failure>>()?;
    rounds.sort_unstable();
    Ok(rounds.get(ROUNDS / 2).copied().unwrap_or_default())
}
