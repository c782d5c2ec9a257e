//! Architecture rules: dependencies between features, and the location of SQL.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A source file of the server, without its unit tests.
pub struct SourceFile {
    /// Path relative to `src`, such as `checkout/finalize.rs`.
    pub path: String,
    /// Source code without comments and without the test module at its end.
    pub code: String,
}

impl SourceFile {
    /// The feature's folder. Empty for files at the root, of the command line, and in shared folders.
    fn feature(&self) -> &str {
        let folder = self.path.split_once('/').map_or("", |(folder, _)| folder);
        if folder == COMMAND_LINE || SHARED.contains(&folder) { "" } else { folder }
    }

    fn is_db(&self) -> bool {
        self.path.starts_with("db/")
    }
}

/// May use every feature, like the files at the root.
const COMMAND_LINE: &str = "cli";
/// Folders that every feature may use.
const SHARED: [&str; 5] = ["config", "db", "http", "infra", "time_zone"];

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

/// Allowed dependencies between features: `(feature, path)`. Always allowed are the shared files at the root,
/// `mail::outbox`, and `CALLERS` from `auth`.
const MAY_USE: &[(&str, &str)] = &[
    // Checkout sells products and creates orders.
    ("checkout", "catalogue::store"),
    ("checkout", "orders::store"),
    ("checkout", "orders::insert"),
    ("checkout", "orders::customer_mail"),
    // Administration pages use what the features store. Refunds go through the checkout, so there is only one way to
    // refund.
    ("admin", "catalogue::store"),
    ("admin", "catalogue::Contents"),
    ("admin", "orders::store"),
    ("admin", "orders::listing"),
    ("admin", "orders::query"),
    ("admin", "orders::prefix"),
    ("admin", "orders::bulk"),
    ("admin", "orders::customer_mail"),
    ("admin", "analytics::store"),
    ("admin", "analytics::flush"),
    ("admin", "checkout::refunds"),
    ("admin", "checkout::disputes"),
    ("admin", "checkout::fraud_warnings"),
    // Evidence has the policies of the day of the order.
    ("admin", "policies"),
    ("admin", "low_stock::store"),
    ("admin", "payouts::Category"),
    ("admin", "payouts::journal"),
    ("admin", "payouts::store"),
    // Emails to a customer can be sent again, with rate limits.
    ("admin", "limits"),
    // Payouts are listed by the provider, and explained by orders.
    ("payouts", "checkout::provider"),
    ("payouts", "orders::query"),
    ("payouts", "orders::store"),
    // Sign-up and login have a bot check and rate limits.
    ("auth", "botcheck"),
    ("auth", "limits"),
    // Back-in-stock requests name a product and have rate limits.
    ("back_in_stock", "catalogue::store"),
    ("back_in_stock", "limits"),
    // Quotes have rate limits.
    ("checkout", "limits"),
    // Product pages show a product.
    ("pages", "catalogue::store"),
    ("pages", "catalogue::Contents"),
    // Photos belong to products.
    ("photos", "catalogue::store"),
    // Images show a product, on pages and in emails.
    ("images", "catalogue::store"),
    ("images", "catalogue::Contents"),
    ("pages", "images::Picture"),
    ("pages", "images::link_preview"),
    ("pages", "images::raster_images"),
    ("feeds", "images::raster_images"),
    // The buy button shows a product.
    ("sdk", "catalogue::store"),
    ("sdk", "images::Picture"),
    ("sdk", "images::main_picture"),
    ("mail", "images::EmailPictures"),
    // Catalog reads are a metric.
    ("metrics", "catalogue::Catalogue"),
    // `check` tests external services with their own clients.
    ("check", "mail::Delivery"),
    ("check", "botcheck::BotCheck"),
    ("check", "checkout::provider"),
    ("check", "settings"),
    // Prices and delivery times in the product feed.
    ("feeds", "settings::values"),
    // Policies are texts of the settings, and have pages.
    ("policies", "settings"),
    ("pages", "policies"),
    ("pages", "settings::ShownAnnouncement"),
    // Sample orders are counted like others.
    ("sample_data", "orders::daily_totals"),
    // Sample customers have passwords.
    ("sample_data", "auth::Passwords"),
    // Page views are counted for public pages only.
    ("analytics", "pages"),
    ("analytics", "catalogue::store"),
];

