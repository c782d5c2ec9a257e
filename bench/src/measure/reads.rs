//! Public reads: the product list and a product, as pages and as JSON.

use std::fs;
use std::process::Command;

use crate::nginx::Nginx;
use crate::program::Listening;
use crate::resource::{Resource, store_responses};
use crate::row::{Figure, Row, Target};
use crate::wrk::{Load, Wrk, median};
use crate::{Bench, Measurement};
use xtask::process::Failure;
use xtask::shop::Shop;

pub const MEASUREMENT: Measurement = Measurement {
    name: "reads",
    title: "Reads",
    how: "Throughput in requests per second and latency percentiles, measured by wrk with 64 connections on two \
        threads. The references are a bare axum route that returns the same bytes (headers included) and nginx \
        that serves them as a file. Medians of five alternating rounds.",
    run,
};

const ROUNDS: usize = 5;
const SECONDS: u32 = 1;

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let wrk = Wrk::find(bench.workspace)?;
    let shop = Shop::open(&bench.server(), bench.workspace, "bench-reads", &[("SHOP_RATE_LIMITS", "off")])?;
    let folder = shop.data.join("bodies");
    let resources = store_responses(&shop, &folder)?;
    let bare = Listening::start(Command::new(bench.bare()).arg(&folder))?;
    let nginx = Nginx::start(&folder, &resources).inspect_err(|reason| println!("nginx is skipped: {reason}")).ok();
    let mut rows = Vec::new();
    for resource in &resources {
        rows.extend(compare(&wrk, resource, &shop, &bare, nginx.as_ref())?);
    }
    drop(nginx);
    // Leftovers only take disk space in the target folder.
    let _ = fs::remove_dir_all(&folder);
    Ok(rows)
}

fn compare(
    wrk: &Wrk,
    resource: &Resource,
    shop: &Shop,
    bare: &Listening,
    nginx: Option<&Nginx>,
) -> Result<Vec<Row>, Failure> {
    let mut urls = vec![format!("{}{}", shop.url, resource.shop_path), format!("{}{}", bare.url, resource.path)];
    urls.extend(nginx.map(|nginx| format!("{}{}", nginx.url, resource.path)));
    let medians = interleaved(wrk, &urls, &resource.accept())?;
    let [ours, bare, others @ ..] = medians.as_slice() else { return Ok(Vec::new()) };
    let title = &resource.title;
    let mut rows = vec![
        throughput(title, ours, ("bare route", bare), 80),
        latency(format!("{title}: latency p50"), ours.p50, bare.p50, Target::Open),
        latency(format!("{title}: latency p99"), ours.p99, bare.p99, Target::AtMost(150)),
    ];
    rows.extend(others.iter().map(|nginx| throughput(title, ours, ("nginx", nginx), 40)));
    Ok(rows)
}

fn throughput(title: &str, ours: &Load, (name, reference): (&'static str, &Load), least_percent: u64) -> Row {
    let per_second = |load: &Load| Figure::PerSecond(load.per_second);
    let metric = format!("{title}: throughput");
    Row::with_reference(metric, per_second(ours), (name, per_second(reference)), Target::AtLeast(least_percent))
}

fn latency(metric: String, ours: u64, bare: u64, target: Target) -> Row {
    Row::with_reference(metric, Figure::Microseconds(ours), ("bare route", Figure::Microseconds(bare)), target)
}

/// The medians of each URL over alternating rounds.
fn interleaved(wrk: &Wrk, urls: &[String], header: &str) -> Result<Vec<Load>, Failure> {
    let mut rounds: Vec<Vec<Load>> = urls.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for (url, loads) in urls.iter().zip(&mut rounds) {
            loads.push(wrk.load(url, &[header], SECONDS)?);
        }
    }
    Ok(rounds.iter().map(|loads| median(loads)).collect())
}
