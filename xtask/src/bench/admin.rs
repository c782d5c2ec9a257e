//! What an administrator asks for in a shop with a million orders.

use std::time::Instant;

use super::databases::{Database, Served};
use super::row::{Figure, Row, Target};
use super::{Bench, Measurement, http};
use crate::process::Failure;

pub const MEASUREMENT: Measurement = Measurement {
    name: "admin",
    title: "Administration at size",
    how: "`nudgelight seed --orders 1000000 --customers 100000` into a new database, then each list forty times, a \
        different page each time; told is what 95 of 100 are answered in.",
    run,
};

const SEED: [&str; 6] = ["--orders", "1000000", "--customers", "100000", "--products", "200"];
const TIMES: u64 = 40;
/// The first fifty pages are asked for in turns.
const NEAR: u64 = 50;

/// What is asked for, without its page, and how many pages there are of which any is asked for.
struct Asked {
    what: &'static str,
    path: &'static str,
    pages: u64,
    target: Target,
}

const QUICK: Target = Target::NoMoreThan(Figure::Microseconds(20_000));
const PATIENT: Target = Target::NoMoreThan(Figure::Microseconds(200_000));

const ASKED: [Asked; 14] = [
    near("all orders", "/api/admin/orders?"),
    near("delivered", "/api/admin/orders?status=delivered"),
    near("pending", "/api/admin/orders?status=pending"),
    near("two years", "/api/admin/orders?startDate=2024-12-01&endDate=2026-11-30"),
    near("two years, delivered", "/api/admin/orders?startDate=2024-12-01&endDate=2026-11-30&status=delivered"),
    near("a first name", "/api/admin/orders?q=ada"),
    near("a first name, delivered", "/api/admin/orders?q=ada&status=delivered"),
    near("a first name and a beginning", "/api/admin/orders?q=ada%20b"),
    near("the beginning of an address", "/api/admin/orders?q=ada.b"),
    Asked { what: "a number", path: "/api/admin/orders?q=500000", pages: 1, target: QUICK },
    Asked { what: "an address", path: "/api/admin/orders?q=ada.bell.7@example.com", pages: 1, target: QUICK },
    Asked { what: "the overview", path: "/api/admin/overview?", pages: 1, target: QUICK },
    Asked { what: "all orders, deep", path: "/api/admin/orders?", pages: 100_000, target: PATIENT },
    Asked { what: "delivered, deep", path: "/api/admin/orders?status=delivered", pages: 90_000, target: PATIENT },
];

const fn near(what: &'static str, path: &'static str) -> Asked {
    Asked { what, path, pages: NEAR, target: QUICK }
}

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for database in Database::all()? {
        let began = Instant::now();
        let served = database.shop(bench, "admin", &SEED)?;
        let five_minutes = Target::NoMoreThan(Figure::Microseconds(300_000_000));
        let took = Figure::Microseconds(micros(began));
        rows.push(Row::alone(format!("{}: a million orders are there", database.name), took, five_minutes));
        let admin = served.logged_in("admin@nudgelight.example")?;
        for asked in &ASKED {
            let took = Figure::Microseconds(late(&served, &admin, asked)?);
            rows.push(Row::alone(format!("{}: {}", database.name, asked.what), took, asked.target));
        }
    }
    Ok(rows)
}

/// What 95 of 100 take at most. The first answers are not counted: nothing is in memory yet.
fn late(served: &Served, admin: &str, asked: &Asked) -> Result<u64, Failure> {
    let mut times = Vec::new();
    for turn in 0..TIMES + 3 {
        let page = 1 + turn * 7_919 % asked.pages;
        let path = format!("{}&page={page}", asked.path);
        let began = Instant::now();
        let answer = http::get(&served.shop.url, &path, &[admin])?;
        times.push(micros(began));
        if answer.status != 200 {
            return Err(Failure::new(format!("{path} is answered with {}", answer.status)));
        }
    }
    let mut counted: Vec<u64> = times.into_iter().skip(3).collect();
    counted.sort_unstable();
    Ok(counted.get(counted.len() * 95 / 100).copied().unwrap_or_default())
}

fn micros(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX)
}
