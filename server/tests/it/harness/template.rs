//! A database with this program's schema, from which those of the tests are copied: migrating takes longer than most
//! tests.

use std::fs;
use std::path::{Path, PathBuf};

use server::db::Db;
use server::infra::random;
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, Connection as _, Executor as _};
use tokio::sync::OnceCell;

use super::folder::Folder;

/// The file of an SQLite database.
pub async fn sqlite_file() -> &'static [u8] {
    static FILE: OnceCell<Vec<u8>> = OnceCell::const_new();
    FILE.get_or_init(|| async {
        let folder = Folder::new();
        let path = folder.path().join("template.db");
        migrate(&format!("sqlite:{}", path.display())).await;
        fs::read(path).unwrap()
    })
    .await
}

/// The name of a database on this PostgreSQL server, whose URL names another one. Each schema has its own, which stays
/// for later runs.
pub async fn postgres_database(server: &str) -> &'static str {
    static NAME: OnceCell<String> = OnceCell::const_new();
    NAME.get_or_init(|| async {
        let name = format!("shop_template_{}", schema());
        if !exists(server, &name).await {
            create(server, &name).await;
        }
        name
    })
    .await
}

/// Another run may create it at the same time. Then the first to finish wins.
async fn create(server: &str, name: &str) {
    let new = format!("shop_{}", random::new_id().replace('-', ""));
    run(server, format!("CREATE DATABASE {new}")).await.unwrap();
    let (base, _) = server.rsplit_once('/').unwrap();
    migrate(&format!("{base}/{new}")).await;
    if run(server, format!("ALTER DATABASE {new} RENAME TO {name}")).await.is_err() {
        run(server, format!("DROP DATABASE {new} WITH (FORCE)")).await.unwrap();
        assert!(exists(server, name).await, "{name} cannot be created");
    }
}

async fn exists(server: &str, name: &str) -> bool {
    let mut connection = connect(server).await.unwrap();
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM pg_database WHERE datname = $1")
        .bind(name)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    found > 0
}

async fn migrate(url: &str) {
    let db = Db::open(url).await.unwrap();
    db.migrate().await.unwrap();
    db.close().await;
}

/// Runs a statement on a connection of its own.
pub async fn run(server: &str, statement: String) -> Result<(), sqlx::Error> {
    let mut connection = connect(server).await?;
    connection.execute(sqlx::AssertSqlSafe(statement)).await?;
    connection.close().await
}

async fn connect(server: &str) -> Result<AnyConnection, sqlx::Error> {
    sqlx::any::install_default_drivers();
    AnyConnection::connect(server).await
}

/// Start of the hash of all migrations.
fn schema() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "sql")).collect();
    files.sort();
    let mut hash = Sha256::new();
    files.iter().for_each(|file| hash.update(fs::read(file).unwrap()));
    hex::encode(&hash.finalize()[..8])
}
