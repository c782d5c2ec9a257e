//! Startup time, memory and binary size.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::row::{Figure, Row, Target};
use crate::wrk::Wrk;
use crate::{Bench, Measurement};
use bench::http;
use xtask::process::{Failure, cannot_start};
use xtask::workspace::free_port;

pub const MEASUREMENT: Measurement = Measurement {
    name: "footprint",
    title: "Start, memory and size",
    how: "Startup is the time until `/readyz` first succeeds, on an empty data folder and on an existing database; \
        median of five starts. Memory is the resident set size (RSS) after ten idle seconds, and its peak while \
        64 connections read pages and JSON.",
    run,
};

const STARTS: usize = 5;
const IDLE: Duration = Duration::from_secs(10);
const TIMEOUT: Duration = Duration::from_secs(30);
const SECONDS: u32 = 3;

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let folder = bench.workspace.target.join("xtask").join(format!("bench-footprint-{}", std::process::id()));
    let mut rows = startup(bench, &folder)?;
    rows.extend(memory(bench, &folder)?);
    rows.push(binary_size(bench)?);
    let _ = fs::remove_dir_all(&folder);
    Ok(rows)
}

fn startup(bench: &Bench, folder: &Path) -> Result<Vec<Row>, Failure> {
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
        first.push(Server::start(bench, folder)?.ready_after);
        again.push(Server::start(bench, folder)?.ready_after);
    }
    Ok(vec![
        at_most("startup, empty data folder", median(first), Figure::Microseconds(1_000_000)),
        at_most("startup, existing database", median(again), Figure::Microseconds(300_000)),
    ])
}

fn memory(bench: &Bench, folder: &Path) -> Result<Vec<Row>, Failure> {
    let server = Server::start(bench, folder)?;
    thread::sleep(IDLE);
    let idle = server.memory("VmRSS:")?;
    let wrk = Wrk::find(bench.workspace)?;
    for path in ["/", "/products", "/products/nudgelight-one", "/api/products", "/sitemap.xml", "/nothing"] {
        for encoding in ["identity", "br"] {
            load(&wrk, &server, path, encoding)?;
        }
    }
    let peak = server.memory("VmHWM:")?;
    Ok(vec![
        at_most("memory (RSS), idle", Figure::Kilobytes(idle), Figure::Kilobytes(40_000)),
        at_most("memory (RSS), peak under load", Figure::Kilobytes(peak), Figure::Kilobytes(120_000)),
    ])
}

fn binary_size(bench: &Bench) -> Result<Row, Failure> {
    let size = fs::metadata(bench.server()).map_err(|error| Failure::new(format!("nudgelight: {error}")))?.len();
    Ok(at_most("binary size", Figure::Kilobytes(size / 1_000), Figure::Kilobytes(40_000)))
}

fn at_most(metric: &str, ours: Figure, limit: Figure) -> Row {
    Row::without_reference(metric, ours, Target::NoMoreThan(limit))
}

/// Error responses are part of the load: one of the paths is unknown.
fn load(wrk: &Wrk, server: &Server, path: &str, encoding: &str) -> Result<(), Failure> {
    let accept = format!("Accept-Encoding: {encoding}");
    wrk.load_ignoring_errors(&format!("{}{path}", server.url), &[&accept], SECONDS)
}

fn median(mut times: Vec<u64>) -> Figure {
    times.sort_unstable();
    Figure::Microseconds(times.get(times.len() / 2).copied().unwrap_or_default())
}

struct Server {
    child: Child,
    url: String,
    ready_after: u64,
}

impl Server {
    fn start(bench: &Bench, folder: &Path) -> Result<Self, Failure> {
        let port = free_port()?;
        let began = Instant::now();
        let child = Command::new(bench.server())
            .current_dir(folder)
            .env("SHOP_ADDR", format!("127.0.0.1:{port}"))
            .env("SHOP_DATA_DIR", folder)
            .env("SHOP_DEMO", "1")
            .env("SHOP_RATE_LIMITS", "off")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| cannot_start("nudgelight", &error))?;
        let mut server = Self { child, url: format!("http://127.0.0.1:{port}"), ready_after: 0 };
        server.wait_until_ready(port, began)?;
        server.ready_after = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok(server)
    }

    fn wait_until_ready(&self, port: u16, began: Instant) -> Result<(), Failure> {
        while began.elapsed() < TIMEOUT {
            let is_open = TcpStream::connect(("127.0.0.1", port)).is_ok();
            if is_open && http::get(&self.url, "/readyz", &[])?.status == 200 {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(1));
        }
        Err(Failure::new(format!("the server was not ready within {TIMEOUT:?}")))
    }

    /// A memory figure of `/proc/PID/status` in kilobytes.
    fn memory(&self, name: &str) -> Result<u64, Failure> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let kibibytes: Option<u64> = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kibibytes.map(|kib| kib * 1_024 / 1_000).ok_or_else(|| Failure::new(format!("no {name} in /proc")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
