//! How soon it is ready, and how little it takes.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::http;
use super::row::{Figure, Row, Target};
use super::wrk::Wrk;
use super::{Bench, Measurement};
use crate::process::{Failure, cannot_start};
use crate::workspace::free_port;

pub const MEASUREMENT: Measurement = Measurement {
    name: "small",
    title: "Start, memory and size",
    how: "From starting the program to the first good answer of `/readyz`, on an empty folder and on the shop it left \
        there, the medians of five starts; the resident memory after ten quiet seconds, and its peak while 64 \
        connections read pages and JSON.",
    run,
};

const STARTS: usize = 5;
const QUIET: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(30);
const SECONDS: u32 = 3;

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let folder = bench.workspace.target.join("xtask").join(format!("bench-small-{}", std::process::id()));
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
        first.push(Server::start(bench, &folder)?.ready_after);
        again.push(Server::start(bench, &folder)?.ready_after);
    }
    let server = Server::start(bench, &folder)?;
    thread::sleep(QUIET);
    let idle = server.memory("VmRSS:")?;
    let wrk = Wrk::find(bench.workspace)?;
    for path in ["/", "/products", "/products/nudgelight-one", "/api/products", "/sitemap.xml", "/nothing"] {
        for encoding in ["identity", "br"] {
            load(&wrk, &server, path, encoding)?;
        }
    }
    let peak = server.memory("VmHWM:")?;
    let size = fs::metadata(bench.server()).map_err(|error| Failure::new(format!("nudgelight: {error}")))?.len();
    drop(server);
    let _ = fs::remove_dir_all(&folder);
    Ok(vec![
        Row::alone("ready at the very first start", middle(first), Target::NoMoreThan(Figure::Microseconds(1_000_000))),
        Row::alone("ready on an existing database", middle(again), Target::NoMoreThan(Figure::Microseconds(300_000))),
        Row::alone("memory, idle", Figure::Kilobytes(idle), Target::NoMoreThan(Figure::Kilobytes(40_000))),
        Row::alone("memory under load, peak", Figure::Kilobytes(peak), Target::NoMoreThan(Figure::Kilobytes(120_000))),
        Row::alone(
            "the one file, with everything in it",
            Figure::Kilobytes(size / 1_000),
            Target::NoMoreThan(Figure::Kilobytes(30_000)),
        ),
    ])
}

/// Errors are part of it: an unknown page is answered too.
fn load(wrk: &Wrk, server: &Server, path: &str, encoding: &str) -> Result<(), Failure> {
    let accept = format!("Accept-Encoding: {encoding}");
    wrk.keep_busy(&format!("{}{path}", server.url), &[&accept], SECONDS)
}

fn middle(mut times: Vec<u64>) -> Figure {
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
        while began.elapsed() < PATIENCE {
            let is_open = TcpStream::connect(("127.0.0.1", port)).is_ok();
            if is_open && http::get(&self.url, "/readyz", &[])?.status == 200 {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(1));
        }
        Err(Failure::new(format!("the server was not ready within {PATIENCE:?}")))
    }

    /// In kilobytes, by the kernel's name for it.
    fn memory(&self, name: &str) -> Result<u64, Failure> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let kibibytes: Option<u64> = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kibibytes.map(|kib| kib * 1_024 / 1_000).ok_or_else(|| Failure::new(format!("the kernel tells no {name}")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
