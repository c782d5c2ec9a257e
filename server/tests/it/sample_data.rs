//! `nudgelight seed --orders`: sample orders satisfy all invariants, and pagination works for long lists.

use serde_json::Value;

use crate::configuration::{binary, complaint, run_to_end};
use crate::harness::{Folder, Person, TestShop};

/// More orders than the list skips by offset (`MAX_OFFSET`), so both kinds of pagination are tested.
const ORDERS: i64 = 1_300;

/// A shop that was stopped, filled with sample data, and restarted.
async fn with_sample_data(arguments: &[&str]) -> TestShop {
    let mut shop = TestShop::open().await;
    shop.close().await;
    seed(&shop, arguments);
    shop.restart().await;
    shop
}

fn seed(shop: &TestShop, arguments: &[&str]) {
    let output = run_to_end(seed_command(shop, arguments));
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{complained}");
}

fn seed_command(shop: &TestShop, arguments: &[&str]) -> std::process::Command {
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut command = binary(&std::env::temp_dir(), &vars);
    command.arg("seed").args(arguments);
    command
}

/// The order numbers on all pages of a list.
async fn all_pages(admin: &Person, filter: &str) -> Vec<i64> {
    let mut numbers = Vec::new();
    for page in 1.. {
        let response = admin.get(&format!("/api/admin/orders?limit=100&page={page}{filter}")).await.gives(200);
        let orders = response["orders"].as_array().unwrap();
        numbers.extend(orders.iter().map(|order| order["number"].as_i64().unwrap()));
        if page >= response["totalPages"].as_i64().unwrap() {
            assert_eq!(response["total"], Value::from(numbers.len()), "{filter}");
            return numbers;
        }
    }
    numbers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invented_past_balances_and_every_page_of_it_is_right() {
    let shop = with_sample_data(&["--orders", "1300", "--customers", "90", "--products", "30"]).await;
    shop.audit().await;
    assert_eq!(shop.count_orders().await, ORDERS);
    let admin = shop.admin().await;
    // Order numbers ascend with the order date.
    let newest_first: Vec<i64> = (1_001..=1_000 + ORDERS).rev().collect();
    assert_eq!(all_pages(&admin, "").await, newest_first);
    let delivered = all_pages(&admin, "&status=delivered").await;
    assert!(delivered.len() > 1_000 && delivered.is_sorted_by(|one, next| one > next));
    let mut by_status = delivered;
    for status in ["pending", "processing", "shipped", "refunded"] {
        by_status.extend(all_pages(&admin, &format!("&status={status}")).await);
    }
    by_status.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(by_status, newest_first, "each order has one status");

    let past = shop.clock.now_ms() - 400 * 24 * 60 * 60_000;
    let day = server::infra::clock::utc_day(past);
    let (since, until) = (all_pages(&admin, &format!("&startDate={day}")).await, format!("&endDate={day}"));
    let mut both = all_pages(&admin, &until).await;
    both.retain(|number| !since.contains(number));
    assert_eq!([since, both].concat(), newest_first, "both date filters are inclusive");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sample_order_has_a_history_that_is_read_like_any_other() {
    let shop = with_sample_data(&["--orders", "10", "--customers", "5", "--products", "3"]).await;
    let admin = shop.admin().await;
    let id = shop.texts("SELECT id FROM orders WHERE number = 1001").await.remove(0);
    let order = admin.get(&format!("/api/admin/order/{id}")).await.gives(200);
    let history: Vec<(&str, &str)> = order["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["kind"].as_str().unwrap(), entry["message"].as_str().unwrap()))
        .collect();
    let delivered = format!("Status changed from pending to {}", order["status"].as_str().unwrap());
    assert_eq!(
        history,
        [
            ("placed", "Order placed and paid"),
            ("email_sent", "Email to customer: Your Nudgelight order 1001"),
            ("status_changed", delivered.as_str()),
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_finds_each_order_once_by_any_word_and_any_filter_besides() {
    let shop = with_sample_data(&["--orders", "400", "--customers", "40", "--products", "5"]).await;
    let admin = shop.admin().await;
    let orders = shop
        .texts("SELECT LOWER(name) || ' ' || LOWER(user_email) FROM orders ORDER BY created_at DESC, id DESC")
        .await;
    let ascii = orders.iter().find(|of| of.is_ascii()).unwrap();
    let start = &ascii.split(' ').nth(1).unwrap()[..3];
    let has_word = |of: &&String| of.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(start));
    let expected = orders.iter().filter(has_word);
    let found = all_pages(&admin, &format!("&q={}", start.to_uppercase())).await;
    assert_eq!(found.len(), expected.count());
    let mut parts = Vec::new();
    for status in ["pending", "processing", "shipped", "delivered", "refunded"] {
        parts.extend(all_pages(&admin, &format!("&q={start}&status={status}")).await);
    }
    parts.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(parts, found);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_seed_gives_the_same_past_and_another_one_another() {
    let arguments = ["--orders", "20", "--customers", "5", "--products", "3"];
    let orders = async |seed: &str| {
        let shop = with_sample_data(&[&arguments[..], &["--seed", seed]].concat()).await;
        shop.texts("SELECT id || ' ' || total || ' ' || address || ' ' || status FROM orders ORDER BY number").await
    };
    let first = orders("7").await;
    assert_eq!(first, orders("7").await);
    assert_ne!(first, orders("8").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_with_orders_gets_a_past_only_when_that_is_said() {
    let mut shop = with_sample_data(&["--orders", "10", "--products", "3"]).await;
    shop.close().await;
    let refused = complaint(seed_command(&shop, &["--orders", "10", "--products", "3"]));
    assert!(refused.contains("already has 10 orders") && refused.contains("--add"), "{refused}");
    seed(&shop, &["--orders", "10", "--products", "3", "--add"]);
    shop.restart().await;
    assert_eq!(shop.count_orders().await, 20);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_invented_in_a_shop_that_takes_money() {
    let folder = Folder::new();
    let data = folder.path().display().to_string();
    let live = [
        ("SHOP_ADDR", "127.0.0.1:0"),
        ("SHOP_DATA_DIR", data.as_str()),
        ("STRIPE_SECRET_KEY", "sk_live_1"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_live_1"),
        ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
    ];
    let mut command = binary(folder.path(), &live);
    command.args(["seed", "--orders", "10"]);
    let refused = complaint(command);
    assert!(refused.contains("test mode"), "{refused}");
}
