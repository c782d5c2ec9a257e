//! Tax report: equals the orders and refunds to the cent, with both sources of taxes.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use super::refunding::cents;
use crate::harness::{Intent, Person, Stripe, TestShop, address};

const PLACES: [(&str, &str, &str); 5] = [
    ("US", "CA", "94110"),
    ("US", "TX", "78701"),
    ("US", "OR", "97201"),
    ("CA", "QC", "H2X 1Y4"),
    ("CA", "ON", "M5V 2T6"),
];
/// 2026-11-30T23:00:00Z, an hour before a new month.
const END_OF_NOVEMBER: i64 = 1_796_079_600_000;

async fn buys(shop: &TestShop, stripe: &Stripe, place: (&str, &str, &str), quantity: i64) -> String {
    let buyer = shop.customer().await;
    let light = shop.light("Nudgelight Mini").await;
    let mut cart = Person::cart(&[(&light, quantity)]);
    cart["shippingAddress"] = address(place.0, place.1, place.2);
    let intent = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned()
}

async fn report(shop: &TestShop, query: &str) -> Value {
    shop.admin().await.get(&format!("/api/admin/tax-report{query}")).await.gives(200)
}

fn rows(report: &Value) -> Vec<(String, [i64; 4])> {
    let row = |row: &Value| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let key = [text("month"), text("country"), text("region"), text("tax_type")].join(" ");
        (key, ["sales", "collected", "refunded", "net"].map(|name| signed_cents(&row[name])))
    };
    report["rows"].as_array().unwrap().iter().map(row).collect()
}

fn months(report: &Value) -> Vec<(String, [i64; 3])> {
    let month = |month: &Value| {
        let sums = ["collected", "refunded", "net"].map(|name| signed_cents(&month[name]));
        (month["month"].as_str().unwrap().to_owned(), sums)
    };
    report["months"].as_array().unwrap().iter().map(month).collect()
}

