//! Imports of tracking numbers from a carrier's file.

use std::cell::Cell;
use std::time::{Duration, Instant};

use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::harness::{ADMIN, ApiResponse, CUSTOMER, Person, TestShop, eventually, never};

const PREVIEW: &str = "/api/admin/tracking-import/preview";
const IMPORT: &str = "/api/admin/tracking-import";

async fn previews(admin: &Person, query: &str, file: impl Into<reqwest::Body>) -> ApiResponse {
    let request = admin.request("POST", &format!("{PREVIEW}{query}")).header(CONTENT_TYPE, "text/csv").body(file);
    admin.send(request).await
}

/// The verdict of each row, by its row number.
async fn verdicts(admin: &Person, file: &str) -> Vec<String> {
    let preview = previews(admin, "", file.to_owned()).await.gives(200);
    let verdict = |row: &Value| format!("{} {}", row["row"], row["verdict"].as_str().unwrap());
    preview["rows"].as_array().unwrap().iter().map(verdict).collect()
}

fn batch(shipments: &[(i64, &str)]) -> Value {
    let shipments = shipments.iter().map(|(order, number)| json!({ "order_number": order, "tracking_number": number }));
    json!({ "shipments": shipments.collect::<Vec<_>>() })
}

async fn ships(admin: &Person, batch: &Value) -> Vec<String> {
    let results = admin.post(IMPORT, batch).await.gives(200);
    let results = results["results"].as_array().unwrap().iter();
    results.map(|result| format!("{} {}", result["order_number"], result["verdict"].as_str().unwrap())).collect()
}

/// A shop with this many pending orders from 1001 on, their customer having got the receipt.
async fn shop_with_orders(copies: i64) -> (TestShop, Person, String) {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let id = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.mail_to(CUSTOMER, "order 1001").await;
    if copies > 0 {
        shop.copies_its_order(copies).await;
    }
    (shop, admin, id)
}

/// Adds the orders 1002 and 1003, with the items that copies don't have.
async fn buys_twice(shop: &TestShop) {
    let (ada, stripe, light) = (shop.customer().await, shop.stripe().await, shop.light("Nudgelight One").await);
    for _ in 0..2 {
        ada.buys(&stripe, &light, 1).await;
    }
}

async fn order(admin: &Person, id: &str) -> Value {
    admin.get(&format!("/api/admin/order/{id}")).await.gives(200)
}

