//! What is packed, labeled and shipped of an order: what was bought and not refunded.

use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::harness::{ApiResponse, CUSTOMER, Light, Person, Stripe, TestShop, eventually, product};

/// The order 1001 of two units of Duo and one of Nova, and the order 1002 of one Nova.
struct Sales {
    shop: TestShop,
    admin: Person,
    stripe: Stripe,
    duo: Light,
    nova: Light,
    ids: [String; 2],
}

impl Sales {
    async fn open() -> Self {
        let shop = TestShop::open().await;
        let (admin, ada, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
        let light = |name: &str, price: f64| product().name(name).price(price).weight_pounds(1.0).stock(9);
        let (duo, nova) = (admin.adds(light("Duo", 20.0)).await, admin.adds(light("Nova", 5.0)).await);
        let intent = ada.starts_payment(&[(&duo, 2), (&nova, 1)]).await;
        stripe.takes(&intent, "pm_card_visa").await;
        let first = ada.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
        let second = ada.buys(&stripe, &nova, 1).await;
        Self { shop, admin, stripe, duo, nova, ids: [first, second] }
    }

    async fn refunds(&self, id: &str, body: &Value) {
        self.admin.post(&format!("/api/admin/order/{id}/refunds"), body).await.gives(201);
    }

    /// Refunds one of the two units of Duo, and the other order in full.
    async fn refunds_a_duo_and_an_order(&self) {
        let lines = json!([{ "product_id": self.duo.id, "quantity": 1 }]);
        self.refunds(&self.ids[0], &json!({ "lines": lines, "restock": true })).await;
        let intent = self.shop.texts("SELECT payment_intent_id FROM orders WHERE number = 1002").await.remove(0);
        // At the provider, so that the order is still to be packed.
        self.stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", &intent)]).await.gives(200);
        self.shop.reconciles().await;
        assert_eq!(self.order(1).await["payment"]["status"], "refunded");
    }

    async fn order(&self, index: usize) -> Value {
        self.admin.get(&format!("/api/admin/order/{}", self.ids[index])).await.gives(200)
    }

    async fn get(&self, path: &str) -> ApiResponse {
        let response = self.admin.get(path).await;
        assert_eq!(response.status, 200, "{response}");
        response
    }

    /// The rows of a file with these columns.
    async fn rows(&self, columns: &str) -> Vec<String> {
        let file = self.get(&format!("/api/admin/orders.csv?columns={columns}")).await;
        file.text.lines().skip(1).map(str::to_owned).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refunded_unit_is_neither_picked_nor_printed_and_a_refunded_order_is_left_out_and_counted() {
    let sales = Sales::open().await;
    sales.refunds_a_duo_and_an_order().await;
    let slips = sales.get("/api/admin/packing-slips").await;
    assert_eq!(slips.between("<h2>Order ", "</h2>"), ["1001"], "{slips}");
    assert!(slips.text.contains("2 items for 1 order"), "{slips}");
    assert!(!slips.text.contains("units several"), "two units of one product: {slips}");
    assert!(slips.text.contains("1 order left out: refunded in full"), "{slips}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refunded_unit_is_neither_weighed_nor_declared_in_files_for_labels() {
    let sales = Sales::open().await;
    sales.refunds_a_duo_and_an_order().await;
    let left = |order: &Value| order["total"].as_f64().unwrap() - order["payment"]["refunded"].as_f64().unwrap();
    let paid = format!(",{:.2},", left(&sales.order(0).await));
    let rows = sales.rows("pirate_ship").await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].contains(",2,0.00,1 x Duo; 1 x Nova,; ,2,25.00,"), "weight, items and value: {rows:?}");
    let rows = sales.rows("ship_station").await;
    assert!(rows[0].contains(",32.00,,Duo,1,20.00,16.00,") && rows[0].contains(&paid), "{rows:?}");
    let rows = sales.rows("canada_post").await;
    assert!(rows[0].contains(",0.907,USD,Sale of Goods,Duo,,1,0.453,20.00,20.00,"), "{rows:?}");
    let file = sales.get("/api/admin/orders.csv?columns=canada_post").await;
    assert_eq!((file.header("x-left-out-refunded"), file.header("x-left-out-on-hold")), (Some("1"), Some("0")));

    assert_eq!(file.header("x-already-shipped"), Some("0"));

    let bought = sales.get("/api/admin/orders.csv").await;
    assert_eq!(bought.text.lines().count(), 3, "the list of orders has what was sold: {bought}");
    assert_eq!(bought.header("x-left-out-refunded"), None);

    let path = format!("/api/admin/order/{}", sales.ids[0]);
    sales.admin.patch(&path, &json!({ "status": "delivered" })).await.gives(200);
    for query in ["", "&q=ada", "&numbers=1001"] {
        let file = sales.get(&format!("/api/admin/orders.csv?columns=pirate_ship{query}")).await;
        assert_eq!(file.header("x-already-shipped"), Some("1"), "{query}");
        assert_eq!(file.text.lines().count(), 2);
    }
    // An order that is left out isn't in the file.
    let lines = json!([
        { "product_id": sales.duo.id, "quantity": 1 },
        { "product_id": sales.nova.id, "quantity": 1 },
    ]);
    sales.refunds(&sales.ids[0], &json!({ "lines": lines })).await;
    let file = sales.get("/api/admin/orders.csv?columns=pirate_ship").await;
    assert_eq!((file.header("x-left-out-refunded"), file.header("x-already-shipped")), (Some("2"), Some("0")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrators_see_what_an_order_still_owes_and_its_customer_what_was_bought() {
    let sales = Sales::open().await;
    let order = sales.order(0).await;
    assert_eq!(order["owed"], order["items"]);
    sales.refunds_a_duo_and_an_order().await;
    let order = sales.order(0).await;
    let quantities = |items: &Value| -> Vec<(String, i64)> {
        let items = items.as_array().unwrap().iter();
        items
            .map(|item| (item["product_name"].as_str().unwrap().to_owned(), item["quantity"].as_i64().unwrap()))
            .collect()
    };
    assert_eq!(quantities(&order["owed"]), [("Duo".to_owned(), 1), ("Nova".to_owned(), 1)]);
    assert_eq!(sales.order(1).await["owed"], json!([]));
    let ada = sales.shop.customer().await;
    let seen = ada.get(&format!("/api/orders/{}", sales.ids[0])).await.gives(200);
    assert_eq!(quantities(&seen["items"]), [("Duo".to_owned(), 2), ("Nova".to_owned(), 1)]);
    assert_eq!(seen["owed"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shipping_email_says_what_is_in_the_package_of_a_partly_refunded_order() {
    let packed = "In this package: 1 \u{d7} Duo, 1 \u{d7} Nova. Items we refunded aren\u{2019}t included.";
    for in_bulk in [false, true] {
        let sales = Sales::open().await;
        sales.refunds_a_duo_and_an_order().await;
        if in_bulk {
            let shipments = json!([{ "order_number": 1001, "tracking_number": "A1" }]);
            sales.admin.post("/api/admin/tracking-import", &json!({ "shipments": shipments })).await.gives(200);
        } else {
            let path = format!("/api/admin/order/{}", sales.ids[0]);
            sales.admin.patch(&path, &json!({ "status": "shipped" })).await.gives(200);
        }
        let mail = sales.shop.mail_to(CUSTOMER, "has shipped").await;
        assert!(mail.text.contains(packed), "{}", mail.text);
        // What is refunded later was in the package.
        let path = format!("/api/admin/order/{}/emails", sales.ids[0]);
        sales.refunds(&sales.ids[0], &json!({ "lines": [{ "product_id": sales.nova.id, "quantity": 1 }] })).await;
        sales.admin.post(&path, &json!({ "kind": "shipment" })).await.gives(201);
        let mails = eventually("a second email", async || {
            let mails = sales.shop.mails_to(CUSTOMER);
            let shipped = mails.iter().filter(|mail| mail.subject.contains("has shipped"));
            let texts: Vec<_> = shipped.map(|mail| mail.text.clone()).collect();
            (texts.len() == 2).then_some(texts)
        })
        .await;
        assert_eq!(mails.iter().filter(|text| text.contains("In this package")).count(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_by_amount_leaves_the_items_and_one_of_all_items_leaves_nothing() {
    let sales = Sales::open().await;
    sales.refunds(&sales.ids[0], &json!({ "amount": 10.0 })).await;
    assert_eq!(sales.order(0).await["owed"], sales.order(0).await["items"]);
    let all = json!({ "lines": [{ "product_id": sales.nova.id, "quantity": 1 }] });
    sales.refunds(&sales.ids[1], &all).await;
    let order = sales.order(1).await;
    assert_eq!((&order["owed"], &order["payment"]["status"]), (&json!([]), &json!("partially_refunded")));
    let slips = sales.get("/api/admin/packing-slips").await;
    assert_eq!(slips.between("<h2>Order ", "</h2>"), ["1001"], "{slips}");
    assert!(slips.text.contains("3 items for 1 order"), "{slips}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_owes_nothing_is_not_shipped_with_many_others_and_the_dry_run_says_so() {
    let sales = Sales::open().await;
    sales.refunds_a_duo_and_an_order().await;
    for to in ["shipped", "delivered"] {
        let preview = sales.get(&format!("/api/admin/order-status/preview?to={to}")).await.json();
        assert_eq!((&preview["orders"][0]["number"], &preview["refunded"]), (&json!(1001), &json!(1)), "{preview}");
        assert_eq!(preview["orders"].as_array().unwrap().len(), 1);
    }
    let version = sales.order(1).await["version"].clone();
    let batch = json!({ "orders": [{ "number": 1002, "version": version, "status": "shipped" }] });
    let result = sales.admin.patch("/api/admin/order-status", &batch).await.gives(200);
    assert_eq!(result, json!({ "changed": [], "conflicts": [1002] }));

    let file = "Order ID,Tracking Number\n1001,A1\n1002,A2\n";
    let request = sales.admin.request("POST", "/api/admin/tracking-import/preview");
    let preview = sales.admin.send(request.header(CONTENT_TYPE, "text/csv").body(file)).await.gives(200);
    let verdicts = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|row| row["verdict"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(verdicts(&preview["rows"]), ["ship", "nothing_owed"]);
    assert_eq!(preview["rows"][1]["message"], "Everything in this order has been refunded.");
    let shipments = json!([
        { "order_number": 1001, "tracking_number": "A1" }, { "order_number": 1002, "tracking_number": "A2" },
    ]);
    let results = sales.admin.post("/api/admin/tracking-import", &json!({ "shipments": shipments })).await.gives(200);
    assert_eq!(verdicts(&results["results"]), ["ship", "nothing_owed"]);
    assert_eq!(
        (&sales.order(0).await["status"], &sales.order(1).await["status"]),
        (&json!("shipped"), &json!("pending"))
    );
    // By hand, any status can be set.
    let path = format!("/api/admin/order/{}", sales.ids[1]);
    sales.admin.patch(&path, &json!({ "status": "shipped" })).await.gives(200);
    sales.shop.audit().await;
}
