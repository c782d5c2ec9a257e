//! A day of shipping: twenty orders, with refunds in parts, disputes, a refund that the bank returned, and files of four
//! carriers. Everything that packs agrees on what is shipped and what is left out.

use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::harness::{CUSTOMER, Light, Person, Stripe, TestShop, eventually, product};

/// As *To pack* prints them.
const SLIPS: &str = "/api/admin/packing-slips?status=pending&sort=oldest";
const FIRST: usize = 1001;
/// One of the two Duos of each was refunded.
const REFUNDED_IN_PART: std::ops::RangeInclusive<usize> = 1001..=1006;
/// Its refund was returned by the bank: the money goes back in another way, and the Duo stays in stock.
const RETURNED: usize = 1006;
/// An open dispute, a lost one, and an inquiry.
const DISPUTES: [(usize, &str); 3] = [(1007, "needs_response"), (1008, "lost"), (1009, "warning_needs_response")];
const REFUNDED_IN_FULL: usize = 1010;
const LAST: usize = 1020;

struct Day {
    shop: TestShop,
    admin: Person,
    stripe: Stripe,
    duo: Light,
    nova: Light,
    /// Of the orders from the first one on.
    ids: Vec<String>,
}

impl Day {
    /// Twenty orders of two Duos and one Nova.
    async fn open() -> Self {
        let shop = TestShop::open().await;
        let (admin, ada, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
        let light = |name: &str, price: f64| product().name(name).price(price).weight_pounds(1.0).stock(90);
        let (duo, nova) = (admin.adds(light("Duo", 20.0)).await, admin.adds(light("Nova", 5.0)).await);
        let mut ids = Vec::new();
        for _ in FIRST..=LAST {
            let intent = ada.starts_payment(&[(&duo, 2), (&nova, 1)]).await;
            stripe.takes(&intent, "pm_card_visa").await;
            ids.push(ada.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned());
        }
        let day = Self { shop, admin, stripe, duo, nova, ids };
        day.refunds_and_disputes().await;
        day
    }

    fn id(&self, number: usize) -> &str {
        &self.ids[number - FIRST]
    }

    async fn refunds(&self, number: usize, lines: Value) {
        let path = format!("/api/admin/order/{}/refunds", self.id(number));
        self.admin.post(&path, &json!({ "lines": lines, "restock": true })).await.gives(201);
    }

    async fn intent(&self, number: usize) -> String {
        let intents = self.shop.texts("SELECT number || ' ' || payment_intent_id FROM orders").await;
        let found = intents.iter().find_map(|row| row.strip_prefix(&format!("{number} "))).unwrap();
        found.to_owned()
    }

    async fn refunds_and_disputes(&self) {
        let line = |light: &Light, quantity: i64| json!({ "product_id": light.id, "quantity": quantity });
        for number in REFUNDED_IN_PART {
            self.refunds(number, json!([line(&self.duo, 1)])).await;
        }
        self.refunds(REFUNDED_IN_FULL, json!([line(&self.duo, 2), line(&self.nova, 1)])).await;
        let path = format!("/v1/refunds?payment_intent={}", self.intent(RETURNED).await);
        let refunds = self.stripe.as_shop("GET", &path, &[]).await.gives(200);
        self.stripe.returns_refund(refunds["data"][0]["id"].as_str().unwrap()).await;
        for (number, status) in DISPUTES {
            self.shop.has_dispute(&format!("du_{number}"), &self.intent(number).await, status).await;
        }
        self.shop.reconciles().await;
        eventually("the refund that the bank returned", async || {
            (self.shop.count("SELECT COUNT(*) FROM refunds WHERE state = 'failed'").await == 1).then_some(())
        })
        .await;
    }

    async fn get(&self, path: &str) -> String {
        let response = self.admin.get(path).await;
        assert_eq!(response.status, 200, "{response}");
        response.text
    }

    async fn previews(&self, file: Vec<u8>) -> Value {
        let request = self.admin.request("POST", "/api/admin/tracking-import/preview");
        self.admin.send(request.header(CONTENT_TYPE, "text/csv").body(file)).await.gives(200)
    }

    /// Imports a carrier's file: the rows to ship are shipped. Returns the numbers of the others with their verdicts.
    async fn imports(&self, file: Vec<u8>) -> Vec<String> {
        let preview = self.previews(file).await;
        let rows = preview["rows"].as_array().unwrap_or_else(|| panic!("{preview}"));
        let (ship, skipped): (Vec<&Value>, Vec<&Value>) = rows.iter().partition(|row| row["verdict"] == "ship");
        let shipment =
            |row: &&Value| json!({ "order_number": row["order_number"], "tracking_number": row["tracking_number"] });
        let batch = json!({ "shipments": ship.iter().map(shipment).collect::<Vec<_>>() });
        let results = self.admin.post("/api/admin/tracking-import", &batch).await.gives(200);
        for result in results["results"].as_array().unwrap() {
            assert_eq!(result["verdict"], "ship", "{results}");
        }
        skipped.iter().map(|row| format!("{} {}", row["order_number"], row["verdict"].as_str().unwrap())).collect()
    }
}

/// A file with these columns and a row for each order.
fn file(header: &str, separator: char, orders: impl IntoIterator<Item = usize>) -> String {
    let row = |number: usize| format!("{number}{separator}T{number}\r\n");
    format!("{header}\r\n{}", orders.into_iter().map(row).collect::<String>())
}

/// In Windows-1252, as a spreadsheet saves it.
fn windows_1252(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slips_labels_and_imports_agree_on_what_is_shipped_and_what_is_left_out() {
    let day = Day::open().await;
    let packed: Vec<String> =
        (FIRST..=LAST).filter(|number| !(1007..=1010).contains(number)).map(|number| number.to_string()).collect();

    let slips = day.admin.get(SLIPS).await;
    assert_eq!(slips.between("<h2>Order ", "</h2>"), packed);
    // Two of six orders, and three of ten.
    for printed in ["42 items for 16 orders", "3 orders left out: on hold", "1 order left out: refunded in full"] {
        assert!(slips.text.contains(printed), "{printed}: {slips}");
    }

    let labels = day.admin.get("/api/admin/orders.csv?columns=pirate_ship&sort=oldest").await;
    let numbers: Vec<&str> = labels.text.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(numbers, packed, "{labels}");
    assert_eq!((labels.header("x-left-out-refunded"), labels.header("x-left-out-on-hold")), (Some("1"), Some("3")));
    for (row, number) in labels.text.lines().skip(1).zip(&packed) {
        let is_partial = REFUNDED_IN_PART.contains(&number.parse().unwrap());
        let items = if is_partial { "1 x Duo; 1 x Nova," } else { "2 x Duo; 1 x Nova," };
        assert!(row.contains(items), "{row}");
    }

    let ups = file("Reference Number(s),PackageTrackingNumber", ',', [1001, 1002, 1003, 1004, 1007]);
    let usps = file("Reference ID,Label Number", ',', [1005, 1006, 1010, 1011, 1012]);
    let easypost = file("reference,tracking_code", ',', [1013, 1014, 1015, 1016, 1008]);
    let canada_post =
        file("Num\u{e9}ro de r\u{e9}f\u{e9}rence;Num\u{e9}ro d'article", ';', [1017, 1018, 1019, 1020, 1009]);
    assert_eq!(day.imports(ups.clone().into()).await, ["1007 on_hold"]);
    assert_eq!(day.imports(usps.into()).await, ["1010 nothing_owed"]);
    assert_eq!(day.imports(easypost.into()).await, ["1008 on_hold"]);
    assert_eq!(day.imports(windows_1252(&canada_post)).await, ["1009 on_hold"]);
    let again = day.previews(ups.into()).await;
    let verdicts: Vec<&str> =
        again["rows"].as_array().unwrap().iter().map(|row| row["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["already_shipped", "already_shipped", "already_shipped", "already_shipped", "on_hold"]);

    // All orders are packed, and each has one shipping email, which lists the contents of its package.
    let slips = day.get(SLIPS).await;
    assert!(slips.contains("No orders to pack.") && slips.contains("3 orders left out: on hold"), "{slips}");
    let shipped = eventually("the emails", async || {
        let mails = day.shop.mails_to(CUSTOMER);
        let shipped: Vec<_> = mails.into_iter().filter(|mail| mail.subject.contains("has shipped")).collect();
        (shipped.len() >= packed.len()).then_some(shipped)
    })
    .await;
    assert_eq!(shipped.len(), packed.len());
    assert_eq!(day.shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'shipment'").await, 16);
    let partial = shipped.iter().filter(|mail| mail.text.contains("In this package: 1 \u{d7} Duo, 1 \u{d7} Nova."));
    assert_eq!(partial.count(), REFUNDED_IN_PART.count());
    for (number, status) in
        [(1001, "shipped"), (1006, "shipped"), (1007, "pending"), (1010, "pending"), (1020, "shipped")]
    {
        let order = day.admin.get(&format!("/api/admin/order/{}", day.id(number))).await.gives(200);
        assert_eq!(order["status"], status, "{order}");
    }
    day.shop.audit().await;
}
