//! What a whole purchase costs: quote, intent, card, order, with the test-mode Stripe, its webhooks and the receipt.

use std::process::Command;
use std::thread;
use std::time::Duration;

use super::databases::Database;
use super::program::Listening;
use super::purchase::Customer;
use super::row::{Figure, Row, Target};
use super::{Bench, Measurement, processor};
use crate::process::Failure;

pub const MEASUREMENT: Measurement = Measurement {
    name: "orders",
    title: "Orders",
    how: "Purchases over HTTP, with everything written for good. First one after the other: told is the processor time \
        that the server, the test-mode Stripe inside it and the database take for one, what happens afterwards included. \
        Then by eight customers at once, beside bare axum routes that run the shop's own statements on the same \
        database, through the same code, and have the provider's answers ready: they render and ask nothing, but \
        write the same; the medians of three rounds. [What a purchase costs](adr/0031-what-a-purchase-costs.md) says \
        where the time goes.",
    run,
};

const WARM_UP: u64 = 20;
const PURCHASES: u64 = 200;
/// Until the webhooks, the mails and the records of taxes of the last purchase are done.
const AFTERWARDS: Duration = Duration::from_secs(8);
/// As many as may hold open checkouts of one account at a time.
const CROWD: usize = 8;
const ROUND: Duration = Duration::from_secs(4);
const ROUNDS: usize = 3;

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for database in Database::all()? {
        rows.extend(measure(bench, &database)?);
    }
    Ok(rows)
}

fn measure(bench: &Bench, database: &Database) -> Result<[Row; 2], Failure> {
    let served = database.shop(bench, "orders", &["--orders", "1"])?;
    let (customer, url) = (Customer::of(&served)?, served.shop.url.clone());
    for _ in 0..WARM_UP {
        customer.buys(&url)?;
    }
    thread::sleep(AFTERWARDS);
    let before = processor::spent(&served)?;
    for _ in 0..PURCHASES {
        customer.buys(&url)?;
    }
    thread::sleep(AFTERWARDS);
    let each = (processor::spent(&served)? - before) / PURCHASES;
    let ours = median(&customer, &url)?;
    thread::sleep(AFTERWARDS);

    // Its workers would take what the bare one has to do.
    let closed = served.close();
    let bare = Listening::start(Command::new(bench.bare_orders()).arg(&closed.database_url))?;
    customer.buys(&bare.url)?;
    let theirs = median(&customer, &bare.url)?;
    let name = database.name;
    let most = Target::NoMoreThan(Figure::Microseconds(3_000));
    Ok([
        Row::alone(format!("{name}: processor time of a purchase"), Figure::Microseconds(each), most),
        Row::beside(
            format!("{name}: orders"),
            Figure::PerSecond(ours),
            ("bare routes", Figure::PerSecond(theirs)),
            Target::AtLeast(50),
        ),
    ])
}

fn median(customer: &Customer, url: &str) -> Result<u64, Failure> {
    let mut rounds = (0..ROUNDS).map(|_| customer.crowd(url, CROWD, ROUND)).collect::<Result<Vec<u64>, Failure>>()?;
    rounds.sort_unstable();
    Ok(rounds.get(ROUNDS / 2).copied().unwrap_or_default())
}
