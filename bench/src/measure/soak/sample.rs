//! What a process has and takes at one time.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::load::Load;
use crate::databases::{Database, Served};
use xtask::process::Failure;

pub struct Sample {
    pub second: u64,
    /// Resident set size in kB.
    pub memory: u64,
    pub files: u64,
    pub threads: u64,
    /// Median in microseconds since the sample before.
    pub purchase: u64,
    pub page: u64,
    /// In bytes.
    pub log: u64,
    pub database: u64,
    /// Since the start.
    pub orders: u64,
}

impl fmt::Display for Sample {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { memory, files, threads, purchase, page, log, database, orders, .. } = self;
        write!(
            out,
            "{orders} orders, {memory} kB of memory, {files} files, {threads} threads, a purchase {purchase} µs, \
             a page {page} µs, log {log} bytes, database {database} bytes"
        )
    }
}

pub struct Sampler<'a> {
    process: PathBuf,
    data: PathBuf,
    database: &'a Database,
}

impl<'a> Sampler<'a> {
    pub fn new(served: &Served, database: &'a Database) -> Self {
        let process = PathBuf::from(format!("/proc/{}", served.shop.server.id()));
        Self { process, data: served.shop.data.clone(), database }
    }

    pub fn take(&self, at: Duration, load: &Load) -> Result<Sample, Failure> {
        let status = fs::read_to_string(self.process.join("status"))
            .map_err(|error| Failure::new(format!("the server has ended: {error}")))?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
        };
        let files = fs::read_dir(self.process.join("fd")).map_or(0, Iterator::count);
        let (purchase, page) = load.medians();
        Ok(Sample {
            second: at.as_secs(),
            memory: number("VmRSS:"),
            threads: number("Threads:"),
            files: u64::try_from(files).unwrap_or(u64::MAX),
            purchase,
            page,
            log: fs::metadata(self.data.join(xtask::shop::LOG)).map_or(0, |file| file.len()),
            database: self.database.size(&self.data)?,
            orders: load.orders(),
        })
    }
}
