//! Architecture rules: the order of the folders, the owners of the tables, and the location of SQL.

mod circles;
mod imports;
mod source;
mod tables;

use self::imports::uses;
pub use self::source::source_files;

/// The folders in reading order: each may use those before it, and no other. First the platform, which knows no product,
/// order or setting, then the domains.
const ORDER: [&str; 18] = [
    "infra",
    "error",
    "db",
    "time_zone",
    "config",
    "platform",
    "http",
    "mail",
    "limits",
    "accounts",
    "settings",
    "catalog",
    "orders",
    "checkout",
    "money",
    "storefront",
    "fulfillment",
    "operations",
];
/// Folders that compose the server, like the files at the root: they may use everything.
const COMPOSITION: [&str; 2] = ["cli", "openapi"];

#[test]
fn a_folder_uses_only_those_before_it() {
    let files = source_files();
    let place = |folder: &str| ORDER.iter().position(|name| *name == folder);
    let mut breaches = Vec::new();
    for file in files.iter().filter(|file| !file.folder().is_empty() && !COMPOSITION.contains(&file.folder())) {
        let own = place(file.folder()).unwrap_or_else(|| panic!("{} is in no folder of the list", file.path));
        for used in uses(&file.code) {
            let module = used.split("::").next().unwrap_or_default();
            if place(module).is_none_or(|used| used > own) {
                breaches.push(format!("{} uses {used}", file.path));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}

/// Files with SQL besides `db/` and each feature's `store.rs`, and why.
const OTHER_SQL: &[(&str, &str)] = &[
    ("catalog/products/columns.rs", "the columns of products and their values, for the statements of the store"),
    ("mail/outbox.rs", "every feature enqueues emails in its own transaction"),
    ("orders/listing.rs", "builds the query from the filter, and does nothing else"),
];

#[test]
fn sql_lives_in_stores() {
    for file in source_files() {
        let is_store = file.path.ends_with("/store.rs") || file.is_db();
        let listed = OTHER_SQL.iter().any(|(path, _)| *path == file.path);
        let has_sql = ["sqlx::query", "QueryBuilder", ".execute(\"", ".fetch_one(\""]
            .iter()
            .any(|pattern| file.code.contains(pattern));
        assert!(!has_sql || is_store || listed, "{} has SQL", file.path);
        assert!(has_sql || !listed, "{} has no SQL any more", file.path);
    }
}

#[test]
fn one_place_knows_which_database_it_is() {
    for file in source_files().iter().filter(|file| !file.is_db()) {
        for pattern in [
            "SqlitePool",
            "PgPool",
            "SqliteConn",
            "PgConn",
            "sqlx::sqlite",
            "sqlx::postgres",
            "backend_name",
            "PRAGMA",
            "FOR UPDATE",
        ] {
            assert!(!file.code.contains(pattern), "{}: {pattern}", file.path);
        }
    }
}

// Clippy's `disallowed-methods` cannot name every generator: a seeded one is fine in tests, and never here.
#[test]
fn random_numbers_and_ids_come_from_one_module() {
    for file in source_files().iter().filter(|file| file.path != "infra/random.rs") {
        for pattern in ["rand::", "Uuid::"] {
            assert!(!file.code.contains(pattern), "{}: {pattern}", file.path);
        }
    }
}

#[test]
fn the_test_mode_stripe_is_known_only_to_those_who_start_it() {
    for file in source_files() {
        let knows = file.code.contains("mock_stripe::");
        // The shop holds it and passes it on; a backup has its tables.
        let root = ["router.rs", "shop.rs", "start.rs", "test_mode.rs"];
        let may = root.contains(&file.path.as_str())
            || ["operations/backup/restore.rs", "operations/backup/write.rs"].contains(&file.path.as_str());
        assert_eq!(knows, may, "{}", file.path);
    }
}
