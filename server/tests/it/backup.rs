//! Backup and restore: one file, for SQLite and PostgreSQL, all or nothing.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use server::db::{Db, find_newest_migration};
use server::error::Error;
use server::operations::backup::tables::{Kind, MOCK_STRIPE, SEEDED, TABLES};
use server::operations::backup::{Purpose, back_up, restore};
use sqlx::Row as _;

use crate::configuration::{binary, complaint, run_to_end};
use crate::harness::{CUSTOMER, Database, Folder, TestShop, together};

async fn migrated(url: &str) -> Db {
    let db = Db::open(url).await.unwrap();
    db.migrate().await.unwrap();
    db
}

/// Whether the database has the mock Stripe's tables.
async fn has_mock_stripe(db: &Db) -> bool {
    let mut connection = db.read().acquire().await.unwrap();
    find_newest_migration(&mut connection, mock_stripe::MIGRATIONS_TABLE).await.unwrap().is_some()
}

/// An empty SQLite database, migrated.
async fn fresh(folder: &Folder, name: &str) -> Db {
    migrated(Database::sqlite(folder.path(), name).url()).await
}

async fn back_up_to(db: &Db, file: &Path) -> Result<(), Error> {
    back_up(db, 1_700_000_000_000, file, |_| {}).await.map(drop)
}

async fn restore_from(db: &Db, file: &Path) -> Result<(), Error> {
    restore(db, file, Purpose::Shop, |_| {}).await.map(drop)
}

/// A shop with rows in every kind of table, and names that sort and escape in unusual ways.
async fn populated_shop() -> TestShop {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.new_customer("Ada-Unal@example.com").await, shop.stripe().await);
    let admin = shop.admin().await;
    for name in ["Änd", "and", "AND-1", "a nd", "Zünder \"x\" \\ \u{1F4A1}"] {
        shop.adds_light(name, 3).await;
    }
    let order = buyer.buys(&stripe, &shop.light("Nudgelight Halo").await, 2).await;
    let refund = json!({ "status": "refunded", "restock": true });
    admin.patch(&format!("/api/admin/order/{order}"), &refund).await.gives(200);
    buyer.starts_payment(&[(&shop.light("Nudgelight One").await, 1)]).await;
    for settings in [json!({ "shop_name": "Lämps" }), json!({ "terms": "# Own\n\"terms\"" })] {
        admin.patch("/api/admin/settings", &settings).await.gives(200);
    }
    shop
}

