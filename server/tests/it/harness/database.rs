//! Database of one test shop. Only this file distinguishes the database types.
//!
//! SQLite in the shop's folder by default. With `TEST_DATABASE_URL=postgres://…/any`, a new database on that server.

use std::fs;
use std::path::Path;

use super::skip::skip;
use super::template;

pub struct Database {
    url: String,
    /// URL of the PostgreSQL server and name of the database, to drop it afterwards.
    made_on: Option<(String, String)>,
}

impl Database {
    /// An empty database.
    pub async fn new(folder: &Path) -> Self {
        match server_url() {
            Some(server) => Self::on(server).await,
            None => Self::sqlite(folder, "shop.db"),
        }
    }

    /// A database with this program's schema, and without rows.
    pub async fn migrated(folder: &Path) -> Self {
        match server_url() {
            Some(server) => Self::copied_on(server).await,
            None => Self::migrated_sqlite(folder).await,
        }
    }

    /// [`Self::migrated`] on SQLite.
    pub async fn migrated_sqlite(folder: &Path) -> Self {
        let file = "shop.db";
        fs::write(folder.join(file), template::sqlite_file().await).unwrap();
        Self::sqlite(folder, file)
    }

    /// [`Self::migrated`] on PostgreSQL. None without a server, and then the test is skipped.
    pub async fn migrated_postgres() -> Option<Self> {
        Some(Self::copied_on(server_or_skip()?).await)
    }

    /// An empty database on PostgreSQL. None without a server, and then the test is skipped.
    pub async fn postgres() -> Option<Self> {
        Some(Self::on(server_or_skip()?).await)
    }

    async fn on(server: String) -> Self {
        Self::create(server, "template1").await
    }

    async fn copied_on(server: String) -> Self {
        let template = template::postgres_database(&server).await;
        Self::create(server, template).await
    }

    async fn create(server: String, template: &str) -> Self {
        let name = format!("shop_{}", server::infra::random::new_id().replace('-', ""));
        template::run(&server, format!("CREATE DATABASE {name} TEMPLATE {template}")).await.unwrap();
        let (base, _) = server.rsplit_once('/').unwrap();
        Self { url: format!("{base}/{name}"), made_on: Some((server, name)) }
    }

    /// An SQLite database, independent of `TEST_DATABASE_URL`.
    pub fn sqlite(folder: &Path, file: &str) -> Self {
        Self { url: format!("sqlite:{}", folder.join(file).display()), made_on: None }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub async fn remove(&self) {
        if let Some((server, name)) = &self.made_on {
            template::run(server, format!("DROP DATABASE {name} WITH (FORCE)")).await.unwrap();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test setting, not shop configuration")]
fn server_url() -> Option<String> {
    std::env::var("TEST_DATABASE_URL").ok()
}

fn server_or_skip() -> Option<String> {
    let server = server_url();
    if server.is_none() {
        skip("needs PostgreSQL");
    }
    server
}
