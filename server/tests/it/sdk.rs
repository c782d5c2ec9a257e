//! What other developers install from the shop: its packages, and the data of the buy button.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha512};

use crate::harness::{TestShop, product};
use crate::photos::png;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_package_is_served_with_the_checksum_of_the_list() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let list = visitor.get("/sdk/index.json").await.gives(200);
    let (mut names, mut modules) = (Vec::new(), Vec::new());
    for package in list.as_array().unwrap() {
        let path = format!("/sdk/{}", package["file"].as_str().unwrap());
        let response = visitor.request("GET", &path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "application/gzip", "{path}");
        let tag = response.headers()["etag"].to_str().unwrap().to_owned();
        let digest = STANDARD.encode(Sha512::digest(response.bytes().await.unwrap()));
        assert_eq!(package["integrity"], format!("sha512-{digest}"), "{path}");
        let unchanged = visitor.request("GET", &path).header("if-none-match", tag).send().await.unwrap();
        assert_eq!(unchanged.status(), 304, "{path}");
        names.push(package["name"].as_str().unwrap());
        modules.extend(package["modules"].as_object().unwrap().values().map(|file| file.as_str().unwrap()));
    }
    names.sort_unstable();
    assert_eq!(names, ["@nudgelight/buy", "@nudgelight/client", "@nudgelight/core"]);
    modules.sort_unstable();
    assert_eq!(modules, ["buy.js", "client.js", "core.js", "schedule.js", "tax.js"]);
    for module in modules {
        let script = visitor.get(&format!("/sdk/{module}")).await;
        assert_eq!(script.status, 200, "{module}: {script}");
        assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"), "{module}");
        assert_eq!(script.header("cache-control"), Some("public, max-age=3600"), "{module}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sdk_has_no_other_file() {
    let shop = TestShop::open().await;
    for name in ["nothing.tgz", "core", "", "../index.html", "..%2f..%2fCargo.toml", "%00", "core.tgz%00", "%FF"] {
        let response = shop.visitor().get(&format!("/sdk/{name}")).await;
        assert_eq!(response.status, 404, "{name}: {response}");
    }
}

async fn button(shop: &TestShop, name: &str) -> Value {
    shop.visitor().get(&format!("/api/products/{name}/buy-button")).await.gives(200)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_buy_button_has_what_it_shows_with_absolute_addresses() {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example/"), ("SHOP_DEMO", "1")]).await;
    let light = shop.admin().await.adds(product().name("Nova").price(1234.5).stock(120)).await;
    let expected = json!({
        "id": light.id,
        "name": "Nova",
        "url": "https://shop.example/products/nova",
        "picture": {
            "src": "https://shop.example/images/nova.svg", "alt": "Drawing of Nova", "width": 480, "height": 360,
        },
        "price": "$1,234.50",
        "stock": { "code": "in_stock", "label": "In Stock" },
        "quantity_limit": 99,
    });
    for name in ["nova", "Nova", "NOVA", &light.id] {
        assert_eq!(button(&shop, name).await, expected, "{name}");
    }
    let admin = shop.admin().await;
    admin.patch(&format!("/api/products/{}", light.id), &json!({ "name": "Nova Two" })).await.gives(200);
    assert_eq!(button(&shop, "nova").await["url"], "https://shop.example/products/nova-two", "a former slug");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_buy_button_follows_the_stock_and_the_photos() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let light = admin.adds(product().name("Nova").stock(120)).await;
    let unchanged = async |tag: &str| {
        let visitor = shop.visitor();
        let request = visitor.request("GET", "/api/products/nova/buy-button").header("if-none-match", tag);
        visitor.send(request).await.status
    };
    for (stock, code, label, limit) in
        [(4, "low_stock", "Low Stock", 4), (0, "out_of_stock", "Out of Stock", 0), (5, "in_stock", "In Stock", 5)]
    {
        shop.sets_stock(&light, stock).await;
        let button = button(&shop, "nova").await;
        assert_eq!(button["stock"], json!({ "code": code, "label": label }));
        assert_eq!(button["quantity_limit"], limit);
    }
    let before = shop.visitor().get("/api/products/nova/buy-button").await;
    let tag = before.header("etag").unwrap();
    assert_eq!((before.header("cache-control"), unchanged(tag).await), (Some("no-cache"), 304));

    admin.uploads(&light, png(64, 48)).await.gives(201);
    assert_eq!(unchanged(tag).await, 200);
    let picture = button(&shop, "nova").await["picture"].clone();
    assert!(picture["src"].as_str().unwrap().starts_with(&format!("{}/images/photos/", shop.url())), "{picture}");
    assert_eq!((&picture["width"], &picture["height"]), (&json!(64), &json!(48)));

    admin.patch(&format!("/api/products/{}", light.id), &json!({ "active": false })).await.gives(200);
    for (client, name) in [(shop.visitor(), "nova"), (shop.visitor(), &light.id), (shop.visitor(), "nothing")] {
        client.get(&format!("/api/products/{name}/buy-button")).await.refuses(404, "NotFound");
    }
    admin.get("/api/products/nova/buy-button").await.refuses(404, "NotFound");
}