/// A backup of a small shop, and its folder.
async fn backed_up() -> (Folder, PathBuf) {
    let (folder, shop) = (Folder::new(), TestShop::open().await);
    let file = folder.path().join("shop.backup");
    back_up_to(&shop.inside().platform.db, &file).await.unwrap();
    (folder, file)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_database_gives_the_same_file_for_the_same_rows() {
    let mut shop = populated_shop().await;
    shop.close().await;
    let folder = Folder::new();
    let url = shop.vars().find_map(|(name, value)| (name == "DATABASE_URL").then_some(value)).unwrap();
    // On a PostgreSQL test run this covers PostgreSQL → SQLite → PostgreSQL → SQLite; otherwise all four are SQLite.
    let again = Database::new(&folder.path().join("again")).await;
    let databases = [
        Db::open(&url).await.unwrap(),
        fresh(&folder, "first.db").await,
        migrated(again.url()).await,
        fresh(&folder, "last.db").await,
    ];
    let mut texts = Vec::new();
    for (number, db) in databases.iter().enumerate() {
        let file = folder.path().join(format!("{number}.backup"));
        if number > 0 {
            restore_from(db, &folder.path().join(format!("{}.backup", number - 1))).await.unwrap();
        }
        back_up_to(db, &file).await.unwrap();
        texts.push(std::fs::read_to_string(&file).unwrap());
        db.close().await;
    }
    again.remove().await;
    for text in &texts[1..] {
        assert!(*text == texts[0], "the files differ");
    }
    let counts: Value = serde_json::from_str(texts[0].lines().rev().nth(1).unwrap()).unwrap();
    for table in
        ["users", "products", "orders", "order_lines", "refunds", "outbox", "webhook_events", "mock_stripe_events"]
    {
        assert!(counts["rows"][table].as_i64().unwrap() > 0, "{table}: {counts}");
    }
}

// invariant: backup-and-restore
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_shop_goes_on_where_the_backup_was_taken() {
    let (folder, shop) = (Folder::new(), populated_shop().await);
    let file = folder.path().join("shop.backup");
    back_up_to(&shop.inside().platform.db, &file).await.unwrap();
    let restored = Database::sqlite(folder.path(), "restored.db");
    let db = migrated(restored.url()).await;
    restore_from(&db, &file).await.unwrap();
    db.close().await;

    let key = signing_key(&shop);
    let second = TestShop::open_with(&[("DATABASE_URL", restored.url()), ("SHOP_SIGNING_KEY", &key)]).await;
    second.audit().await;
    assert_eq!(second.visitor().get("/api/config").await.gives(200)["shop_name"], "Lämps");
    second.visitor().get("/terms").await.has(&["<h2>Own</h2>"]);
    let buyer = second.customer().await;
    let stripe = second.stripe().await;
    let number = "SELECT MAX(number) FROM orders";
    let before = shop.count(number).await;
    buyer.buys(&stripe, &second.light("Nudgelight Mini").await, 1).await;
    assert_eq!(second.count(number).await, before + 1);
    second.audit().await;
}

fn signing_key(shop: &TestShop) -> String {
    shop.mail_folder().with_file_name("signing-key.pem").display().to_string()
}

// invariant: backup-and-restore
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_while_people_buy_holds_whole_purchases() {
    let (folder, shop) = (Folder::new(), TestShop::open().await);
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let buying = together(8, |_| {
        let (buyer, stripe, light) = (buyer.clone(), stripe.clone(), light.clone());
        async move { buyer.buys(&stripe, &light, 1).await }
    });
    let copying = async {
        let mut files = Vec::new();
        for number in 0..6 {
            let file = folder.path().join(format!("{number}.backup"));
            back_up_to(&shop.inside().platform.db, &file).await.unwrap();
            files.push(file);
            tokio::time::sleep(std::time::Duration::from_millis(40)).await;
        }
        files
    };
    let (orders, files) = tokio::join!(buying, copying);
    assert_eq!(orders.into_iter().collect::<BTreeSet<_>>().len(), 8);

    let key = signing_key(&shop);
    for (number, file) in files.iter().enumerate() {
        let restored = Database::sqlite(folder.path(), &format!("{number}.db"));
        let db = migrated(restored.url()).await;
        restore_from(&db, file).await.unwrap();
        db.close().await;
        TestShop::open_with(&[("DATABASE_URL", restored.url()), ("SHOP_SIGNING_KEY", &key)]).await.audit().await;
    }
}

// invariant: backup-and-restore
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_torn_file_is_refused_and_nothing_of_it_is_restored() {
    let (folder, file) = backed_up().await;
    let whole = std::fs::read(&file).unwrap();
    let db = fresh(&folder, "empty.db").await;
    let line_ends: Vec<usize> = (0..whole.len()).filter(|index| whole[*index] == b'\n').collect();
    let cuts = [0, 1, line_ends[0] + 1, whole.len() / 2, line_ends[line_ends.len() - 2] + 1, whole.len() - 1];
    for cut in cuts {
        std::fs::write(&file, &whole[..cut]).unwrap();
        let message = restore_from(&db, &file).await.unwrap_err().to_string();
        assert!(message.contains("ends too early"), "{cut}: {message}");
    }
    std::fs::write(&file, &whole).unwrap();
    restore_from(&db, &file).await.unwrap();
}

// invariant: backup-and-restore
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flipped_bit_is_refused_wherever_it_is() {
    let (folder, file) = backed_up().await;
    let whole = std::fs::read(&file).unwrap();
    let db = fresh(&folder, "empty.db").await;
    let step = (whole.len() / 300).max(1);
    for index in (0..whole.len()).step_by(step).chain(whole.len() - 70..whole.len()) {
        let mut flipped = whole.clone();
        flipped[index] ^= 1;
        std::fs::write(&file, &flipped).unwrap();
        assert!(restore_from(&db, &file).await.is_err(), "byte {index}");
    }
    let mut text = String::from_utf8(whole.clone()).unwrap();
    text = text.replacen("Nudgelight Halo", "Nudgelight Hale", 1);
    std::fs::write(&file, &text).unwrap();
    let message = restore_from(&db, &file).await.unwrap_err().to_string();
    assert!(message.contains("its checksum is wrong"), "{message}");
    std::fs::write(&file, [whole.as_slice(), b"\n"].concat()).unwrap();
    assert!(restore_from(&db, &file).await.is_err(), "data after the end of the backup");
    std::fs::write(&file, &whole).unwrap();
    restore_from(&db, &file).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_that_was_never_in_test_mode_has_nothing_of_the_mock_stripe_before_and_after() {
    let folder = Folder::new();
    let (live, restored) = (fresh(&folder, "live.db").await, fresh(&folder, "restored.db").await);
    let file = folder.path().join("live.backup");
    back_up_to(&live, &file).await.unwrap();
    assert!(!std::fs::read_to_string(&file).unwrap().contains("mock_stripe"));
    restore_from(&restored, &file).await.unwrap();
    for db in [live, restored] {
        assert!(!has_mock_stripe(&db).await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_an_empty_database_is_restored_into() {
    let (folder, file) = backed_up().await;
    let shop = TestShop::open().await;
    let before = shop.texts("SELECT id FROM products ORDER BY id").await;
    let message = restore_from(&shop.inside().platform.db, &file).await.unwrap_err().to_string();
    assert!(message.contains("not empty"), "{message}");
    assert_eq!(shop.texts("SELECT id FROM products ORDER BY id").await, before);

    let live = fresh(&folder, "live.db").await;
    let page_view = live.write((), |tx, ()| {
        Box::pin(async move {
            sqlx::query("INSERT INTO page_views (day, path, views) VALUES ('2026-12-24', '/', 1)").execute(tx).await?;
            Ok(())
        })
    });
    page_view.await.unwrap();
    let message = restore_from(&live, &file).await.unwrap_err().to_string();
    assert!(message.contains("page_views"), "{message}");
    assert!(!has_mock_stripe(&live).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_another_schema_or_format_or_shop_is_refused_in_one_sentence() {
    let (folder, file) = backed_up().await;
    let whole = std::fs::read_to_string(&file).unwrap();
    let (header, rest) = whole.split_once('\n').unwrap();
    let header: Value = serde_json::from_str(header).unwrap();
    let db = fresh(&folder, "empty.db").await;
    let other = |name: &str, value: Value| {
        let mut header = header.clone();
        header[name] = value;
        format!("{header}\n{rest}")
    };
    let older = other("schema", json!(header["schema"].as_i64().unwrap() - 1));
    for (text, expected) in [
        (older, "schema version"),
        (other("nudgelight_backup", json!(1)), "backup format 1"),
        (other("nudgelight_backup", json!(3)), concat!("version ", env!("CARGO_PKG_VERSION"), " of Nudgelight")),
        ("hello\n".to_owned(), "not a backup"),
        ("{\"table\":\"users\"}\n".to_owned(), "not a backup"),
    ] {
        std::fs::write(&file, text).unwrap();
        let message = restore_from(&db, &file).await.unwrap_err().to_string();
        assert!(message.contains(expected) && !message.contains('\n'), "{expected}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_breaks_off_leaves_the_last_one_alone() {
    let (folder, file) = backed_up().await;
    let whole = std::fs::read(&file).unwrap();
    let nothing = Db::open(Database::sqlite(folder.path(), "nothing.db").url()).await.unwrap();
    let message = back_up_to(&nothing, &file).await.unwrap_err().to_string();
    assert!(message.contains("no shop"), "{message}");
    assert_eq!(std::fs::read(&file).unwrap(), whole);

    let part = folder.path().join("shop.backup.part");
    assert!(!part.exists());
    std::fs::write(&part, "of somebody else").unwrap();
    let message = back_up_to(&fresh(&folder, "some.db").await, &file).await.unwrap_err().to_string();
    assert!(message.contains("shop.backup.part"), "{message}");
    assert_eq!(std::fs::read_to_string(&part).unwrap(), "of somebody else");
}

#[test]
fn the_command_line_backs_up_and_restores() {
    let folder = Folder::new();
    let command = |data: &str, arguments: &[&str]| {
        let mut command = binary(folder.path(), &[("SHOP_DATA_DIR", data)]);
        command.args(arguments);
        command
    };
    let run = |data: &str, arguments: &[&str]| command(data, arguments).output().unwrap();
    assert!(run("old", &["seed"]).status.success());
    let backup = run("old", &["backup", "shop.backup"]);
    assert!(backup.status.success(), "{backup:?}");
    assert!(String::from_utf8_lossy(&backup.stderr).contains("products: 4 rows"), "{backup:?}");
    let mode = std::fs::metadata(folder.path().join("shop.backup")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    assert!(run("new", &["restore", "shop.backup"]).status.success());
    assert!(complaint(command("new", &["restore", "shop.backup"])).contains("not empty"));
    assert!(complaint(command("newer", &["restore", "missing.backup"])).contains("missing.backup"));
    assert!(run("new", &["admin", "grant", CUSTOMER]).status.success(), "the restored accounts exist");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_of_tables_is_the_schema() {
    let folder = Folder::new();
    let db = fresh(&folder, "schema.db").await;
    db.apply(&mock_stripe::migrator()).await.unwrap();
    let schema = sqlx::query(
        "SELECT t.name AS tbl, c.name AS col, c.type AS kind, CAST(c.pk AS INTEGER) AS pk \
         FROM sqlite_master t JOIN pragma_table_info(t.name) c \
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '%_migrations'",
    )
    .fetch_all(db.read())
    .await
    .unwrap();
    let there: BTreeSet<(String, String, String, usize)> = schema
        .iter()
        .map(|row| {
            let key = usize::try_from(row.get::<i64, _>("pk")).unwrap();
            (row.get("tbl"), row.get("col"), row.get("kind"), key)
        })
        .collect();
    let mut known = BTreeSet::new();
    for table in TABLES.iter().chain(MOCK_STRIPE) {
        for (column, kind) in table.columns() {
            let kind = match kind {
                Kind::Text => "TEXT",
                Kind::Integer => "BIGINT",
                Kind::Blob => "BLOB",
            };
            let key = table.key.iter().position(|part| *part == column).map_or(0, |position| position + 1);
            known.insert((table.name.to_owned(), column.to_owned(), kind.to_owned(), key));
        }
    }
    let missing: Vec<_> = there.difference(&known).collect();
    let gone: Vec<_> = known.difference(&there).collect();
    assert!(missing.is_empty() && gone.is_empty(), "not in tables.rs: {missing:?}; not in the schema: {gone:?}");

    for table in TABLES.iter().chain(MOCK_STRIPE) {
        let sql = format!("SELECT COUNT(*) FROM {}", table.name);
        let rows: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(db.read()).await.unwrap();
        assert_eq!(rows > 0, SEEDED.contains(&table.name), "{}", table.name);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_nightly_backup_keeps_the_newest_and_its_drill_finds_a_damaged_one() {
    let (folder, shop) = (Folder::new(), TestShop::open().await);
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    buyer.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let backups = folder.path().join("backups");
    std::fs::create_dir(&backups).unwrap();
    let vars: Vec<(String, String)> = shop.vars().collect();
    let run = |arguments: &[&str]| {
        let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let mut command = binary(folder.path(), &vars);
        command.args(arguments);
        command
    };
    let succeeds = |arguments: &[&str]| {
        let output = tokio::task::block_in_place(|| run_to_end(run(arguments)));
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        said
    };
    let to = backups.to_str().unwrap();
    assert!(complaint(run(&["drill", to])).contains("has no backup"));
    let file = folder.path().join("shop.backup");
    assert!(complaint(run(&["backup", file.to_str().unwrap(), "--keep", "2"])).contains("--keep"));
    for _ in 0..3 {
        succeeds(&["backup", to, "--keep", "2"]);
        // The names have seconds.
        tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    }
    let mut kept: Vec<PathBuf> = std::fs::read_dir(&backups).unwrap().map(|entry| entry.unwrap().path()).collect();
    kept.sort();
    assert_eq!(kept.len(), 2, "{kept:?}");

    let drilled = "SELECT COUNT(*) FROM shop_metadata WHERE name = 'drilled'";
    let said = succeeds(&["drill", to]);
    assert!(
        said.contains("1 orders audited: all invariants hold.") && said.contains(kept[1].to_str().unwrap()),
        "{said}"
    );
    assert_eq!(shop.count(drilled).await, 1);
    let data = vars.iter().find_map(|(name, value)| (name == "SHOP_DATA_DIR").then_some(value)).unwrap();
    assert!(!Path::new(data).join("drill").exists());

    shop.tamper("DELETE FROM shop_metadata WHERE name = 'drilled'").await;
    let text = std::fs::read_to_string(&kept[1]).unwrap();
    std::fs::write(&kept[1], text.replacen("Nudgelight One", "Nudgelight 0ne", 1)).unwrap();
    complaint(run(&["drill", to]));
    assert_eq!((shop.count(drilled).await, Path::new(data).join("drill").exists()), (0, false));
}
