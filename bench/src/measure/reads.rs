//! Public reads: the product list and a product, as pages and as JSON.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::http;
use crate::nginx::Nginx;
use crate::program::Listening;
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

const PRODUCT: &str = "nudgelight-one";
const ROUNDS: usize = 5;
const SECONDS: u32 = 1;

/// A response of the shop, stored in files for the reference servers.
pub struct Resource {
    /// The path on the reference servers, which have one path for each encoding.
    pub path: String,
    pub content_type: String,
    pub encoding: String,
    /// The base name of the files with its headers and its body.
    pub name: String,
    title: String,
    /// The path on the shop.
    shop_path: String,
}

impl Resource {
    fn accept(&self) -> String {
        format!("Accept-Encoding: {}", self.encoding)
    }
}

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let wrk = Wrk::find(bench.workspace)?;
    let shop = Shop::open_program(&bench.server(), bench.workspace, "bench-reads", &[("SHOP_RATE_LIMITS", "off")])?;
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

/// Stores the shop's current responses in each encoding.
fn store_responses(shop: &Shop, folder: &Path) -> Result<Vec<Resource>, Failure> {
    let requested = [
        ("product list, JSON", "/api/products".to_owned()),
        ("a product, JSON", format!("/api/products/{PRODUCT}")),
        ("product list, page", "/products".to_owned()),
        ("a product, page", format!("/products/{PRODUCT}")),
    ];
    fs::create_dir_all(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let mut resources = Vec::new();
    for encoding in ["identity", "br"] {
        for (title, path) in &requested {
            resources.push(store(shop, folder, title, path, encoding)?);
        }
    }
    let routes: String = resources.iter().map(|one| format!("{}\t{}\n", one.path, one.name)).collect();
    write(&folder.join("routes"), routes.as_bytes())?;
    Ok(resources)
}

fn store(shop: &Shop, folder: &Path, title: &str, path: &str, encoding: &str) -> Result<Resource, Failure> {
    let response = http::get(&shop.url, path, &[&format!("Accept-Encoding: {encoding}")])?;
    if response.status != 200 || response.header("content-encoding").unwrap_or("identity") != encoding {
        return Err(Failure::new(format!("{path} is not encoded as {encoding}")));
    }
    let name = format!("{}.{encoding}", path.trim_matches('/').replace('/', "-"));
    let resource = Resource {
        path: format!("/{name}"),
        content_type: response.header("content-type").unwrap_or_default().to_owned(),
        encoding: encoding.to_owned(),
        title: format!("{title}, {}", if encoding == "identity" { "uncompressed" } else { "brotli" }),
        shop_path: path.to_owned(),
        name,
    };
    // The reference servers write these themselves.
    let is_stored = |name: &str| !["connection", "content-length", "date"].contains(&name);
    let headers = response.headers.iter().filter(|(name, _)| is_stored(name));
    let lines: String = headers.map(|(name, value)| format!("{name}: {value}\n")).collect();
    write(&folder.join(format!("{}.headers", resource.name)), lines.as_bytes())?;
    write(&folder.join(format!("{}.body", resource.name)), &response.body)?;
    Ok(resource)
}

fn write(file: &PathBuf, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(file, bytes).map_err(|error| Failure::new(format!("{}: {error}", file.display())))
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
    let per_second = |load: &Load| Figure::PerSecond(load.per_second);
    let latency = |name: &str, ours, bare, target| {
        let bare = ("bare route", Figure::Microseconds(bare));
        Row::with_reference(format!("{title}: {name}"), Figure::Microseconds(ours), bare, target)
    };
    let mut rows = vec![
        Row::with_reference(
            format!("{title}: throughput"),
            per_second(ours),
            ("bare route", per_second(bare)),
            Target::AtLeast(80),
        ),
        latency("latency p50", ours.p50, bare.p50, Target::Open),
        latency("latency p99", ours.p99, bare.p99, Target::AtMost(150)),
    ];
    let of_nginx = |nginx: &Load| {
        Row::with_reference(
            format!("{title}: throughput"),
            per_second(ours),
            ("nginx", per_second(nginx)),
            Target::AtLeast(40),
        )
    };
    rows.extend(others.iter().map(of_nginx));
    Ok(rows)
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
