//! The administrator's lists in a shop with a million orders.

use std::time::Instant;

use crate::databases::{Database, Served};
use crate::row::{Figure, Row, Target};
use crate::{Bench, Measurement};
use bench::http;
use xtask::process::Failure;

pub const MEASUREMENT: Measurement = Measurement {
    name: "admin",
    title: "Administration at size",
    how: "Latency p95 of each list over forty requests, a different page each time, after `nudgelight seed \
        --orders 1000000 --customers 100000` into a new database.",
    run,
};

const SEED: [&str; 6] = ["--orders", "1000000", "--customers", "100000", "--products", "200"];
const TIMES: u64 = 40;
/// Pages near the start, requested in turn.
const NEAR: u64 = 50;

/// A list: its path without the page, and the number of pages to choose from. `{product}` is the id of a product.
struct List {
    name: &'static str,
    path: &'static str,
    pages: u64,
    target: Target,
}

const FAST: Target = Target::NoMoreThan(Figure::Microseconds(20_000));
const SEARCH: Target = Target::NoMoreThan(Figure::Microseconds(100_000));
const DEEP: Target = Target::NoMoreThan(Figure::Microseconds(200_000));
const TAX_REPORT: Target = Target::NoMoreThan(Figure::Microseconds(2_000_000));

const LISTS: [List; 33] = [
    near("all orders", "/api/admin/orders?"),
    near("status delivered", "/api/admin/orders?status=delivered"),
    near("status pending", "/api/admin/orders?status=pending"),
    near("date range of two years", "/api/admin/orders?startDate=2024-12-01&endDate=2026-11-30"),
    near(
        "date range of two years, status delivered",
        "/api/admin/orders?startDate=2024-12-01&endDate=2026-11-30&status=delivered",
    ),
    near("search by first name", "/api/admin/orders?q=ada"),
    near("search by first name, status delivered", "/api/admin/orders?q=ada&status=delivered"),
    near("search by first name and prefix", "/api/admin/orders?q=ada%20b"),
    near("search by email prefix", "/api/admin/orders?q=ada.b"),
    List { name: "search by order number", path: "/api/admin/orders?q=500000", pages: 1, target: FAST },
    List { name: "search by email", path: "/api/admin/orders?q=ada.bell.7@example.com", pages: 1, target: FAST },
    search("search by last name", "/api/admin/orders?q=bell", NEAR),
    search("search by postal code", "/api/admin/orders?q=V6B%201A1", NEAR),
    search("search by tracking number", "/api/admin/orders?q=1Z999AA10000001001", 1),
    search("search by product word", "/api/admin/orders?q=halo", NEAR),
    search("search by email domain (all orders have it)", "/api/admin/orders?q=example.com", NEAR),
    search("search by email domain, status pending", "/api/admin/orders?q=example.com&status=pending", NEAR),
    search("search by first name and email domain", "/api/admin/orders?q=ada%20example.com", NEAR),
    near("payment refunded", "/api/admin/orders?payment=refunded"),
    near("payment refunded in part", "/api/admin/orders?payment=partially_refunded"),
    near("country Canada", "/api/admin/orders?country=CA"),
    near("a product", "/api/admin/orders?product={product}"),
    near("a product, paid, country Canada", "/api/admin/orders?product={product}&payment=paid&country=CA"),
    List { name: "open alerts", path: "/api/admin/orders?open_alerts=true", pages: 1, target: FAST },
    List { name: "counts of the tabs", path: "/api/admin/order-counts?", pages: 1, target: FAST },
    near("customers", "/api/admin/customers?"),
    near("customers, search by first name", "/api/admin/customers?q=ada"),
    search("customers, search by email domain", "/api/admin/customers?q=example.com", NEAR),
    List {
        name: "bulk status, dry run",
        path: "/api/admin/order-status/preview?status=shipped&to=delivered",
        pages: 1,
        target: FAST,
    },
    List {
        name: "tax report of four months (about 110,000 orders)",
        path: "/api/admin/tax-report?from=2026-07&to=2026-10",
        pages: 1,
        target: TAX_REPORT,
    },
    List { name: "overview", path: "/api/admin/overview?", pages: 1, target: FAST },
    List { name: "all orders, deep pages", path: "/api/admin/orders?", pages: 100_000, target: DEEP },
    List {
        name: "status delivered, deep pages",
        path: "/api/admin/orders?status=delivered",
        pages: 90_000,
        target: DEEP,
    },
];

const fn near(name: &'static str, path: &'static str) -> List {
    List { name, path, pages: NEAR, target: FAST }
}

const fn search(name: &'static str, path: &'static str, pages: u64) -> List {
    List { name, path, pages, target: SEARCH }
}

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for database in Database::all()? {
        let began = Instant::now();
        let served = database.shop(bench, "admin", &SEED)?;
        let five_minutes = Target::NoMoreThan(Figure::Microseconds(300_000_000));
        let took = Figure::Microseconds(micros(began));
        rows.push(Row::without_reference(format!("{}: seeding a million orders", database.name), took, five_minutes));
        let admin = served.logged_in("admin@nudgelight.example")?;
        let products = http::get(&served.shop.url, "/api/products", &[])?;
        let product = products.text("id").ok_or_else(|| Failure::new("no product has an id"))?;
        for list in &LISTS {
            let took = Figure::Microseconds(p95(&served, &admin, list, product)?);
            rows.push(Row::without_reference(format!("{}: {}", database.name, list.name), took, list.target));
        }
    }
    Ok(rows)
}

/// The 95th percentile in microseconds, without three warm-up requests.
fn p95(served: &Served, admin: &str, list: &List, product: &str) -> Result<u64, Failure> {
    let list_path = list.path.replace("{product}", product);
    let mut times = Vec::new();
    for turn in 0..TIMES + 3 {
        let page = 1 + turn * 7_919 % list.pages;
        let path = format!("{list_path}&page={page}");
        let began = Instant::now();
        let response = http::get(&served.shop.url, &path, &[admin])?;
        times.push(micros(began));
        if response.status != 200 {
            return Err(Failure::new(format!("{path}: status {}", response.status)));
        }
    }
    let mut counted: Vec<u64> = times.into_iter().skip(3).collect();
    counted.sort_unstable();
    Ok(counted.get(counted.len() * 95 / 100).copied().unwrap_or_default())
}

fn micros(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX)
}