fn history(order: &Value) -> Vec<String> {
    let entries = order["history"].as_array().unwrap().iter().skip(2);
    entries
        .map(|entry| format!("{}: {}", entry["actor"].as_str().unwrap(), entry["message"].as_str().unwrap()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_row_of_a_file_has_its_verdict_and_a_dry_run_changes_nothing() {
    let (_shop, admin, id) = shop_with_orders(6).await;
    let before = order(&admin, &id).await;
    let edits = [
        (1002, json!({ "status": "shipped", "tracking_number": "1Z 2" })),
        (1003, json!({ "status": "shipped", "tracking_number": "1Z 3" })),
        (1004, json!({ "status": "delivered" })),
        (1005, json!({ "status": "shipped" })),
    ];
    for (number, edit) in edits {
        admin.patch(&format!("/api/admin/order/{id}-{}", number - 1001), &edit).await.gives(200);
    }
    let file = "Recipient,Order ID,Tracking Number\r\n\
        Ada,1001,9400 1\r\nAda,#1002,1z2\r\nAda,NL-1003,1Z4\r\nAda,1004,1Z44\r\nAda,1005,1Z5\r\n\
        Ada,nl-1001,94001\r\nAda,1006,A1\r\nAda,1006,A2\r\nAda,9999,A3\r\nAda,Ada,A4\r\nAda,1007,\r\nAda,1007,9.4E21\r\n";
    let expected = [
        "2 ship",
        "3 already_shipped",
        "4 other_number",
        "5 delivered",
        "6 ship",
        "7 duplicate",
        "8 contradiction",
        "9 contradiction",
        "10 unknown_order",
        "11 invalid_order",
        "12 invalid_number",
        "13 rounded_number",
    ];
    assert_eq!(verdicts(&admin, file).await, expected);
    assert_eq!(order(&admin, &id).await, before);
    let semicolons = "\u{feff}Order #;Note;Tracking #\n1001;\"two\nlines; one field\";A1\n";
    assert_eq!(verdicts(&admin, semicolons).await, ["2 ship"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn columns_that_are_not_recognized_can_be_chosen() {
    let (_shop, admin, _) = shop_with_orders(0).await;
    let file = "Kunde,Sendung\n1001,A1\n";
    let unknown = previews(&admin, "", file).await.gives(200);
    assert_eq!(unknown, json!({ "columns": ["Kunde", "Sendung"], "order_column": 1, "rows": [] }));
    let chosen = previews(&admin, "?order_column=1&tracking_column=2", file).await.gives(200);
    assert_eq!((&chosen["order_column"], &chosen["tracking_column"]), (&json!(1), &json!(2)));
    assert_eq!((&chosen["rows"][0]["order_number"], &chosen["rows"][0]["verdict"]), (&json!(1001), &json!("ship")));
    previews(&admin, "?order_column=3", file).await.names(&["order_column"]);
    previews(&admin, "?order_column=0&tracking_column=2", file).await.names(&["order_column"]);
    previews(&admin, "?order_column=x", file).await.names(&["order_column"]);
    previews(&admin, "?order_column=1&tracking_column=1", file).await.names(&["tracking_column"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_no_csv_is_refused_with_a_sentence_that_names_the_row() {
    let (_shop, admin, _) = shop_with_orders(0).await;
    let utf16: Vec<u8> = "\u{feff}Order,Tracking".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let long = format!("Order,Tracking\n{}", "1001,A1\n".repeat(200_000));
    let files: [(Vec<u8>, &str); 9] = [
        (Vec::new(), "The file is empty."),
        (b"Order,Tracking\r\n".to_vec(), "The file has no rows."),
        (utf16, "UTF-16"),
        (vec![0; 100], "CSV UTF-8"),
        (b"Order,Tracking\n1001,\x81\n".to_vec(), "Row 2"),
        (b"Order,Tracking\n1001,\"A1\n1002,A2\n".to_vec(), "quotes that start in row 2"),
        (b"Order,Tracking\n1001,A1,x\n".to_vec(), "Row 2 has 3 fields"),
        (b"Order,Tracking\n1001,=HYPERLINK(1)\n".to_vec(), "Row 2 has a formula in the column “Tracking”"),
        (long.into_bytes(), "more than 10000 rows"),
    ];
    for (file, words) in files {
        let refused = previews(&admin, "", file).await;
        let sentence = refused.names(&["file"])["fields"]["file"].as_str().unwrap().to_owned();
        assert!(sentence.contains(words), "{sentence}");
    }
    previews(&admin, "", vec![b'a'; 5 * 1024 * 1024 + 1]).await.refuses(413, "BodyTooLarge");
    let form = admin.request("POST", PREVIEW).header(CONTENT_TYPE, "application/json").body("{}");
    admin.send(form).await.refuses(415, "UnsupportedMediaType");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_ships_its_orders_once_with_history_and_one_email_each() {
    let (shop, admin, id) = shop_with_orders(0).await;
    buys_twice(&shop).await;
    let shipments = batch(&[(1001, " 1Z999AA10123456784 "), (1003, "T3"), (1003, "T3"), (9, "T4")]);
    assert_eq!(ships(&admin, &shipments).await, ["1001 ship", "1003 ship", "1003 duplicate", "9 unknown_order"]);
    let shipped = order(&admin, &id).await;
    assert_eq!((&shipped["status"], &shipped["tracking_number"]), (&json!("shipped"), &json!("1Z999AA10123456784")));
    let entries = [
        format!("{ADMIN}: Status changed from pending to shipped"),
        format!("{ADMIN}: Tracking number set to 1Z999AA10123456784"),
        "shop: Email to customer: Your Nudgelight order 1001 has shipped".to_owned(),
    ];
    assert_eq!(history(&shipped), entries);
    let mail = shop.mail_to(CUSTOMER, "order 1001 has shipped").await;
    assert!(mail.text.contains("ups.com") && mail.text.contains("Nudgelight One"), "{}", mail.text);
    shop.mail_to(CUSTOMER, "order 1003 has shipped").await;
    let mails = shop.mails_to(CUSTOMER).len();
    let again = ["1001 already_shipped", "1003 already_shipped", "1003 duplicate", "9 unknown_order"];
    assert_eq!(ships(&admin, &shipments).await, again);
    assert_eq!(order(&admin, &id).await, shipped);
    never("another email", async || shop.mails_to(CUSTOMER).get(mails).cloned()).await;
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_without_emails_sends_none_and_a_refunded_order_is_left_alone() {
    let (shop, admin, id) = shop_with_orders(1).await;
    admin.patch(&format!("/api/admin/order/{id}"), &json!({ "status": "refunded" })).await.gives(200);
    shop.mail_to(CUSTOMER, "Refund").await;
    let mut shipments = batch(&[(1001, "T1"), (1002, "T2")]);
    shipments["notify_customer"] = json!(false);
    assert_eq!(ships(&admin, &shipments).await, ["1001 refunded", "1002 ship"]);
    never("an email about a shipment", async || {
        shop.mails_to(CUSTOMER).into_iter().find(|mail| mail.subject.contains("has shipped"))
    })
    .await;
    let counts = admin.get("/api/admin/orders?status=shipped").await.gives(200);
    assert_eq!(counts["total"], json!(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_with_an_invalid_shipment_is_refused_whole() {
    let (_shop, admin, id) = shop_with_orders(0).await;
    let wrong = batch(&[(1001, "T1"), (0, "T2"), (1002, "=1+1")]);
    admin.post(IMPORT, &wrong).await.names(&["shipments[1].order_number", "shipments[2].tracking_number"]);
    admin.post(IMPORT, &batch(&[])).await.names(&["shipments"]);
    admin.post(IMPORT, &batch(&[(1001, "T1"); 201])).await.names(&["shipments"]);
    assert_eq!(order(&admin, &id).await["status"], json!("pending"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_administrators_who_import_the_same_file_at_once_ship_each_order_once() {
    let (shop, admin, _) = shop_with_orders(99).await;
    let numbers: Vec<(i64, String)> = (1001..1101).map(|number| (number, format!("T{number}"))).collect();
    let shipments = batch(&numbers.iter().map(|(number, text)| (*number, text.as_str())).collect::<Vec<_>>());
    let (one, two) = tokio::join!(ships(&admin, &shipments), ships(&admin, &shipments));
    let shipped = one.iter().chain(&two).filter(|result| result.ends_with(" ship")).count();
    assert_eq!(shipped, 100);
    eventually("a hundred emails", async || {
        let mails = shop.mails_to(CUSTOMER);
        (mails.iter().filter(|mail| mail.subject.contains("has shipped")).count() == 100).then_some(())
    })
    .await;
}

/// The export for label software, with a tracking number for each order, is a carrier's file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_whose_tracking_column_is_filled_ships_its_orders() {
    for columns in ["orders", "pirate_ship", "ship_station", "canada_post"] {
        let (shop, admin, _) = shop_with_orders(0).await;
        buys_twice(&shop).await;
        let export = admin.get(&format!("/api/admin/orders.csv?columns={columns}&bom=true")).await;
        let filled = fill(&export.text);
        assert_eq!(verdicts(&admin, &filled).await.iter().filter(|row| row.ends_with(" ship")).count(), 3, "{filled}");
        let preview = previews(&admin, "", filled.clone()).await.gives(200);
        let rows = preview["rows"].as_array().unwrap();
        let shipments: Vec<_> = rows
            .iter()
            .map(|row| json!({ "order_number": row["order_number"], "tracking_number": row["tracking_number"] }))
            .collect();
        let shipped = ships(&admin, &json!({ "shipments": shipments })).await;
        assert_eq!(shipped, ["1003 ship", "1002 ship", "1001 ship"]);
        assert!(verdicts(&admin, &filled).await.iter().all(|row| row.ends_with(" already_shipped")));
    }
}

/// The export with a tracking number in each row. None of its fields has a comma or a line end.
fn fill(export: &str) -> String {
    let has_column = export.contains("tracking_number");
    let fill = |(index, line): (usize, &str)| match (index, has_column) {
        (0, true) => line.to_owned(),
        (0, false) => format!("{line},Tracking Number"),
        (_, false) => format!("{line},1Z{index}"),
        (_, true) => {
            let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
            fields[6] = format!("1Z{index}");
            fields.join(",")
        }
    };
    export.lines().enumerate().map(fill).collect::<Vec<_>>().join("\r\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tracking_number_belongs_to_one_order_only() {
    let (_shop, admin, id) = shop_with_orders(4).await;
    let edit = json!({ "status": "shipped", "tracking_number": "1z 999AA1-0123456784" });
    admin.patch(&format!("/api/admin/order/{id}"), &edit).await.gives(200);
    let file = "Order,Tracking\n1002,1Z999AA10123456784\n1003,T-3\n1004,t3\n1005,T5\n";
    let expected = ["2 number_of_other_order", "3 number_of_other_order", "4 number_of_other_order", "5 ship"];
    assert_eq!(verdicts(&admin, file).await, expected);
    let shipments = batch(&[(1002, "1Z999AA10123456784"), (1003, "T3"), (1004, "T3"), (1005, "T5")]);
    let expected =
        ["1002 number_of_other_order", "1003 number_of_other_order", "1004 number_of_other_order", "1005 ship"];
    assert_eq!(ships(&admin, &shipments).await, expected);
    assert_eq!(ships(&admin, &batch(&[(1002, "t-5")])).await, ["1002 number_of_other_order"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tracking_number_with_a_wrong_check_digit_is_a_problem_and_one_of_another_form_a_warning() {
    let (_shop, admin, _) = shop_with_orders(2).await;
    let preview = async |number: &str| {
        let file = format!("Order,Tracking\n1001,\"{number}\"\n");
        previews(&admin, "", file).await.gives(200)["rows"][0].clone()
    };
    for (right, wrong) in [
        ("9405 8036 9930 0124 2878 99", "9405803699300124287898"),
        ("03071790000523483741", "03071790000523483749"),
        ("RB123456785GB", "RB123456784GB"),
        ("1Z999AA10123456784", "1Z999AA10123456785"),
        ("0073938000549297", "0073938000549292"),
        ("986578788855", "996578788855"),
        ("568283610012734", "568283610012732"),
        ("61299998820821171811", "61299998820821171819"),
        ("9611020987654312345672", "9611020987654312345671"),
    ] {
        let row = preview(right).await;
        assert_eq!((&row["verdict"], row.get("warning")), (&json!("ship"), None), "{right}");
        let row = preview(wrong).await;
        assert_eq!(row["verdict"], "wrong_check_digit", "{wrong}");
        admin.post(IMPORT, &batch(&[(1001, wrong)])).await.names(&["shipments[0].tracking_number"]);
    }
    let row = preview("JD0146").await;
    assert_eq!((&row["verdict"], &row["warning"]), (&json!("ship"), &json!("unknown_format")));
    for rounded in ["9.40011E+21", "9E21", "9,40011e+21", "9400111899223810000000", "7939380005492970"] {
        let row = preview(rounded).await;
        assert_eq!(row["verdict"], "rounded_number", "{rounded}");
        assert!(row["message"].as_str().unwrap().starts_with("Excel rounded this number."), "{row}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_a_spreadsheet_has_saved_is_read() {
    let (_shop, admin, _) = shop_with_orders(2).await;
    let shipped = async |file: &[u8]| {
        let preview = previews(&admin, "", file.to_vec()).await.gives(200);
        let row = |row: &Value| {
            assert_eq!(row["verdict"], "ship", "{preview}");
            format!("{} {} {}", row["row"], row["order_number"], row["tracking_number"].as_str().unwrap())
        };
        preview["rows"].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    for file in [
        "Order,Tracking\n1001,=\"T1\"\n",
        "Order,Tracking\n\"=\"\"1001\"\"\",\"=\"\"T1\"\"\"\n",
        "Order,Tracking\n'1001,'T1\n",
        "Order,Tracking\n\"1,001\",T1\n",
        "Order,Tracking\n1001.0,T1\n",
        "sep=;\r\nOrder;Tracking\r\n\"1,001\";T1\r\n",
    ] {
        assert_eq!(shipped(file.as_bytes()).await, ["2 1001 T1"], "{file}");
    }
    let titles = b"Shipments of May 1, 2026\nby Zo\xeb,,\n\nName,Order ID,Tracking Number\nZo\xeb \x96,1001,T1\n";
    assert_eq!(shipped(titles).await, ["5 1001 T1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_columns_of_more_carriers_are_known_and_an_empty_order_id_is_looked_up_in_the_next_one() {
    let (_shop, admin, _) = shop_with_orders(3).await;
    for header in [
        "Reference Number(s),PackageTrackingNumber",
        "Reference Number 1,Tracking Number",
        "PackageReference1,PackageTrackingNumber",
        "Reference ID,Label Number",
        "Reference ID,USPS Tracking #",
        "Reference,tracking_code",
        "Numéro de référence,Numéro de repérage",
        "Customer Reference,Item Number",
    ] {
        assert_eq!(verdicts(&admin, &format!("{header}\n1001,T1\n")).await, ["2 ship"], "{header}");
    }
    let file = "Order ID,Rubber Stamp 1,Tracking Number\n1001,x,T1\n,NL-1002,T2\n,,T3\n";
    assert_eq!(verdicts(&admin, file).await, ["2 ship", "3 ship", "4 invalid_order"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_column_with_the_numbers_of_open_orders_is_proposed() {
    let (_shop, admin, _) = shop_with_orders(3).await;
    let file = "Weight,Kunde,Tracking Number\n7,1001,T1\n1003,1002,T2\n8,,T3\n";
    let preview = previews(&admin, "", file).await.gives(200);
    assert_eq!((&preview["order_column"], &preview["rows"][1]["order_number"]), (&json!(2), &json!(1002)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_of_the_file_shows_whose_order_it_is() {
    let (_shop, admin, _) = shop_with_orders(0).await;
    let preview = previews(&admin, "", "Order,Tracking\n1001,T1\n9,T2\n").await.gives(200);
    assert_eq!((&preview["rows"][0]["name"], preview["rows"][1].get("name")), (&json!("Ada Lovelace"), None));
}

/// The figures are printed for the performance documents: `--nocapture`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_rows_ship_and_other_writes_go_on_between_the_batches() {
    let (shop, admin, _) = shop_with_orders(9_999).await;
    let file: String = (1001..11_001).map(|number| format!("{number},1Z{number}\n")).collect();
    let begun = Instant::now();
    let preview = previews(&admin, "", format!("Order ID,Tracking Number\n{file}")).await.gives(200);
    let previewed = begun.elapsed();
    assert_eq!(preview["rows"].as_array().unwrap().len(), 10_000);
    let edits = Cell::new(0);
    let begun = Instant::now();
    tokio::select! {
        () = imports(&admin) => {}
        () = edits_stock(&shop, &admin, &edits) => {}
    }
    println!("10,000 rows: dry run {previewed:?}, import {:?}, {} other writes", begun.elapsed(), edits.get());
    // A writer that waited for the whole import would get one through the 100 batches.
    assert!(edits.get() > 10, "{}", edits.get());
}

/// Ships the orders 1001 to 11000 in batches like the browser's.
async fn imports(admin: &Person) {
    let numbers: Vec<(i64, String)> = (1001..11_001).map(|number| (number, format!("1Z{number}"))).collect();
    for chunk in numbers.chunks(100) {
        let chunk: Vec<(i64, &str)> = chunk.iter().map(|(number, text)| (*number, text.as_str())).collect();
        let results = ships(admin, &batch(&chunk)).await;
        assert!(results.iter().all(|result| result.ends_with(" ship")), "{results:?}");
    }
}

/// Changes a stock again and again, and counts.
async fn edits_stock(shop: &TestShop, admin: &Person, edits: &Cell<u32>) {
    let light = shop.light("Nudgelight One").await;
    let path = format!("/api/products/{}/stock", light.id);
    let mut stock = admin.get(&format!("/api/products/{}", light.slug)).await.gives(200)["stock"].as_i64().unwrap();
    loop {
        admin.patch(&path, &json!({ "stock": stock + 1, "was": stock })).await.gives(200);
        stock += 1;
        edits.set(edits.get() + 1);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
