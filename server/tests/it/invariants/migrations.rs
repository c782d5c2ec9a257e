//! Schema migrations: upgrades with data, downgrades, and a kill during a migration.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rand::RngExt as _;
use server::db::schema_version;
use server::operations::backup::tables::{Kind, MOCK_STRIPE, SEEDED, TABLES, Table};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _, SqlSafeStr as _};

use super::run::Runs;
use crate::configuration::{Process, binary, complaint};
use crate::harness::{Database, Folder, PASSWORD, TestShop};

/// The migrations up to this version, adapted to the database type.
fn migrations(url: &str, newest: i64) -> Vec<Migration> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "sql"));
    files.sort();
    let read = files.into_iter().map(|path| {
        let (number, name) = path.file_stem().unwrap().to_str().unwrap().split_once('_').unwrap();
        let mut sql = std::fs::read_to_string(&path).unwrap();
        if url.starts_with("postgres") {
            sql = sql
                .replace("COLLATE BINARY", "COLLATE \"C\"")
                .replace(" BLOB ", " BYTEA ")
                .replace(" WITHOUT ROWID", "")
                .replace("-- PostgreSQL only: ", "");
        }
        let sql = AssertSqlSafe(sql).into_sql_str();
        Migration::new(number.parse().unwrap(), Cow::Owned(name.to_owned()), MigrationType::Simple, sql, false)
    });
    read.filter(|migration| migration.version <= newest).collect()
}

fn versions(url: &str) -> Vec<i64> {
    migrations(url, i64::MAX).iter().map(|migration| migration.version).collect()
}

async fn connected(url: &str) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let url = if url.starts_with("sqlite:") { format!("{url}?mode=rwc") } else { url.to_owned() };
    AnyConnection::connect(&url).await.unwrap()
}

/// Creates the schema of an earlier version.
async fn migrate_to(connection: &mut AnyConnection, url: &str, version: i64) {
    Migrator::with_migrations(migrations(url, version)).run(connection).await.unwrap();
}

/// Copies all data, except tables and columns that the older schema does not have.
async fn copy_tables(from: &TestShop, to: &mut AnyConnection) {
    for table in SEEDED {
        let all = AssertSqlSafe(format!("DELETE FROM {table}"));
        sqlx::query(all).execute(&mut *to).await.unwrap();
    }
    for table in TABLES.iter().chain(MOCK_STRIPE) {
        let mut columns = Vec::new();
        for (column, kind) in table.columns() {
            let there = AssertSqlSafe(format!("SELECT {column} FROM {} WHERE 1 = 0", table.name));
            if sqlx::query(there).fetch_all(&mut *to).await.is_ok() {
                columns.push((column, kind));
            }
        }
        if !columns.is_empty() {
            copy_table(from, to, table, &columns).await;
        }
    }
}

