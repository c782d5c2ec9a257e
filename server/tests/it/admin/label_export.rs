//! Exports for label software.

use serde_json::json;

use crate::harness::{ApiResponse, Light, Person, TestShop, california, montreal, product};

async fn export(admin: &Person, query: &str) -> ApiResponse {
    let response = admin.get(&format!("/api/admin/orders.csv{query}")).await;
    assert_eq!(response.status, 200, "{response}");
    response
}

/// The columns and the first row: the fields contain no quotes or commas.
fn first_row(file: &ApiResponse) -> Vec<(&str, &str)> {
    let mut lines = file.text.split("\r\n");
    let (header, row) = (lines.next().unwrap(), lines.next().unwrap());
    assert_eq!(header.split(',').count(), row.split(',').count(), "{file}");
    header.split(',').zip(row.split(',')).collect()
}

#[track_caller]
fn has(file: &ApiResponse, expected: &[(&str, &str)]) {
    let row = first_row(file);
    for column in expected {
        assert!(row.contains(column), "{column:?}: {row:?}");
    }
}

async fn with_codes(shop: &TestShop) -> Light {
    let nova = product().name("Nova").price(20.0).weight_pounds(1.25).stock(9).with("sku", "NL-NOVA");
    shop.admin().await.adds(nova.with("hs_code", "9405.21").with("origin_country", "CA")).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_label_software_gets_the_address_in_parts_and_weights_in_its_units() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let id = ada.buys(&stripe, &with_codes(&shop).await, 2).await;
    let mut address = california();
    (address["phone"], address["address"]["line2"]) = (json!("+1 415 555 0100"), json!("Unit 5"));
    let order = admin.patch(&format!("/api/admin/order/{id}"), &json!({ "address": address })).await.gives(200);
    let email = order["user_email"].as_str().unwrap();
    let file = export(&admin, "?columns=pirate_ship").await;
    has(&file, &[("Order ID", "1001"), ("Name", "Ada Lovelace"), ("Address Line 1", "12 Lamp Street")]);
    has(&file, &[("Address Line 2", "Unit 5"), ("City", "Brightwater"), ("State", "CA"), ("Zipcode", "94110")]);
    has(&file, &[("Country", "US"), ("Email", email), ("Phone", "1 415 555 0100"), ("Rubber Stamp 1", "NL-1001")]);
    has(&file, &[("Pounds", "2"), ("Ounces", "8.00"), ("Order Items", "2 x Nova"), ("SKUs", "NL-NOVA")]);
    // Customs codes are for packages that cross a border.
    has(&file, &[("Order Value", "40.00"), ("HS Codes", ""), ("Countries of Origin", "")]);
    has(&export(&admin, "?columns=canada_post").await, &[("HS Tariff Code", "9405.21"), ("Country of Origin", "CA")]);
    let file = export(&admin, "?columns=ship_station").await;
    has(&file, &[("Order #", "1001"), ("Recipient Full Name", "Ada Lovelace"), ("Postal Code", "94110")]);
    has(&file, &[("Weight(oz)", "40.00"), ("Item Weight(oz)", "20.00"), ("Item Quantity", "2")]);
    has(&file, &[("Item SKU", "NL-NOVA"), ("Item Name", "Nova"), ("Item Unit Price", "20.00"), ("HS Tariff", "")]);
    admin.patch(&format!("/api/admin/order/{id}"), &json!({ "address": montreal() })).await.gives(200);
    let file = export(&admin, "?columns=canada_post").await;
    has(&file, &[("Province", "QC"), ("Postal Code", "H2X 1Y4"), ("Country", "CA"), ("Currency", "USD")]);
    has(&file, &[("Weight (kg)", "1.134"), ("Unit Weight (kg)", "0.566"), ("Total Value", "40.00")]);
    has(&file, &[("HS Tariff Code", ""), ("Country of Origin", ""), ("Phone", "")]);
    has(&export(&admin, "?columns=pirate_ship").await, &[("HS Codes", "9405.21"), ("Countries of Origin", "CA")]);
    has(&export(&admin, "?columns=ship_station").await, &[("HS Tariff", "9405.21"), ("Country of Origin", "CA")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_file_is_named_after_its_software_and_the_day() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let day = server::infra::clock::utc_day(shop.clock.now_ms());
    for (columns, stem) in
        [("pirate_ship", "pirate-ship"), ("ship_station", "shipstation"), ("canada_post", "canada-post")]
    {
        let file = export(&admin, &format!("?columns={columns}")).await;
        let name = format!("attachment; filename=\"{stem}-{day}.csv\"");
        assert_eq!(file.header("content-disposition"), Some(name.as_str()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_several_items_has_a_row_for_each_where_the_software_wants_it() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let (one, duo) = (shop.light("Nudgelight One").await, shop.light("Nudgelight Duo").await);
    let intent = ada.starts_payment(&[(&one, 1), (&duo, 2)]).await;
    stripe.takes(&intent, "pm_card_visa").await;
    ada.asks_for_order(&intent.id).await;
    let rows = async |columns: &str| {
        let file = export(&admin, &format!("?columns={columns}&numbers=1001")).await;
        file.text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows("pirate_ship").await.len(), 1);
    assert!(rows("pirate_ship").await[0].contains(",1 x Nudgelight One; 2 x Nudgelight Duo,"));
    for columns in ["ship_station", "canada_post"] {
        let rows = rows(columns).await;
        assert_eq!(rows.len(), 2, "{rows:?}");
        assert!(rows.iter().all(|row| row.starts_with("1001,")), "{rows:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn label_files_are_safe_in_a_spreadsheet_and_say_what_they_are() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let light = admin.adds(product().name("=Nova").with("sku", "-NOVA")).await;
    let id = ada.buys(&stripe, &light, 1).await;
    let mut address = california();
    (address["name"], address["address"]["line1"]) = (json!("=1+1"), json!("+12 Lamp Street"));
    admin.patch(&format!("/api/admin/order/{id}"), &json!({ "address": address })).await.gives(200);
    for columns in ["pirate_ship", "ship_station", "canada_post"] {
        let file = export(&admin, &format!("?columns={columns}")).await;
        for text in [",'=1+1,", ",'+12 Lamp Street,", "'-NOVA"] {
            assert!(file.text.contains(text), "{text}: {file}");
        }
        let marked = export(&admin, &format!("?columns={columns}&bom=true")).await;
        assert_eq!(marked.text, format!("\u{feff}{}", file.text));
    }
    assert_eq!(export(&admin, "?columns=orders&bom=false").await.text, export(&admin, "").await.text);
    for (query, field) in [("?columns=ups", "columns"), ("?columns=", "columns"), ("?bom=yes", "bom"), ("?bom=", "bom")]
    {
        admin.get(&format!("/api/admin/orders.csv{query}")).await.names(&[field]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_label_file_of_many_orders_has_each_of_them_once() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.copies_its_order(2_500).await;
    let file = export(&admin, "?columns=pirate_ship").await;
    let mut numbers: Vec<&str> = file.text.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
    assert_eq!(numbers.len(), 2_501);
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 2_501);
}
