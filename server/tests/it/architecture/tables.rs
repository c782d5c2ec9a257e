//! Each table has one owner, the only domain that writes it.

use std::collections::BTreeSet;

use server::operations::backup::tables::TABLES;

use super::source::{SourceFile, source_files};

const SCHEMA: &str = concat!(
    include_str!("../../../../migrations/0001_schema.sql"),
    include_str!("../../../../migrations/0002_code_login.sql"),
    include_str!("../../../../migrations/0003_second_factor_setup.sql"),
    include_str!("../../../../migrations/0004_passkeys.sql"),
    include_str!("../../../../migrations/0005_email_changes.sql"),
    include_str!("../../../../migrations/0006_line_warranties.sql")
);

/// Each table with the folder whose statements insert, update and delete its rows.
const OWNERS: &[(&str, &str)] = &[
    ("users", "accounts"),
    ("login_codes", "accounts"),
    ("second_factor_setups", "accounts"),
    ("recovery_codes", "accounts"),
    ("passkeys", "accounts"),
    ("passkey_ceremonies", "accounts"),
    ("email_changes", "accounts"),
    ("previous_emails", "accounts"),
    ("signups", "accounts"),
    ("codes", "accounts"),
    ("user_words", "accounts"),
    ("sessions", "accounts"),
    ("refresh_tokens", "accounts"),
    ("signing_keys", "accounts"),
    ("rate_limits", "limits"),
    ("used_bot_challenges", "accounts"),
    ("products", "catalog"),
    ("product_slugs", "catalog"),
    ("photos", "catalog"),
    ("photo_variants", "catalog"),
    ("product_photos", "catalog"),
    ("stock_ledger", "catalog"),
    ("back_in_stock_requests", "catalog"),
    ("back_in_stock_rounds", "catalog"),
    ("checkouts", "checkout"),
    ("checkout_lines", "checkout"),
    ("counters", "db"),
    ("orders", "orders"),
    ("order_lines", "orders"),
    ("order_history", "orders"),
    ("order_words", "orders"),
    ("daily_order_totals", "orders"),
    ("daily_product_totals", "catalog"),
    ("refunds", "checkout"),
    ("refund_lines", "checkout"),
    ("disputes", "checkout"),
    ("early_fraud_warnings", "checkout"),
    ("tax_records", "checkout"),
    ("payouts", "money"),
    ("balance_transactions", "money"),
    ("alerts", "orders"),
    ("webhook_events", "checkout"),
    ("setting_changes", "settings"),
    ("outbox", "mail"),
    ("page_views", "storefront"),
    ("shop_metadata", "db"),
];

/// Files that write tables of others, and why.
const OTHER_WRITERS: &[(&str, &str)] = &[
    ("db/rows.rs", "writes the table that its caller names"),
    ("operations/backup/store.rs", "a restore writes every table"),
    ("operations/sample_data/store.rs", "sample data has years of history, which no operation of the shop can create"),
];

#[test]
fn every_table_has_one_owner() {
    let tables: BTreeSet<&str> = SCHEMA.split("CREATE TABLE ").skip(1).map(first_word).collect();
    let owned: BTreeSet<&str> = OWNERS.iter().map(|(table, _)| *table).collect();
    let unmatched: Vec<_> = owned.symmetric_difference(&tables).collect();
    assert!(unmatched.is_empty(), "a table without an owner, or an owner of no table: {unmatched:?}");
    assert_eq!(owned.len(), OWNERS.len(), "a table has two owners");
}

#[test]
fn a_backup_has_every_table_of_an_owner() {
    let backed_up: BTreeSet<&str> = TABLES.iter().map(|table| table.name).collect();
    let owned = OWNERS.iter().map(|(table, _)| *table).collect();
    let unmatched: Vec<_> = backed_up.symmetric_difference(&owned).collect();
    assert!(unmatched.is_empty(), "a table that is missing in the backup, or has no owner: {unmatched:?}");
}

#[test]
fn only_its_owner_writes_a_table() {
    let files = source_files();
    let foreign = files.iter().map(|file| (file.path.as_str(), foreign_writes(file)));
    let found: Vec<(&str, Vec<String>)> = foreign.filter(|(_, tables)| !tables.is_empty()).collect();
    let unlisted: Vec<_> =
        found.iter().filter(|(path, _)| !OTHER_WRITERS.iter().any(|(listed, _)| listed == path)).collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
    for (listed, _) in OTHER_WRITERS {
        assert!(found.iter().any(|(path, _)| path == listed), "{listed} writes no table of others any more");
    }
}

fn foreign_writes(file: &SourceFile) -> Vec<String> {
    writes(&file.code).into_iter().filter(|table| !is_owner(file, table)).collect()
}

fn is_owner(file: &SourceFile, table: &str) -> bool {
    OWNERS.contains(&(table, file.folder()))
}

/// The tables of the INSERT, UPDATE and DELETE statements in the code. A name in braces is only known at run time.
fn writes(code: &str) -> Vec<String> {
    let separates = |next: char| next.is_whitespace() || "\"(\\".contains(next);
    let words: Vec<&str> = code.split(separates).filter(|word| !word.is_empty()).collect();
    let statements = words.windows(3).filter_map(|words| match words {
        ["INSERT", "INTO", table] | ["DELETE", "FROM", table] => Some(*table),
        // Neither `DO UPDATE SET` nor `FOR UPDATE`.
        [before, "UPDATE", table] if !["DO", "FOR"].contains(before) => Some(*table),
        _ => None,
    });
    let bulk = code.split("Insert(\"").skip(1);
    statements.chain(bulk).map(|table| first_word(table).to_owned()).collect()
}

fn first_word(text: &str) -> &str {
    let end = text.find(|next: char| !(next.is_alphanumeric() || "_{}".contains(next))).unwrap_or(text.len());
    &text[..end]
}

#[test]
fn statements_that_write_are_read() {
    let code = r#"
        sqlx::query("INSERT INTO orders (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = excluded.id");
        format!("UPDATE products SET stock = 1 WHERE id IN (SELECT id FROM users FOR UPDATE)");
        let sql = "WITH due AS (SELECT 1) \
                   DELETE FROM {table}";
        Insert("order_lines", &["order_id"]).run(tx)"#;
    assert_eq!(writes(code), ["orders", "products", "{table}", "order_lines"]);
}
