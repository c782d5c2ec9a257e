//! Sales while the clock passes the events of a year, and after it has gone back.

use std::thread;
use std::time::Duration;

use crate::Bench;
use crate::databases::{Closed, Database, audit};
use bench::http;
use bench::purchase::{Cart, Customer};
use xtask::process::Failure;
use xtask::programs::find_or_install;

/// The library is found by the loader, whatever the architecture's folder.
const LIBRARY: &str = "/usr/$LIB/faketime/libfaketime.so.1";

/// The shop's time zone, which has daylight saving time.
pub const ZONE: (&str, &str) = ("SHOP_TIME_ZONE", "America/New_York");

/// When a shop starts, seconds before an event in its zone, and the day on which it stops, in UTC.
const EVENTS: [(&str, &str); 9] = [
    // The year ends in UTC, then in the shop's zone.
    ("2026-12-31 23:59:50", "01 Jan 2027"),
    ("2027-01-01 04:59:50", "01 Jan 2027"),
    // A month ends.
    ("2027-03-01 04:59:50", "01 Mar 2027"),
    // Daylight saving time starts: 2 AM does not exist.
    ("2027-03-14 06:59:50", "14 Mar 2027"),
    // A quarter ends.
    ("2027-07-01 03:59:50", "01 Jul 2027"),
    // 1 AM comes for the first time, then again.
    ("2027-11-07 04:59:50", "07 Nov 2027"),
    ("2027-11-07 05:59:50", "07 Nov 2027"),
    // A leap day begins and ends.
    ("2028-02-29 04:59:50", "29 Feb 2028"),
    ("2028-03-01 04:59:50", "01 Mar 2028"),
];
pub const COUNT: usize = EVENTS.len();
/// From the start of the shop until its clock has passed the event.
const UNTIL_PASSED: Duration = Duration::from_secs(12);

/// Fails without the library.
pub fn prepare() -> Result<(), Failure> {
    find_or_install("faketime", "faketime").map(|_| ())
}

/// The number of sales that failed. An error if the audit finds something.
pub fn run(bench: &Bench, database: &Database, closed: &Closed, cart: &Cart) -> Result<u64, Failure> {
    let mut failed = 0;
    for start in EVENTS.into_iter().map(Some).chain([None]) {
        failed += sales(bench, database, cart, start)?;
    }
    audit(&bench.server(), &closed.data, &closed.database_url)?;
    Ok(failed)
}

/// Two sales, before and after the event; in the present without one.
fn sales(bench: &Bench, database: &Database, cart: &Cart, event: Option<(&str, &str)>) -> Result<u64, Failure> {
    let faked = event.map(|(start, _)| format!("@{start}"));
    let mut settings = vec![ZONE];
    if let Some(faked) = &faked {
        // Timers keep the real time.
        settings.extend([("LD_PRELOAD", LIBRARY), ("FAKETIME", faked), ("TZ", "UTC"), ("DONT_FAKE_MONOTONIC", "1")]);
    }
    let shop = database.start(bench, "soak", &settings)?;
    let mut failed = 0;
    for wait in [Duration::ZERO, UNTIL_PASSED] {
        thread::sleep(wait);
        let sold = Customer::log_in(&shop.url, "customer@nudgelight.example")
            .and_then(|customer| customer.buys(&shop.url, cart));
        if !matches!(sold, Ok(true)) {
            println!("{}, {event:?}: {:?}", database.name, sold.map_err(|failure| failure.to_string()));
            failed += 1;
        }
    }
    if let Some((_, day)) = event {
        let now = http::get(&shop.url, "/readyz", &[])?.header("date").unwrap_or_default().to_owned();
        if !now.contains(day) {
            return Err(Failure::new(format!("the shop's clock is at {now}, not on {day}: libfaketime has no effect")));
        }
    }
    Ok(failed)
}
