//! Payments that the shop's database lost, in a failover or a restore: the provider still knows them.

use std::fs::File;

use serde_json::{Value, json};
use server::checkout::reconcile::{MIN_AGE_MS, run_once};

use crate::configuration::{binary, run_to_end};
use crate::harness::{CUSTOMER, Database, Folder, Intent, Light, Person, Stripe, TestShop, california};

const OWNER: &str = "owner@example.com";
const MINUTE: i64 = 60_000;
const ADDRESS: (&str, &str) = ("SHOP_PUBLIC_URL", "http://shop.example");
const OTHER_ADDRESS: (&str, &str) = ("SHOP_PUBLIC_URL", "http://copy.example");

/// A shop whose payment provider has a database of its own: the mock Stripe of another shop.
struct Sale {
    shop: TestShop,
    stripe: Stripe,
    buyer: Person,
    one: Light,
    halo: Light,
    /// Dropped last: it serves the mock Stripe.
    _provider: TestShop,
}

impl Sale {
    async fn open() -> Self {
        let (shop, stripe, provider) = TestShop::open_with_external_provider(&[("SHOP_ORDERS_EMAIL", OWNER)]).await;
        let buyer = shop.customer().await;
        let (one, halo) = (shop.light("Nudgelight One").await, shop.light("Nudgelight Halo").await);
        Self { shop, stripe, buyer, one, halo, _provider: provider }
    }

    /// A payment of which the database lost everything.
    async fn lost_payment(&self) -> Intent {
        let intent = self.buyer.starts_payment(&[(&self.one, 2), (&self.halo, 1)]).await;
        self.stripe.takes(&intent, "pm_card_visa").await;
        self.forgets_checkouts().await;
        intent
    }

    async fn forgets_checkouts(&self) {
        for sql in ["DELETE FROM checkout_lines", "DELETE FROM checkouts", "UPDATE products SET reserved = 0"] {
            self.shop.tamper(sql).await;
        }
    }

    /// A minute later.
    async fn reconciles(&self) {
        self.shop.clock.advance(MINUTE);
        self.shop.reconciles().await;
    }

    async fn alerts(&self) -> Vec<String> {
        self.shop.texts("SELECT kind FROM alerts ORDER BY created_at, id").await
    }

