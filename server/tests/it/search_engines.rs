//! What search engines and shopping services read: structured data, sitemap and product feed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{ApiResponse, Element, NewProduct, TestShop, product, texts};

const SHOP: &[(&str, &str)] = &[("SHOP_PUBLIC_URL", "https://shop.example")];
const HOSTILE: &str = "A <b>&amp; ]]> \"C\" 'D' \u{ffff}灯";

fn full() -> NewProduct {
    let facts = product().name("Nudgelight Nova").price(34.5).weight_pounds(1.2).stock(9);
    facts
        .with("sku", "NL-NOVA")
        .with("gtin", "00850012345671")
        .with("plug", "usb_c")
        .with("power_mw", 1500)
        .with("brightness_lm", 25)
        .with("warranty_months", 24)
        .with("led_color", "Amber")
        .with("origin_country", "CA")
        .with("dimensions", json!({ "length_mm": 64, "width_mm": 24, "height_mm": 14 }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_products_data_has_its_facts_what_shipping_costs_and_how_it_is_returned() {
    let shop = TestShop::open_with(SHOP).await;
    let light = shop.admin().await.adds(full()).await;
    let slug = &light.slug;
    let fact = shop.visitor().get(&format!("/products/{slug}")).await.json_ld("Product");
    assert_eq!(fact["image"], json!(["https://shop.example/images/nudgelight-nova-1200.png"]));
    assert_eq!((&fact["sku"], &fact["gtin"]), (&json!("NL-NOVA"), &json!("00850012345671")));
    assert_eq!(fact.get("mpn"), None, "the shop's own number is not the manufacturer's");
    assert_eq!(fact["weight"], json!({ "@type": "QuantitativeValue", "value": 1.2, "unitCode": "LBR" }));
    assert_eq!(fact["width"], json!({ "@type": "QuantitativeValue", "value": 24, "unitCode": "MMT" }));
    assert_eq!((&fact["color"], &fact["countryOfOrigin"]["name"]), (&json!("Amber"), &json!("CA")));
    let properties: Vec<&Value> =
        fact["additionalProperty"].as_array().unwrap().iter().map(|one| &one["value"]).collect();
    assert_eq!(properties, [&json!("USB-C"), &json!(1500), &json!(25), &json!(24)]);
    let shipping = fact["offers"]["shippingDetails"].as_array().unwrap();
    let ways: Vec<Value> = shipping
        .iter()
        .map(|way| {
            let time = &way["deliveryTime"];
            let days =
                ["handlingTime", "transitTime"].map(|part| json!([time[part]["minValue"], time[part]["maxValue"]]));
            json!([way["shippingDestination"]["addressCountry"], way["shippingRate"]["value"], days[0], days[1]])
        })
        .collect();
    // 1.2 lb: one more started pound.
    assert_eq!(ways, [json!(["US", "6.20", [1, 2], [3, 5]]), json!(["CA", "14.45", [1, 2], [5, 10]])]);
    // When a product that is sold out will ship is unknown.
    shop.sets_stock(&light, 0).await;
    let sold_out = shop.visitor().get(&format!("/products/{slug}")).await.json_ld("Product");
    let way = &sold_out["offers"]["shippingDetails"][0];
    assert_eq!((&way["shippingRate"]["value"], way.get("deliveryTime")), (&json!("6.20"), None), "{sold_out}");
    let returns = &fact["offers"]["hasMerchantReturnPolicy"];
    assert_eq!(
        (&returns["merchantReturnDays"], &returns["returnMethod"]),
        (&json!(30), &json!("https://schema.org/ReturnByMail"))
    );
    assert_eq!(returns["returnFees"], "https://schema.org/ReturnFeesCustomerResponsibility");
    let page = shop.visitor().get("/shipping-and-returns").await;
    page.has(&["within 30 days", "price. You pay return shipping unless the light is defective.", "return address"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_without_facts_claims_none() {
    let shop = TestShop::open_with(SHOP).await;
    let light = shop.admin().await.adds(product()).await;
    let fact = shop.visitor().get(&format!("/products/{}", light.slug)).await.json_ld("Product");
    assert_eq!(fact["sku"], json!(light.id));
    for name in ["gtin", "color", "width", "height", "depth", "countryOfOrigin", "additionalProperty"] {
        assert_eq!(fact.get(name), None, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_home_page_says_who_the_shop_is_and_the_list_what_it_has() {
    let shop = TestShop::open_with(SHOP).await;
    let home = shop.visitor().get("/").await;
    let (organization, website) = (home.json_ld("Organization"), home.json_ld("WebSite"));
    assert_eq!(website["publisher"]["@id"], organization["@id"]);
    assert_eq!(organization["logo"], "https://shop.example/icon-512.png");
    assert_eq!(shop.visitor().request("GET", "/icon-512.png").send().await.unwrap().status(), 200);
    assert_eq!(organization["contactPoint"]["@type"], "ContactPoint");
    let list = shop.visitor().get("/products").await.json_ld("ItemList");
    let items: Vec<(i64, &str)> = list["itemListElement"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["position"].as_i64().unwrap(), item["url"].as_str().unwrap()))
        .collect();
    assert_eq!(
        (list["numberOfItems"].as_i64(), items[3]),
        (Some(4), (4, "https://shop.example/products/nudgelight-halo"))
    );
}

/// The time in the sitemap of each address that has one.
async fn edited(shop: &TestShop, path: &str) -> String {
    let urls = shop.visitor().get("/sitemap.xml").await.elements("url");
    let url = urls.iter().find(|url| texts(url, "loc") == [format!("https://shop.example{path}")]).unwrap();
    texts(url, "lastmod").concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sitemap_has_a_products_images_and_its_last_edit_but_not_its_last_sale() {
    let shop = TestShop::open_with(SHOP).await;
    let (admin, customer, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let one = "/products/nudgelight-one";
    let created = edited(&shop, one).await;
    assert!(created.parse::<jiff::Timestamp>().is_ok(), "{created}");
    let urls = shop.visitor().get("/sitemap.xml").await.elements("url");
    let images: Vec<&str> = urls.iter().flat_map(|url| texts(url, "image:loc")).collect();
    assert_eq!((images.len(), images[0]), (4, "https://shop.example/images/nudgelight-one-1200.png"));

    customer.buys(&stripe, &light, 1).await;
    assert_eq!(edited(&shop, one).await, created, "a sale is no edit");
    let mut last = created;
    let (edit, stock) = (format!("/api/products/{}", light.id), format!("/api/products/{}/stock", light.id));
    for (path, change) in
        [(&edit, json!({ "price": 19.05 })), (&stock, json!({ "stock": 50 })), (&edit, json!({ "stock": 60 }))]
    {
        admin.patch(path, &change).await.gives(200);
        let now = edited(&shop, one).await;
        assert!(now > last, "{change}: {now} after {last}");
        last = now;
    }
    assert_eq!(edited(&shop, "/products").await, last, "the list was last edited with it");
}

async fn feed(shop: &TestShop) -> (ApiResponse, Vec<Vec<Element>>) {
    let feed = shop.visitor().get("/feeds/google.xml").await;
    let items = feed.elements("item");
    (feed, items)
}

/// Google's product data specification: the attributes that every product of a shop like this needs, besides the price
/// and the shipping with its prices.
const REQUIRED: [&str; 9] = [
    "g:id",
    "g:title",
    "g:description",
    "g:link",
    "g:image_link",
    "g:availability",
    "g:condition",
    "g:brand",
    "g:shipping_weight",
];

fn is_price(text: &str) -> bool {
    let amount = text.strip_suffix(" USD").and_then(|amount| amount.split_once('.'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    amount.is_some_and(|(dollars, cents)| is_number(dollars) && cents.len() == 2 && is_number(cents))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_feed_for_google_has_every_required_attribute_of_each_product_in_its_format() {
    let shop = TestShop::open_with(SHOP).await;
    let admin = shop.admin().await;
    admin.adds(full()).await;
    admin.adds(product().name("x".repeat(80)).description("y ".repeat(1999) + "z")).await;
    admin.adds(product().name("Nothing left").stock(0)).await;
    let hidden = admin.adds(product().name("Hidden").with("active", false)).await;
    let (response, items) = feed(&shop).await;
    assert_eq!(response.header("content-type"), Some("application/rss+xml; charset=utf-8"));
    response
        .has(&["<rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\"><channel><title>Nudgelight</title>"]);
    assert_eq!(items.len(), 7);
    let mut ids = BTreeSet::new();
    for item in &items {
        let one = |name: &str| -> &str {
            let texts = texts(item, name);
            assert_eq!(texts.len(), 1, "{name} of {item:?}");
            texts[0]
        };
        for name in REQUIRED {
            assert!(!one(name).is_empty(), "{name}");
        }
        assert!(one("g:id").len() <= 50 && ids.insert(one("g:id")) && one("g:id") != hidden.id);
        assert!(one("g:title").chars().count() <= 150 && one("g:description").chars().count() <= 5_000);
        assert!(one("g:link").starts_with("https://shop.example/products/"));
        assert!(one("g:image_link").ends_with(".png") || one("g:image_link").ends_with(".jpg"));
        assert!(["in_stock", "out_of_stock"].contains(&one("g:availability")) && one("g:condition") == "new");
        assert!(one("g:brand").chars().count() <= 70);
        let prices = texts(item, "g:price");
        assert!(prices.len() == 3 && prices.iter().all(|price| is_price(price)), "{prices:?}");
        let (weight, unit) = one("g:shipping_weight").split_once(' ').unwrap();
        assert!(weight.parse::<f64>().is_ok_and(|weight| weight > 0.0) && unit == "lb");
        assert_eq!(texts(item, "g:country"), ["US", "CA"]);
        let is_identified = !texts(item, "g:gtin").is_empty();
        assert_eq!(texts(item, "g:identifier_exists").is_empty(), is_identified, "{item:?}");
    }
    let nova = items.iter().find(|item| texts(item, "g:title") == ["Nudgelight Nova"]).unwrap();
    // Its own price, then those of shipping 1.2 lb to both countries.
    assert_eq!(texts(nova, "g:price"), ["34.50 USD", "6.20 USD", "14.45 USD"]);
    assert_eq!((texts(nova, "g:gtin"), texts(nova, "g:mpn")), (vec!["00850012345671"], vec![]));
    assert_eq!(texts(nova, "g:max_transit_time"), ["5", "10"]);
    let sold_out = items.iter().find(|item| texts(item, "g:title") == ["Nothing left"]).unwrap();
    assert_eq!(texts(sold_out, "g:availability"), ["out_of_stock"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_name_is_text_in_the_feed() {
    let shop = TestShop::open_with(SHOP).await;
    shop.admin().await.adds(product().name(HOSTILE).description(HOSTILE)).await;
    let (_, items) = feed(&shop).await;
    let last = items.last().unwrap();
    let shown = HOSTILE.replace('\u{ffff}', "");
    assert_eq!((texts(last, "g:title"), texts(last, "g:description")), (vec![shown.as_str()], vec![shown.as_str()]));
}
