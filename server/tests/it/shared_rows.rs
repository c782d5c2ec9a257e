//! The statements of a reservation and of a sale on PostgreSQL, and for how many of them others wait.
//!
//! Each statement is a round trip to the database. One that is added fails this test: it belongs before the first row
//! that the transactions of other buyers write too.

use serde_json::json;

use crate::harness::{Cluster, Intent, Person, TestShop, eventually};

/// A statement of a transaction.
struct Statement {
    /// Milliseconds since 1970.
    at: i64,
    /// Its verb and its table: `UPDATE products`.
    text: String,
}

/// The statements of the last committed transaction with this one, from `BEGIN` to `COMMIT`.
fn transaction_with(log: &str, statement: &str) -> Vec<Statement> {
    let lines: Vec<_> = log.lines().filter_map(logged).collect();
    let at = lines.iter().rposition(|(_, found)| found.text == statement).unwrap();
    let connection = lines[at].0;
    let begin = lines[..at].iter().rposition(|(of, found)| *of == connection && found.text == "BEGIN").unwrap();
    let own = lines.into_iter().skip(begin).filter(|(of, _)| *of == connection).map(|(_, found)| found);
    let mut statements = Vec::new();
    for found in own {
        let is_end = found.text == "COMMIT";
        statements.push(found);
        if is_end {
            break;
        }
    }
    statements
}

/// The connection and the statement of a line such as `42 1700000000.123 LOG:  execute sqlx_s_1: SELECT …`.
fn logged(line: &str) -> Option<(&str, Statement)> {
    let (connection, line) = line.split_once(' ')?;
    let (seconds, line) = line.split_once(' ')?;
    let (_, sql) = line.strip_prefix("LOG:  ")?.split_once(": ")?;
    let words: Vec<&str> = sql.split_whitespace().collect();
    let verb = *words.first()?;
    let object = match verb {
        "INSERT" => words.get(2),
        "UPDATE" => words.get(1),
        "SELECT" => words.iter().skip_while(|word| **word != "FROM").nth(1).or(words.get(1)),
        _ => None,
    };
    let text = object.map_or_else(|| verb.to_owned(), |object| format!("{verb} {object}"));
    Some((connection, Statement { at: seconds.replace('.', "").parse().ok()?, text }))
}

fn texts(statements: &[Statement]) -> Vec<&str> {
    statements.iter().map(|statement| statement.text.as_str()).collect()
}

/// Prints for how long the rows from this statement on are locked.
fn print_lock(statements: &[Statement], first: &str) {
    let from = statements.iter().position(|statement| statement.text == first).unwrap();
    let held = statements.last().unwrap().at - statements[from].at;
    println!("{first}: {} statements, {held} ms", statements.len() - from);
}

/// Reserves two lights, in place of an earlier checkout if there is one.
async fn reserve(shop: &TestShop, buyer: &Person, quantities: [i64; 2], replaced: Option<&Intent>) -> Intent {
    let (one, mini) = (shop.light("Nudgelight One").await, shop.light("Nudgelight Mini").await);
    let mut cart = Person::cart(&[(&one, quantities[0]), (&mini, quantities[1])]);
    if let Some(old) = replaced {
        cart["replaces"] = json!(old.id);
    }
    Intent::of(buyer.asks_to_pay(&cart).await.gives(200))
}

// invariant: short-shared-locks
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_buyers_wait_for_is_written_last() {
    let Some(cluster) = Cluster::start() else { return };
    let shop = TestShop::open_with(&[("DATABASE_URL", &cluster.url())]).await;
    cluster.logs_statements().await;
    let buyer = shop.customer().await;

    // A changed cart: the second reservation also releases the stock of the first.
    let first = reserve(&shop, &buyer, [1, 2], None).await;
    let intent = reserve(&shop, &buyer, [2, 1], Some(&first)).await;
    let reservation = transaction_with(&cluster.log(), "INSERT checkouts");
    print_lock(&reservation, "UPDATE products");
    assert_eq!(
        texts(&reservation),
        [
            "BEGIN",
            "UPDATE users",
            // The first checkout and its lines, the account's other checkouts, and its share of each product.
            "UPDATE checkouts",
            "SELECT checkout_lines",
            "SELECT checkouts",
            "SELECT checkouts",
            "SELECT checkouts",
            "SELECT checkouts",
            // From here on, buyers of these products wait. Two products: one statement each.
            "UPDATE products",
            "UPDATE products",
            "INSERT checkouts",
            "INSERT checkout_lines",
            "COMMIT",
        ]
    );

    // Nobody requests the order: the webhook creates it.
    shop.stripe().await.takes(&intent, "pm_card_visa").await;
    eventually("an order", async || (shop.count_orders().await == 1).then_some(())).await;
    let sale = transaction_with(&cluster.log(), "INSERT orders");
    print_lock(&sale, "UPDATE products");
    print_lock(&sale, "INSERT daily_order_totals");
    assert_eq!(
        texts(&sale),
        [
            "BEGIN",
            "UPDATE checkouts",
            "UPDATE webhook_events",
            "SELECT checkout_lines",
            // A shared lock on the time zone.
            "SELECT shop_metadata",
            "SELECT nextval('order_numbers')",
            "INSERT orders",
            "INSERT order_lines",
            "INSERT order_words",
            "INSERT tax_records",
            "INSERT outbox",
            "INSERT order_history",
            "INSERT stock_ledger",
            // From here on, buyers of these products wait. Two products: one statement each.
            "UPDATE products",
            "UPDATE products",
            "INSERT daily_product_totals",
            // From here on, all buyers wait.
            "INSERT daily_order_totals",
            "COMMIT",
        ]
    );
}