    async fn refunded(&self, intent: &Intent) -> i64 {
        self.stripe.intent(&intent.id).await["latest_charge"]["amount_refunded"].as_i64().unwrap()
    }
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_the_database_lost_is_an_alert_and_becomes_its_order_within_a_minute() {
    let sale = Sale::open().await;
    let intent = sale.lost_payment().await;
    sale.reconciles().await;
    let listed = sale.buyer.get("/api/user/orders").await.gives(200)["orders"].clone();
    let order_id = listed[0]["id"].as_str().unwrap_or_else(|| panic!("no order: {listed}")).to_owned();
    let order = sale.shop.admin().await.get(&format!("/api/admin/order/{order_id}")).await.gives(200);
    let items = order["items"].as_array().unwrap();
    let mut lines: Vec<Value> = items.iter().map(|item| json!([item["product_name"], item["quantity"]])).collect();
    lines.sort_by_key(ToString::to_string);
    assert_eq!(lines, [json!(["Nudgelight Halo", 1]), json!(["Nudgelight One", 2])]);
    let quote = &intent.quote;
    assert_eq!((&order["subtotal"], &order["total"]), (&quote["subtotal"], &quote["total"]));
    assert_eq!(order["shipping_cost"], quote["shippingCost"]);
    assert_eq!(order["address"], california());
    assert_eq!((&order["number"], &order["status"]), (&json!(1001), &json!("pending")));
    let history: Vec<&str> =
        order["history"].as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    assert!(history.contains(&"recovered"), "{history:?}");
    sale.shop.mail_to(CUSTOMER, "order 1001").await;
    let mail = sale.shop.mail_to(OWNER, "Alert").await;
    assert!(mail.text.contains(&intent.id), "{}", mail.text);
    for _ in 0..3 {
        sale.reconciles().await;
    }
    assert_eq!((sale.shop.count_orders().await, sale.alerts().await), (1, vec!["payment_lost".to_owned()]));
    assert_eq!(sale.buyer.asks_for_order(&intent.id).await.gives(200)["orderId"], json!(order_id));
    assert_eq!(sale.shop.light("Nudgelight Halo").await.stock, 3);
    sale.shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_payment_whose_items_are_sold_is_refunded_with_both_emails_after_the_alert() {
    let sale = Sale::open().await;
    let intent = sale.lost_payment().await;
    sale.shop.sets_stock(&sale.halo, 0).await;
    // A failed repair leaves the alert, and nothing else.
    let call =
        json!({ "method": "POST", "path": "/v1/refunds", "times": 100, "action": { "fail": { "status": 500 } } });
    sale.stripe.misbehaves(&json!({ "calls": [call], "webhooks": { "drop_percent": 100 } })).await;
    sale.reconciles().await;
    assert_eq!(sale.alerts().await, ["payment_lost"]);
    assert_eq!((sale.refunded(&intent).await, sale.shop.count_orders().await), (0, 0));
    let found = sale.shop.findings().await;
    assert!(found.iter().any(|line| line.starts_with("I3") && line.contains(&intent.id)), "{found:?}");
    sale.stripe.behaves().await;
    sale.stripe.drops_webhooks().await;
    for _ in 0..3 {
        sale.reconciles().await;
    }
    assert_eq!(sale.alerts().await, ["payment_lost", "payment_refunded"]);
    assert_eq!(sale.refunded(&intent).await, sale.stripe.intent(&intent.id).await["amount"].as_i64().unwrap());
    assert_eq!(sale.shop.count_orders().await, 0);
    let mail = sale.shop.mail_to(CUSTOMER, "refunded").await;
    assert!(mail.text.contains("Nudgelight Halo"), "{}", mail.text);
    assert_eq!(sale.shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'payment_refund'").await, 1);
    assert_eq!(sale.shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'alert'").await, 2);
    sale.shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_payment_whose_account_is_lost_too_is_refunded_with_both_emails_after_the_alert() {
    let sale = Sale::open().await;
    let ada = sale.shop.new_customer("ada@example.com").await;
    let intent = ada.starts_payment(&[(&sale.one, 1)]).await;
    sale.stripe.takes(&intent, "pm_card_visa").await;
    sale.forgets_checkouts().await;
    let id = "(SELECT id FROM users WHERE email = 'ada@example.com')";
    sale.shop.tamper(format!("DELETE FROM user_words WHERE user_id = {id}")).await;
    sale.shop.tamper(format!("DELETE FROM users WHERE id = {id}")).await;
    for _ in 0..3 {
        sale.reconciles().await;
    }
    assert_eq!(sale.alerts().await, ["payment_lost", "payment_refunded"]);
    assert_eq!(sale.refunded(&intent).await, sale.stripe.intent(&intent.id).await["amount"].as_i64().unwrap());
    sale.shop.mail_to("ada@example.com", "refunded").await;
    assert_eq!(sale.shop.count_orders().await, 0);
    sale.shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_payment_whose_product_is_lost_too_is_refunded_with_both_emails_after_the_alert() {
    let sale = Sale::open().await;
    let new = sale.shop.adds_light("Newer Than The Backup", 5).await;
    let intent = sale.buyer.starts_payment(&[(&sale.one, 1), (&new, 1)]).await;
    sale.stripe.takes(&intent, "pm_card_visa").await;
    sale.forgets_checkouts().await;
    for (table, column) in [("stock_ledger", "product_id"), ("product_slugs", "product_id"), ("products", "id")] {
        sale.shop.tamper(format!("DELETE FROM {table} WHERE {column} = '{}'", new.id)).await;
    }
    for _ in 0..3 {
        sale.reconciles().await;
    }
    assert_eq!(sale.alerts().await, ["payment_lost", "payment_refunded"]);
    assert_eq!(sale.refunded(&intent).await, sale.stripe.intent(&intent.id).await["amount"].as_i64().unwrap());
    sale.shop.mail_to(CUSTOMER, "refunded").await;
    assert_eq!(sale.shop.count_orders().await, 0);
    sale.shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_of_another_system_on_the_same_account_is_left_alone() {
    let sale = Sale::open().await;
    let known = sale.buyer.starts_payment(&[(&sale.one, 1)]).await;
    let metadata = sale.stripe.intent(&known.id).await["metadata"].clone();
    for change in [json!({}), json!({ "shop_id": "another" }), json!({ "shop_id": "" }), json!({ "checkout_id": "" })] {
        let mut fields = vec![("amount", "5980".to_owned()), ("currency", "usd".to_owned())];
        let names: Vec<String> = metadata.as_object().unwrap().keys().map(|name| format!("metadata[{name}]")).collect();
        if change != json!({}) {
            for (name, (key, value)) in names.iter().zip(metadata.as_object().unwrap()) {
                fields.push((name, change.get(key).unwrap_or(value).as_str().unwrap().to_owned()));
            }
        }
        fields.push(("confirm", "true".to_owned()));
        fields.push(("payment_method", "pm_card_visa".to_owned()));
        fields.push(("return_url", "https://shop.example".to_owned()));
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let paid = sale.stripe.as_shop("POST", "/v1/payment_intents", &fields).await.gives(200);
        assert_eq!(paid["status"], "succeeded", "{paid}");
    }
    sale.reconciles().await;
    assert_eq!((sale.shop.count_orders().await, sale.alerts().await), (0, Vec::new()));
    let refunds = sale.stripe.as_shop("GET", "/v1/refunds", &[]).await.gives(200);
    assert_eq!(refunds["data"], json!([]));
    // *Money* lists them.
    sale.shop.clock.advance(20 * MINUTE);
    sale.shop.syncs_payouts().await;
    let listed = sale.shop.payouts().await["unexplained"].clone();
    let problems: Vec<&Value> = listed.as_array().unwrap().iter().map(|one| &one["problem"]).collect();
    assert_eq!(problems, vec![&json!("No order has this payment."); 4], "{listed}");
    sale.shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_payment_on_a_later_page_of_the_providers_list_becomes_its_order() {
    let sale = Sale::open().await;
    sale.lost_payment().await;
    sale.shop.clock.advance(1_000);
    for _ in 0..210 {
        let fields = [("amount", "5980"), ("currency", "usd")];
        sale.stripe.as_shop("POST", "/v1/payment_intents", &fields).await.gives(200);
    }
    sale.reconciles().await;
    assert_eq!((sale.shop.count_orders().await, sale.alerts().await), (1, vec!["payment_lost".to_owned()]));
    sale.shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_whose_metadata_does_not_add_up_stays_an_alert() {
    let sale = Sale::open().await;
    let intent = sale.lost_payment().await;
    sale.stripe
        .as_shop("POST", &format!("/v1/payment_intents/{}", intent.id), &[("metadata[quote_1]", "{}")])
        .await
        .gives(200);
    for _ in 0..2 {
        sale.reconciles().await;
    }
    assert_eq!((sale.shop.count_orders().await, sale.alerts().await), (0, vec!["payment_lost".to_owned()]));
    assert_eq!(sale.refunded(&intent).await, 0);
}

/// Runs a command of the shop with this answer to its question. Returns its output.
fn run(shop: &TestShop, change: &[(&str, &str)], arguments: &[&str], answer: &str) -> Result<String, String> {
    let mut vars: Vec<(String, String)> = shop.vars().collect();
    vars.extend(change.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let typed = shop.folder().join("answer");
    std::fs::write(&typed, answer).unwrap();
    let mut command = binary(shop.folder(), &vars);
    command.args(arguments).stdin(File::open(typed).unwrap());
    let output = run_to_end(command);
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(said(&output.stdout)) } else { Err(said(&output.stdout) + &said(&output.stderr)) }
}

/// The shop on a database that was restored from this backup, with the answer to the question of `restore`.
async fn restored(folder: &Folder, shop: &TestShop, file: &str, options: &[&str], answer: &str) -> TestShop {
    let database = Database::sqlite(folder.path(), "shop.db");
    let url = ("DATABASE_URL", database.url());
    let arguments = [&["restore", file], options].concat();
    let said = run(shop, &[url], &arguments, answer).unwrap();
    assert_eq!(said.contains("Answer no for a drill"), options.is_empty(), "{said}");
    let key = shop.mail_folder().with_file_name("signing-key.pem").display().to_string();
    let mut vars: Vec<(String, String)> = shop.vars().filter(|(name, _)| name != "SHOP_DATA_DIR").collect();
    vars.extend([("DATABASE_URL".to_owned(), url.1.to_owned()), ("SHOP_SIGNING_KEY".to_owned(), key)]);
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    TestShop::open_with(&vars).await
}

/// A minute later. Returns what couldn't be compared.
async fn failures(shop: &TestShop) -> Vec<String> {
    shop.clock.advance(MINUTE);
    run_once(&shop.inside().checkout, MIN_AGE_MS).await.unwrap().failures
}

async fn alerts(shop: &TestShop) -> Vec<String> {
    shop.texts("SELECT kind FROM alerts ORDER BY created_at, id").await
}

// invariant: payment-recovery
// invariant: backup-and-restore
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_that_came_after_the_backup_are_made_again_by_the_restored_shop_and_not_by_a_copy() {
    let mut sale = Sale::open().await;
    sale.shop.restart_with(&[ADDRESS]).await;
    sale.buyer = sale.shop.customer().await;
    sale.reconciles().await;
    let before = sale.buyer.buys(&sale.stripe, &sale.one, 1).await;
    let file = sale.shop.folder().join("shop.backup").display().to_string();
    run(&sale.shop, &[], &["backup", &file], "").unwrap();
    let mut after = Vec::new();
    for light in [&sale.one, &sale.halo] {
        let intent = sale.buyer.starts_payment(&[(light, 1)]).await;
        sale.stripe.takes(&intent, "pm_card_visa").await;
        sale.buyer.asks_for_order(&intent.id).await.gives(201);
        after.push(intent);
    }
    sale.shop.close().await;

    // A drill, and a restore without an answer: alerts, and no order.
    for (options, answer) in [(&["--drill"][..], ""), (&[], "no\n"), (&[], "")] {
        let folder = Folder::new();
        let copy = restored(&folder, &sale.shop, &file, options, answer).await;
        for _ in 0..2 {
            let failures = failures(&copy).await;
            assert_eq!(failures.len(), 2, "{failures:?}");
            assert!(failures[0].contains("nudgelight confirm"), "{failures:?}");
        }
        assert_eq!((copy.count_orders().await, alerts(&copy).await), (1, vec!["payment_lost".to_owned(); 2]));
    }
    let folder = Folder::new();
    let shop = restored(&folder, &sale.shop, &file, &[], "y\n").await;
    assert_eq!(failures(&shop).await, Vec::<String>::new());
    assert_eq!((shop.count_orders().await, alerts(&shop).await), (3, vec!["payment_lost".to_owned(); 2]));
    for intent in &after {
        assert_ne!(shop.customer().await.asks_for_order(&intent.id).await.gives(200)["orderId"], json!(before));
        assert_eq!(sale.refunded(intent).await, 0);
    }
    shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_at_another_address_moves_no_money_until_somebody_confirms_it() {
    let mut sale = Sale::open().await;
    sale.shop.restart_with(&[ADDRESS]).await;
    sale.buyer = sale.shop.customer().await;
    sale.reconciles().await;
    let lost = sale.lost_payment().await;
    // Its items are sold by the time it is paid.
    let late = sale.buyer.starts_payment(&[(&sale.one, 1)]).await;
    sale.shop.tamper("UPDATE checkouts SET state = 'closed', closed_at = 0, closed_reason = 'expired'").await;
    sale.shop.tamper("UPDATE products SET stock = 0, reserved = 0").await;
    sale.stripe.takes(&late, "pm_card_visa").await;

    sale.shop.restart_with(&[OTHER_ADDRESS]).await;
    sale.buyer = sale.shop.customer().await;
    for _ in 0..2 {
        sale.reconciles().await;
        sale.buyer.asks_for_order(&late.id).await.refuses(503, "Overloaded");
    }
    assert_eq!(sale.alerts().await, ["payment_lost"]);
    assert_eq!((sale.refunded(&lost).await, sale.refunded(&late).await), (0, 0));
    let checked = run(&sale.shop, &[], &["check"], "").unwrap_err();
    assert!(checked.contains("belongs to the shop at http://shop.example"), "{checked}");
    // A customer may be paying in the shop.
    sale.shop.tamper("UPDATE products SET stock = 3 WHERE slug = 'nudgelight-halo'").await;
    let open = sale.buyer.starts_payment(&[(&sale.halo, 1)]).await;
    sale.shop.tamper("UPDATE checkouts SET expires_at = 1 WHERE state = 'open'").await;
    sale.shop.expires().await;
    assert_eq!(sale.stripe.intent(&open.id).await["status"], "requires_payment_method");
    assert_eq!(sale.shop.count("SELECT COUNT(*) FROM checkouts WHERE state = 'open'").await, 0, "no stock is held");

    let said = run(&sale.shop, &[], &["confirm"], "").unwrap();
    assert!(said.contains("http://copy.example"), "{said}");
    sale.buyer.asks_for_order(&late.id).await.refuses(409, "IntentExpired");
    sale.reconciles().await;
    for intent in [&lost, &late] {
        assert_eq!(sale.refunded(intent).await, sale.stripe.intent(&intent.id).await["amount"].as_i64().unwrap());
    }
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payments_that_the_database_explains_raise_no_alert() {
    let sale = Sale::open().await;
    sale.buyer.buys(&sale.stripe, &sale.one, 1).await;
    let open = sale.buyer.starts_payment(&[(&sale.one, 1)]).await;
    let refunded = sale.buyer.starts_payment(&[(&sale.halo, 2)]).await;
    sale.stripe.takes(&refunded, "pm_card_visa").await;
    sale.shop.tamper("UPDATE products SET reserved = reserved - 1, stock = stock WHERE reserved > 3").await;
    sale.shop.tamper("UPDATE products SET reserved = reserved + 1 WHERE reserved = 3").await;
    sale.reconciles().await;
    sale.reconciles().await;
    let alerts = sale.alerts().await;
    assert!(!alerts.contains(&"payment_lost".to_owned()), "{alerts:?}");
    assert_eq!(sale.stripe.intent(&open.id).await["status"], "requires_payment_method");
}
