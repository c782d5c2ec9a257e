//! A new SQLite and a new PostgreSQL database, each with a shop.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::{Bench, http};
use xtask::postgres::{self, Cluster};
use xtask::process::{Failure, must_succeed};
use xtask::shop::{PASSWORD, Shop};

const JSON: &str = "Content-Type: application/json";

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
            None => all.push(Self { name: "PostgreSQL", cluster: Some(Cluster::start(postgres::DURABLE)?) }),
        }
        Ok(all)
    }

    /// Runs `nudgelight seed` with these arguments, then starts a shop without rate limits and bot check.
    pub fn shop(&self, bench: &Bench, name: &str, seed: &[&str]) -> Result<Served, Failure> {
        let suite = format!("bench-{name}-{}", self.name.to_lowercase());
        let url = self.cluster.as_ref().map(Cluster::url);
        let mut settings = vec![("SHOP_RATE_LIMITS", "off"), ("SHOP_BOT_CHECK", "off"), ("RUST_LOG", "error")];
        settings.extend(url.as_deref().map(|url| ("DATABASE_URL", url)));
        let data = bench.workspace.target.join("xtask").join(format!("{suite}-{}", std::process::id()));
        fs::create_dir_all(&data).map_err(|error| Failure::new(format!("{}: {error}", data.display())))?;
        let mut command = Command::new(bench.server());
        command.arg("seed").args(seed).current_dir(&data).env("SHOP_DATA_DIR", &data).env("SHOP_DEMO", "1");
        must_succeed(command.env("SHOP_DEMO_PASSWORD", PASSWORD).envs(settings.iter().copied()))?;
        let shop = Shop::open(&bench.server(), bench.workspace, &suite, &settings)?;
        let database_url = url.unwrap_or_else(|| format!("sqlite:{}", data.join("shop.db").display()));
        let postmaster = self.cluster.as_ref().and_then(Cluster::process);
        Ok(Served { closed: Closed { data: shop.data.clone(), database_url }, shop, postmaster })
    }
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
    data: PathBuf,
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

/// The `Authorization` header of an account with the demo accounts' password.
pub fn logged_in(url: &str, email: &str) -> Result<String, Failure> {
    let body = format!(r#"{{"username":"{email}","password":"{PASSWORD}","recaptchaToken":""}}"#);
    let response = http::post(url, "/api/auth/login", &[JSON], &body)?;
    let token = response.text("accessToken").ok_or_else(|| Failure::new(format!("{email} cannot log in")))?;
    Ok(format!("Authorization: Bearer {token}"))
}

impl Drop for Closed {
    fn drop(&mut self) {
        // Leftovers only take disk space in the target folder.
        let _ = fs::remove_dir_all(&self.data);
    }
}
