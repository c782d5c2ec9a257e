//! Database of one test shop. Only this file distinguishes the database types.
//!
//! SQLite in the shop's folder by default. With `TEST_DATABASE_URL=postgres://…/any`, a new database on that server.

use std::path::Path;

use sqlx::{AnyConnection, Connection as _, Executor as _};

use super::skip::skip;

pub struct Database {
    url: String,
    /// URL of the PostgreSQL server and name of the database, to drop it afterwards.
    made_on: Option<(String, String)>,
}

impl Database {
    pub async fn new(folder: &Path) -> Self {
        match server_url() {
            Some(server) => Self::on(server).await,
            None => Self::sqlite(folder, "shop.db"),
        }
    }

    /// A database on PostgreSQL. None without a server, and then the test is skipped.
    pub async fn postgres() -> Option<Self> {
        let Some(server) = server_url() else {
            skip("needs PostgreSQL");
            return None;
        };
        Some(Self::on(server).await)
    }

    async fn on(server: String) -> Self {
        let name = format!("shop_{}", server::infra::random::new_id().replace('-', ""));
        run(&server, format!("CREATE DATABASE {name}")).await;
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
            run(server, format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test setting, not shop configuration")]
fn server_url() -> Option<String> {
    std::env::var("TEST_DATABASE_URL").ok()
}

async fn run(server: &str, statement: String) {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(server).await.unwrap();
    connection.execute(sqlx::AssertSqlSafe(statement)).await.unwrap();
    connection.close().await.unwrap();
}
