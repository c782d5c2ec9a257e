//! What visitors read most: the product list and a product, as pages and as JSON.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::http;
use super::nginx::Nginx;
use super::program::Listening;
use super::row::{Figure, Row, Target};
use super::wrk::{Load, Wrk, median};
use super::{Bench, Measurement};
use crate::process::Failure;
use crate::shop::Shop;

pub const MEASUREMENT: Measurement = Measurement {
    name: "reads",
    title: "Reads",
    how: "wrk with 64 connections on two threads asks the shop, a bare axum route that returns the same bytes (headers \
        included), and nginx that serves them as a file; the medians of five rounds in turns. The last line is about a \
        page that is made for each request, which the shop does not do, beside one as long that is not, from the same \
        server.",
    run,
};

const PRODUCT: &str = "nudgelight-one";
const ROUNDS: usize = 5;
const SECONDS: u32 = 1;

/// An answer of the shop, kept in a file for the others to give.
pub struct Resource {
    /// On the bare server and on nginx: one encoding has one path.
    pub path: String,
    pub kind: String,
    pub encoding: String,
    /// Of the file with its headers and the one with its body.
    pub name: String,
    what: String,
    /// On the shop.
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
    let resources = keep_answers(&shop, &folder)?;
    let bare = Listening::start(Command::new(bench.bare()).arg(&folder))?;
    let nginx = Nginx::start(&folder, &resources).inspect_err(|reason| println!("nginx is left out: {reason}")).ok();
    let mut rows = Vec::new();
    for resource in &resources {
        rows.extend(compare(&wrk, resource, &shop, &bare, nginx.as_ref())?);
    }
    drop(nginx);
    // What is left behind is only disk space in the target folder.
    let _ = fs::remove_dir_all(&folder);
    Ok(rows)
}

/// What the shop answers now, in each form.
fn keep_answers(shop: &Shop, folder: &Path) -> Result<Vec<Resource>, Failure> {
    let asked = [
        ("product list, JSON", "/api/products".to_owned()),
        ("a product, JSON", format!("/api/products/{PRODUCT}")),
        ("product list, page", "/products".to_owned()),
        ("a product, page", format!("/products/{PRODUCT}")),
    ];
    fs::create_dir_all(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let mut resources = Vec::new();
    for encoding in ["identity", "br"] {
        for (what, path) in &asked {
            resources.push(keep(shop, folder, what, path, encoding)?);
        }
    }
    let routes: String = resources.iter().map(|one| format!("{}\t{}\n", one.path, one.name)).collect();
    write(&folder.join("routes"), routes.as_bytes())?;
    Ok(resources)
}

fn keep(shop: &Shop, folder: &Path, what: &str, path: &str, encoding: &str) -> Result<Resource, Failure> {
    let answer = http::get(&shop.url, path, &[&format!("Accept-Encoding: {encoding}")])?;
    if answer.status != 200 || answer.header("content-encoding").unwrap_or("identity") != encoding {
        return Err(Failure::new(format!("{path} is not answered as {encoding}")));
    }
    let name = format!("{}.{encoding}", path.trim_matches('/').replace('/', "-"));
    let resource = Resource {
        path: format!("/{name}"),
        kind: answer.header("content-type").unwrap_or_default().to_owned(),
        encoding: encoding.to_owned(),
        what: format!("{what}, {}", if encoding == "identity" { "plain" } else { "brotli" }),
        shop_path: path.to_owned(),
        name,
    };
    // Whatever serves them writes these itself.
    let is_kept = |name: &str| !["connection", "content-length", "date"].contains(&name);
    let headers = answer.headers.iter().filter(|(name, _)| is_kept(name));
    let lines: String = headers.map(|(name, value)| format!("{name}: {value}\n")).collect();
    write(&folder.join(format!("{}.headers", resource.name)), lines.as_bytes())?;
    write(&folder.join(format!("{}.body", resource.name)), &answer.body)?;
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
    let medians = in_turns(wrk, &urls, &resource.accept())?;
    let [ours, bare, others @ ..] = medians.as_slice() else { return Ok(Vec::new()) };
    let what = &resource.what;
    let per_second = |load: &Load| Figure::PerSecond(load.per_second);
    let wait = |name: &str, ours, bare, target| {
        let bare = ("bare route", Figure::Microseconds(bare));
        Row::beside(format!("{what}: {name}"), Figure::Microseconds(ours), bare, target)
    };
    let mut rows = vec![
        Row::beside(what, per_second(ours), ("bare route", per_second(bare)), Target::AtLeast(80)),
        wait("p50", ours.p50, bare.p50, Target::Open),
        wait("p99", ours.p99, bare.p99, Target::AtMost(150)),
    ];
    let of_nginx =
        |nginx: &Load| Row::beside(what, per_second(ours), ("nginx", per_second(nginx)), Target::AtLeast(40));
    rows.extend(others.iter().map(of_nginx));
    Ok(rows)
}

/// The medians of each address, loaded in turns.
fn in_turns(wrk: &Wrk, urls: &[String], header: &str) -> Result<Vec<Load>, Failure> {
    let mut rounds: Vec<Vec<Load>> = urls.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for (url, loads) in urls.iter().zip(&mut rounds) {
            loads.push(wrk.load(url, &[header], SECONDS)?);
        }
    }
    Ok(rounds.iter().map(|loads| median(loads)).collect())
}