/// Names of `auth` that every feature may use: the caller's identity, and the keys from which secrets are derived.
const CALLERS: [&str; 5] = ["Admin", "Caller", "Keys", "MaybeAdmin", "SignedIn"];

/// Root files that assemble the server. No feature may depend on them.
const ASSEMBLY: [&str; 5] = ["cli", "retention", "router", "seed", "start"];

#[test]
fn a_feature_uses_no_other_feature_but_those_it_may() {
    let files = source_files();
    let features: BTreeSet<&str> = files.iter().map(SourceFile::feature).filter(|name| !name.is_empty()).collect();
    let mut breaches = Vec::new();
    for file in files.iter().filter(|file| !file.feature().is_empty()) {
        for used in uses(&file.code) {
            if !is_allowed(file.feature(), &used, &features) {
                breaches.push(format!("{} uses {used}", file.path));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}

fn is_allowed(feature: &str, used: &str, features: &BTreeSet<&str>) -> bool {
    let (module, rest) = used.split_once("::").unwrap_or((used, ""));
    if module == feature || (!features.contains(module) && !ASSEMBLY.contains(&module)) {
        return true;
    }
    let name = rest.split("::").next().unwrap_or_default();
    let everybodys = used.starts_with("mail::outbox") || (module == "auth" && CALLERS.contains(&name));
    let listed = MAY_USE
        .iter()
        .any(|(user, path)| *user == feature && (used == *path || used.starts_with(&format!("{path}::"))));
    everybodys || listed
}

/// Every path that begins with `crate::`, with groups expanded: `auth::Admin`, `catalogue::store::Cause`.
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

#[test]
fn no_two_features_use_each_other() {
    let files = source_files();
    let features: BTreeSet<&str> = files.iter().map(SourceFile::feature).filter(|name| !name.is_empty()).collect();
    let mut edges = BTreeSet::new();
    for file in files.iter().filter(|file| !file.feature().is_empty()) {
        for used in uses(&file.code) {
            let module = used.split("::").next().unwrap().to_owned();
            let callers = module == "auth" && used.split("::").nth(1).is_some_and(|name| CALLERS.contains(&name));
            if features.contains(module.as_str()) && module != file.feature() && !callers {
                edges.insert((file.feature().to_owned(), module));
            }
        }
    }
    let mutual: Vec<_> = edges.iter().filter(|(user, used)| edges.contains(&(used.clone(), user.clone()))).collect();
    assert!(mutual.is_empty(), "{mutual:?}");
}

/// Files with SQL besides `db/` and each feature's `store.rs`, and why.
const OTHER_SQL: &[(&str, &str)] = &[
    ("catalogue/columns.rs", "the columns of products and their values, for the statements of the store"),
    ("shop_metadata.rs", "database metadata, which belongs to no feature"),
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
        // The shop holds it and passes it on.
        let may = ["router.rs", "shop.rs", "start.rs", "test_mode.rs"].contains(&file.path.as_str());
        assert_eq!(knows, may, "{}", file.path);
    }
}

#[test]
fn imports_are_read_the_way_they_are_written() {
    let code = "use crate::{admin, auth::{Caller, SignedIn}, db};\nlet x = crate::mail::outbox::enqueue(tx);";
    assert_eq!(uses(code), ["admin", "auth::Caller", "auth::SignedIn", "db", "mail::outbox::enqueue"]);
    assert_eq!(
        uses("use crate::orders::store::{self as orders, NewOrder};"),
        ["orders::store", "orders::store::NewOrder"]
    );
}