async fn copy_table(from: &TestShop, to: &mut AnyConnection, table: &Table, columns: &[(&'static str, Kind)]) {
    let names = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let places = (1..=columns.len()).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ");
    let select = AssertSqlSafe(format!("SELECT {names} FROM {} ORDER BY {}", table.name, table.key.join(", ")));
    for row in sqlx::query(select).fetch_all(from.inside().platform.db.read()).await.unwrap() {
        let insert = AssertSqlSafe(format!("INSERT INTO {} ({names}) VALUES ({places})", table.name));
        let mut query = sqlx::query(insert);
        for (column, kind) in columns {
            query = match kind {
                Kind::Text => query.bind(row.get::<Option<String>, _>(*column)),
                Kind::Integer => query.bind(row.get::<Option<i64>, _>(*column)),
                Kind::Blob => query.bind(row.get::<Option<Vec<u8>>, _>(*column)),
            };
        }
        query.execute(&mut *to).await.unwrap();
    }
}

// invariant: schema-migrations
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_of_the_version_before_goes_on_with_all_it_had() {
    let (shop, folder) = (TestShop::open().await, Folder::new());
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    for _ in 0..3 {
        buyer.buys(&stripe, &light, 2).await;
    }
    let database = Database::new(&folder.path().join("before")).await;
    std::fs::create_dir_all(folder.path().join("before")).unwrap();
    // With a single migration, the current version.
    let before = versions(database.url()).into_iter().rev().nth(1).unwrap_or_else(schema_version);
    let mut connection = connected(database.url()).await;
    migrate_to(&mut connection, database.url(), before).await;
    mock_stripe::migrator().run(&mut connection).await.unwrap();
    copy_tables(&shop, &mut connection).await;
    connection.close().await.unwrap();

    let key = shop.folder().join("signing-key.pem").display().to_string();
    let later = TestShop::open_with(&[("DATABASE_URL", database.url()), ("SHOP_SIGNING_KEY", &key)]).await;
    assert_eq!(later.count("SELECT MAX(version) FROM _sqlx_migrations").await, schema_version());
    assert_eq!(later.count_orders().await, 3);
    // Rows were copied; a sequence is not a row.
    later.continues_order_numbers().await;
    later.audit().await;
    let (buyer, stripe) = (later.customer().await, later.stripe().await);
    buyer.buys(&stripe, &later.light("Nudgelight One").await, 1).await;
    later.audit().await;
    drop(later);
    database.remove().await;
}

// invariant: schema-migrations
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_is_older_than_its_database_says_so_in_a_sentence_and_touches_nothing() {
    let (folder, mut shop) = (Folder::new(), TestShop::open().await);
    shop.tamper(
        "UPDATE _sqlx_migrations SET version = 9000 WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)",
    )
    .await;
    shop.tamper("UPDATE shop_metadata SET value = '9000' WHERE name = 'min_reader'").await;
    shop.close().await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let said = complaint(binary(folder.path(), &vars));
    assert!(said.contains("DATABASE_URL") && said.contains("newer than this program's"), "{said}");
    let mut connection = connected(vars.iter().find(|(name, _)| *name == "DATABASE_URL").unwrap().1).await;
    let newest: i64 =
        sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations").fetch_one(&mut connection).await.unwrap();
    assert_eq!(newest, 9000);
    connection.close().await.unwrap();
}

/// What older programs rely on.
#[derive(Debug)]
struct Shape {
    /// By table and name: the type, and whether an INSERT must have a value.
    columns: BTreeMap<(String, String), (String, bool)>,
    /// Unique indexes by table.
    unique: BTreeSet<(String, String)>,
    min_reader: i64,
}

impl Shape {
    async fn of(connection: &mut AnyConnection) -> Self {
        let columns = "SELECT m.name, c.name, c.type, c.\"notnull\" = 1 AND c.dflt_value IS NULL \
                       FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'";
        let columns: Vec<(String, String, String, i64)> =
            sqlx::query_as(columns).fetch_all(&mut *connection).await.unwrap();
        let unique = "SELECT m.name, i.name FROM sqlite_master m JOIN pragma_index_list(m.name) i \
                      WHERE m.type = 'table' AND i.\"unique\" = 1";
        let unique: Vec<(String, String)> = sqlx::query_as(unique).fetch_all(&mut *connection).await.unwrap();
        let min_reader = "SELECT value FROM shop_metadata WHERE name = 'min_reader'";
        let min_reader: String = sqlx::query_scalar(min_reader).fetch_one(connection).await.unwrap();
        Self {
            columns: columns
                .into_iter()
                .map(|(table, name, kind, required)| ((table, name), (kind, required == 1)))
                .collect(),
            unique: unique.into_iter().collect(),
            min_reader: min_reader.parse().unwrap(),
        }
    }

    fn has_table(&self, table: &str) -> bool {
        self.columns.keys().any(|(name, _)| name == table)
    }

    /// The changes from this one that break programs for it.
    fn breaking_changes(&self, later: &Self) -> Vec<String> {
        let changed = self.columns.iter().filter_map(|(column @ (table, name), (kind, required))| {
            let (later_kind, later_required) = later.columns.get(column)?;
            let breaks = kind != later_kind || (*later_required && !required);
            breaks.then(|| format!("{table}.{name} changed"))
        });
        let gone = self.columns.keys().filter(|column| !later.columns.contains_key(*column));
        let gone = gone.map(|(table, name)| format!("{table}.{name} is gone"));
        let required = later.columns.iter().filter_map(|(column @ (table, name), (_, required))| {
            let breaks = *required && self.has_table(table) && !self.columns.contains_key(column);
            breaks.then(|| format!("{table}.{name} is required"))
        });
        // A program may conflict with a new one, and needs an old one for `ON CONFLICT`.
        let unique = later.unique.symmetric_difference(&self.unique).filter(|(table, _)| self.has_table(table));
        let unique = unique.map(|(table, _)| format!("{table} has other unique indexes"));
        changed.chain(gone).chain(required).chain(unique).collect()
    }
}

// invariant: schema-migrations
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_expands_the_schema_or_says_which_programs_it_breaks() {
    let folder = Folder::new();
    let database = Database::sqlite(folder.path(), "shop.db");
    let mut connection = connected(database.url()).await;
    let mut earlier: Vec<(i64, Shape)> = Vec::new();
    for version in versions(database.url()) {
        migrate_to(&mut connection, database.url(), version).await;
        let later = Shape::of(&mut connection).await;
        for (reader, shape) in earlier.iter().filter(|(reader, _)| *reader >= later.min_reader) {
            let breaking = shape.breaking_changes(&later);
            assert!(breaking.is_empty(), "migration {version} breaks programs of schema {reader}: {breaking:?}");
        }
        earlier.push((version, later));
    }
    let harmless = [
        "CREATE TABLE gifts (id TEXT NOT NULL PRIMARY KEY, message TEXT NOT NULL)",
        "ALTER TABLE products ADD COLUMN gift TEXT",
        "ALTER TABLE products ADD COLUMN gifts BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX products_by_gift ON products (gift)",
    ];
    let breaking = [
        "ALTER TABLE products RENAME COLUMN gift TO gift_message",
        "ALTER TABLE products DROP COLUMN gift_message",
        "CREATE UNIQUE INDEX products_by_gifts ON products (gifts)",
        "DROP INDEX products_by_gifts",
        "ALTER TABLE gifts RENAME TO presents",
        "DROP TABLE presents",
    ];
    let changes = harmless.map(|sql| (sql, false)).into_iter().chain(breaking.map(|sql| (sql, true)));
    for (sql, is_breaking) in changes {
        let before = Shape::of(&mut connection).await;
        if sql.contains("DROP COLUMN") {
            sqlx::query("DROP INDEX products_by_gift").execute(&mut connection).await.unwrap();
        }
        sqlx::query(sql).execute(&mut connection).await.unwrap();
        let found = before.breaking_changes(&Shape::of(&mut connection).await);
        assert_eq!(!found.is_empty(), is_breaking, "{sql}: {found:?}");
    }
    connection.close().await.unwrap();
}

// invariant: schema-migrations
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_killed_while_it_brings_the_schema_up_to_date_is_taken_over_from_by_the_next() {
    let mut runs = Runs::of("kill -9 during a migration", 4);
    let (mut empty, mut halfway, mut done) = (0, 0, 0);
    while let Some(mut rng) = runs.next() {
        let folder = Folder::new();
        let database = Database::new(folder.path()).await;
        let all = versions(database.url());
        if rng.random_bool(0.5) {
            let earlier = all[rng.random_range(0..all.len())];
            migrate_to(&mut connected(database.url()).await, database.url(), earlier).await;
        }
        let vars = [
            ("SHOP_ADDR", "127.0.0.1:0"),
            ("DATABASE_URL", database.url()),
            ("SHOP_DEMO", "1"),
            ("SHOP_DEMO_PASSWORD", PASSWORD),
            ("SHOP_BOT_CHECK", "off"),
            ("SHOP_RATE_LIMITS", "off"),
        ];
        let mut command = binary(folder.path(), &vars);
        let process =
            Process(command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap());
        let longest = if database.url().starts_with("postgres") { 800 } else { 150 };
        tokio::time::sleep(Duration::from_millis(rng.random_range(0..longest))).await;
        drop(process);

        let applied = applied(database.url()).await;
        match applied {
            0 => empty += 1,
            some if some < all.len() => halfway += 1,
            _ => done += 1,
        }
        let data = folder.path().join("data").display().to_string();
        let shop = TestShop::open_with(&[("DATABASE_URL", database.url()), ("SHOP_DATA_DIR", &data)]).await;
        let versions = "SELECT COUNT(DISTINCT version) FROM _sqlx_migrations WHERE success";
        assert_eq!(
            usize::try_from(shop.count(versions).await),
            Ok(all.len()),
            "{applied} migrations were applied at the kill"
        );
        assert_eq!(shop.count("SELECT COUNT(*) FROM users").await, 2);
        assert_eq!(shop.count("SELECT COUNT(*) FROM products").await, 4);
        shop.customer().await.buys(&shop.stripe().await, &shop.light("Nudgelight One").await, 1).await;
        shop.audit().await;
        drop(shop);
        database.remove().await;
    }
    println!("killed before the first migration: {empty}, between migrations: {halfway}, after the last: {done}");
}

/// The number of applied migrations.
async fn applied(url: &str) -> usize {
    let mut connection = connected(url).await;
    let found = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM _sqlx_migrations").fetch_one(&mut connection).await;
    connection.close().await.unwrap();
    found.map_or(0, |count| usize::try_from(count).unwrap())
}
