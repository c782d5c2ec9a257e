//! A new SQLite and a new PostgreSQL database, each with a shop.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Bench;
use bench::purchase::logged_in;
use xtask::postgres::{self, Cluster};
use xtask::process::{Failure, must_succeed};
use xtask::shop::{PASSWORD, Shop};

/// SQLite's file in the data folder.
const FILE: &str = "shop.db";

pub struct Database {
    pub name: &'static str,
    cluster: Option<Cluster>,
}

impl Database {
    /// SQLite, and PostgreSQL if it is installed.
    pub fn all() -> Result<Vec<Self>, Failure> {
        let mut all = vec![Self { name: "SQLite", cluster: None }];
        match postgres::PROGRAMS.missing() {
            Some(reason) => println!("PostgreSQL is skipped: {reason}"),
            None => {
                all.push(Self { name: "PostgreSQL", cluster: Some(Cluster::start(postgres::Purpose::Benchmarks)?) })
            }
        }
        Ok(all)
    }

    /// Runs `nudgelight seed` with these arguments, then starts a shop without rate limits and bot check.
    pub fn shop(&self, bench: &Bench, name: &str, seed: &[&str]) -> Result<Served, Failure> {
        self.seeded(bench, name, seed, &[("RUST_LOG", "error")])
    }

    /// [`Self::shop`], with these settings and the log that a shop has.
    pub fn seeded(
        &self,
        bench: &Bench,
        name: &str,
        seed: &[&str],
        settings: &[(&str, &str)],
    ) -> Result<Served, Failure> {
        let data = bench.workspace.target.join("xtask").join(format!("{}-{}", self.suite(name), std::process::id()));
        fs::create_dir_all(&data).map_err(|error| Failure::new(format!("{}: {error}", data.display())))?;
        let url = self.cluster.as_ref().map(Cluster::url);
        let mut command = Command::new(bench.server());
        command.arg("seed").args(seed).current_dir(&data).env("SHOP_DATA_DIR", &data).env("SHOP_DEMO", "1");
        command.envs(url.as_deref().map(|url| ("DATABASE_URL", url)));
        must_succeed(command.env("SHOP_DEMO_PASSWORD", PASSWORD).envs(settings.iter().copied()))?;
        let shop = self.start(bench, name, settings)?;
        let database_url = url.unwrap_or_else(|| format!("sqlite:{}", data.join(FILE).display()));
        let postmaster = self.cluster.as_ref().and_then(Cluster::process);
        Ok(Served { closed: Closed { data: shop.data.clone(), database_url }, shop, postmaster })
    }

    /// Starts a shop with the data of an earlier one of that name.
    pub fn start(&self, bench: &Bench, name: &str, settings: &[(&str, &str)]) -> Result<Shop, Failure> {
        let url = self.cluster.as_ref().map(Cluster::url);
        let mut all = vec![("SHOP_RATE_LIMITS", "off"), ("SHOP_BOT_CHECK", "off")];
        all.extend(url.as_deref().map(|url| ("DATABASE_URL", url)));
        all.extend(settings);
        Shop::open(&bench.server(), bench.workspace, &self.suite(name), &all)
    }

    fn suite(&self, name: &str) -> String {
        format!("bench-{name}-{}", self.name.to_lowercase())
    }

    /// In bytes, with the write-ahead log of SQLite.
    pub fn size(&self, data: &Path) -> Result<u64, Failure> {
        let Some(cluster) = &self.cluster else {
            let files = [FILE.to_owned(), format!("{FILE}-wal")];
            return Ok(files.iter().filter_map(|file| Some(fs::metadata(data.join(file)).ok()?.len())).sum());
        };
        let size = cluster.sql("postgres", "SELECT pg_database_size(current_database())")?;
        size.trim().parse().map_err(|error| Failure::new(format!("the database's size {size}: {error}")))
    }
}

/// Runs `nudgelight audit`. An error if it finds something.
pub fn audit(program: &Path, data: &Path, database_url: &str) -> Result<(), Failure> {
    let mut audit = Command::new(program);
    audit.arg("audit").current_dir(data).env("SHOP_DATA_DIR", data).env("SHOP_DEMO", "1");
    must_succeed(audit.env("DATABASE_URL", database_url)).map(|_| ())
}

/// A running shop. Its data is removed on drop.
pub struct Served {
    /// Declared before its data, so that it is dropped first.
    pub shop: Shop,
    /// PostgreSQL's main process.
    pub postmaster: Option<u32>,
    closed: Closed,
}

/// The data of a stopped shop. Removed on drop.
pub struct Closed {
    pub data: PathBuf,
    pub database_url: String,
}

impl Served {
    pub fn close(self) -> Closed {
        self.closed
    }

    /// The `Authorization` header of a demo account.
    pub fn logged_in(&self, email: &str) -> Result<String, Failure> {
        logged_in(&self.shop.url, email)
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        // Leftovers only take disk space in the target folder.
        let _ = fs::remove_dir_all(&self.data);
    }
}