fn signed_cents(amount: &Value) -> i64 {
    match amount.to_string().strip_prefix('-') {
        Some(positive) => -cents(&serde_json::from_str(positive).unwrap()),
        None => cents(amount),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_counts_in_its_own_month_and_an_order_in_the_state_that_it_was_taxed_in() {
    for source in ["table", "stripe"] {
        let shop = TestShop::open_with(&[("SHOP_TAX", source)]).await;
        shop.clock.advance(END_OF_NOVEMBER - shop.clock.now_ms());
        let stripe = shop.stripe().await;
        let montreal = buys(&shop, &stripe, PLACES[3], 1).await;
        buys(&shop, &stripe, PLACES[0], 1).await;
        // The address of a paid order may change; its tax does not.
        let path = format!("/api/admin/order/{montreal}");
        let admin = shop.admin().await;
        admin.patch(&path, &json!({ "address": address("CA", "ON", "M5V 2T6") })).await.gives(200);
        let order = admin.get(&path).await.gives(200);
        shop.clock.advance(2 * 3_600_000);
        let admin = shop.admin().await;
        admin.post(&format!("{path}/refunds"), &json!({ "shipping": true })).await.gives(201);

        let rows = rows(&report(&shop, "?from=2026-11&to=2026-12").await);
        assert_eq!(report(&shop, "?from=2026-01&to=2026-02").await["this_month"], json!("2026-12"));
        let keys: Vec<&str> = rows.iter().map(|(key, _)| key.as_str()).collect();
        let expected = [
            "2026-11 CA QC gst",
            "2026-11 CA QC qst",
            "2026-11 US CA sales_tax",
            "2026-12 CA QC gst",
            "2026-12 CA QC qst",
        ];
        assert_eq!(keys, expected, "{source}");
        let tax = order["tax_breakdown"][0]["amount"].as_i64().unwrap();
        let sales = cents(&order["subtotal"]) + cents(&order["shipping_cost"]);
        assert_eq!(rows[0].1, [sales, tax, 0, tax], "{source}");
        let [sales, collected, refunded, net] = rows[3].1;
        assert_eq!((sales, collected, net), (-cents(&order["shipping_cost"]), 0, -refunded), "{source}");
        assert!(refunded > 0, "{source}");
        let total = |month: &str, column: usize| -> i64 {
            rows.iter().filter(|(key, _)| key.starts_with(month)).map(|(_, sums)| sums[column]).sum()
        };
        let months = months(&report(&shop, "?from=2026-11&to=2026-12").await);
        let expected =
            ["2026-11", "2026-12"].map(|month| (month.to_owned(), [1, 2, 3].map(|column| total(month, column))));
        assert_eq!(months, expected, "{source}");
        shop.audit().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_report_equals_random_orders_and_refunds_to_the_cent() {
    for (seed, source) in [(1, "table"), (2, "stripe")] {
        let mut rng = StdRng::seed_from_u64(seed);
        let shop = TestShop::open_with(&[("SHOP_TAX", source)]).await;
        shop.clock.advance(END_OF_NOVEMBER - shop.clock.now_ms());
        let stripe = shop.stripe().await;
        for _ in 0..12 {
            let id = buys(&shop, &stripe, PLACES[rng.random_range(0..PLACES.len())], rng.random_range(1..=3)).await;
            for _ in 0..rng.random_range(0..3) {
                shop.clock.advance(rng.random_range(0..10) * 86_400_000);
                let amount = json!(f64::from(rng.random_range(1_u32..=900)) / 100.0);
                let path = format!("/api/admin/order/{id}/refunds");
                shop.admin().await.post(&path, &json!({ "amount": amount })).await.gives(201);
            }
        }
        let whole = report(&shop, "?from=2026-11&to=2027-12").await;
        let sums = sums_of_orders(&shop).await;
        let total = |name: &str| signed_cents(&whole[name]);
        assert_eq!((total("collected"), total("refunded")), sums, "{source}");
        assert_eq!(total("net"), sums.0 - sums.1, "{source}");
        let added: [i64; 3] =
            rows(&whole).iter().fold([0; 3], |sum, (_, row)| [sum[0] + row[1], sum[1] + row[2], sum[2] + row[3]]);
        assert_eq!(added, [sums.0, sums.1, sums.0 - sums.1], "{source}");
        assert_eq!(months_one_by_one(&shop).await, rows(&whole), "{source}");
        csv_equals(&shop, &whole).await;
        shop.audit().await;
    }
}

async fn sums_of_orders(shop: &TestShop) -> (i64, i64) {
    let collected = shop.count("SELECT CAST(SUM(tax) AS BIGINT) FROM orders").await;
    let refunded = "SELECT CAST(COALESCE(SUM(tax), 0) AS BIGINT) FROM refunds WHERE state = 'done'";
    (collected, shop.count(refunded).await)
}

async fn months_one_by_one(shop: &TestShop) -> Vec<(String, [i64; 4])> {
    let mut all = Vec::new();
    for month in
        ["2026-11", "2026-12"].into_iter().map(str::to_owned).chain((1..=12).map(|month| format!("2027-{month:02}")))
    {
        all.extend(rows(&report(shop, &format!("?from={month}&to={month}")).await));
    }
    all
}

async fn csv_equals(shop: &TestShop, report: &Value) {
    let file = shop.admin().await.get("/api/admin/tax-report.csv?from=2026-11&to=2027-12").await;
    assert_eq!(file.status, 200, "{file}");
    let mut lines = file.text.lines();
    assert_eq!(lines.next(), Some("month,country,region,tax_type,sales,collected,refunded,net"));
    let in_file: BTreeMap<String, Vec<String>> = lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            (fields[..4].join(" "), fields[4..].iter().map(|amount| (*amount).to_owned()).collect())
        })
        .collect();
    let shown: BTreeMap<String, Vec<String>> = rows(report)
        .into_iter()
        .map(|(key, row)| (key, row.map(|cents| wasm_core::money::Cents::from_cents(cents).decimal()).to_vec()))
        .collect();
    assert_eq!(in_file, shown);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_month_is_named() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let wrong = [
        ("from=2026-13", "from"),
        ("to=soon", "to"),
        ("from=2026-1&to=2026-02", "from"),
        ("from=2026-02&to=2026-01", "to"),
        ("from=2020-01&to=2026-01", "from"),
    ];
    for (query, field) in wrong {
        admin.get(&format!("/api/admin/tax-report?{query}")).await.names(&[field]);
        admin.get(&format!("/api/admin/tax-report.csv?{query}")).await.names(&[field]);
    }
    let report = admin.get("/api/admin/tax-report?from=&to=").await.gives(200);
    assert_eq!((&report["rows"], &report["net"]), (&json!([]), &json!(0.0)));
}
