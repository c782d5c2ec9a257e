//! Architecture rules: the order of the folders, the owners of the tables, and the location of SQL.

use std::path::{Path, PathBuf};

/// A source file of the server, without its unit tests.
pub struct SourceFile {
    /// Path relative to `src`, such as `checkout/finalize.rs`.
    pub path: String,
    /// Source code without comments and without the test module at its end.
    pub code: String,
}

impl SourceFile {
    /// The folder at the root. Empty for the files there, which compose the server.
    fn folder(&self) -> &str {
        self.path.split_once('/').map_or("", |(folder, _)| folder)
    }

    fn is_db(&self) -> bool {
        self.path.starts_with("db/")
    }
}

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

pub fn source_files() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    assert!(paths.len() > 30, "too few source files: {paths:?}");
    paths
        .into_iter()
        .map(|path| SourceFile {
            code: without_tests_and_comments(&std::fs::read_to_string(&path).unwrap()),
            path: path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"),
        })
        .collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        // These names are compiled for unit tests only.
        if name == "tests" || name == "tests.rs" {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

fn without_tests_and_comments(source: &str) -> String {
    let end = source.find("\nmod tests {").unwrap_or(source.len());
    let code: Vec<&str> = source[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    code.join("\n")
}

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

/// Every path that begins with `crate::`, with groups expanded: `accounts::Admin`, `catalog::products::store`.
fn uses(code: &str) -> Vec<String> {
    code.split("crate::").skip(1).flat_map(|after| expand("", after)).collect()
}

fn expand(prefix: &str, text: &str) -> Vec<String> {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        return members(group).iter().flat_map(|member| expand(prefix, member)).collect();
    }
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(text.len());
    let name = &text[..end];
    let path = match (prefix, name) {
        (_, "self") => prefix.to_owned(),
        ("", _) => name.to_owned(),
        _ => format!("{prefix}::{name}"),
    };
    match text[end..].strip_prefix("::") {
        Some(rest) if rest.starts_with(|character: char| character.is_alphabetic() || character == '{') => {
            expand(&path, rest)
        }
        _ => vec![path],
    }
}

/// The comma-separated members of a group, up to its closing brace.
fn members(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut found = vec![String::new()];
    for character in group.chars() {
        match character {
            '}' if depth == 0 => break,
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        found.last_mut().unwrap().push(character);
    }
    found.retain(|member| !member.trim().is_empty());
    found
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

#[test]
fn imports_are_read_the_way_they_are_written() {
    let code = "use crate::{money, accounts::{Caller, SignedIn}, db};\nlet x = crate::mail::outbox::enqueue(tx);";
    assert_eq!(uses(code), ["money", "accounts::Caller", "accounts::SignedIn", "db", "mail::outbox::enqueue"]);
    assert_eq!(
        uses("use crate::orders::store::{self as orders, NewOrder};"),
        ["orders::store", "orders::store::NewOrder"]
    );
}
