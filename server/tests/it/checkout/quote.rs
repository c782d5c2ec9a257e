use serde_json::{Value, json};
use wasm_core::money::Cents;
use wasm_core::pricing::{PricedLine, ShippingRates, TaxCalculation, quote};
use wasm_core::validation::{Country, states};
use wasm_core::weight::Weight;

use crate::harness::{Intent, Light, Person, TestShop, address, california, montreal, product};

async fn quoted(shop: &TestShop, name: &str, quantity: i64, destination: Value) -> Value {
    let (buyer, light) = (shop.customer().await, shop.light(name).await);
    let mut cart = Person::cart(&[(&light, quantity)]);
    cart["shippingAddress"] = destination;
    buyer.asks_to_pay(&cart).await.gives(200)
}

// spec: paymentIntent.client_secret, taxCalculation, shippingCost
// spec: Currency usd
// spec: total is subtotal plus shipping plus tax
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_lights_to_california_come_to_59_dollars_80() {
    let shop = TestShop::open().await;
    let quote = quoted(&shop, "Nudgelight One", 2, california()).await;
    assert_eq!(quote["subtotal"], json!(49.98));
    assert_eq!(quote["shippingCost"], json!(6.20));
    assert_eq!(quote["taxCalculation"]["tax_amount_exclusive"], json!(362));
    assert_eq!(quote["total"], json!(59.80));
    let breakdown = json!([{
        "amount": 362,
        "tax_rate_details": {
            "percentage_decimal": "7.25", "country": "US", "state": "CA", "tax_type": "sales_tax",
        },
    }]);
    assert_eq!(quote["taxCalculation"]["tax_breakdown"], breakdown);
    assert!(quote["taxCalculation"]["id"].as_str().is_some_and(|id| !id.is_empty()));
    let intent = Intent::of(quote);
    assert!(intent.client_secret.starts_with(&format!("{}_secret_", intent.id)));
    let provider = shop.stripe().await.intent(&intent.id).await;
    assert_eq!((provider["amount"].clone(), provider["currency"].clone()), (json!(5980), json!("usd")));
}

// spec: tax rates and fees
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_built_in_tax_table_gives_the_same_quote() {
    let shop = TestShop::open_with(&[("SHOP_TAX", "table")]).await;
    let quote = quoted(&shop, "Nudgelight One", 2, california()).await;
    assert_eq!(
        (quote["total"].clone(), quote["taxCalculation"]["tax_amount_exclusive"].clone()),
        (json!(59.80), json!(362))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tax_table_charges_what_the_cart_estimates_in_every_state_and_province() {
    let shop = TestShop::open_with(&[("SHOP_TAX", "table")]).await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let line = PricedLine { price: Cents::from_cents(2499), weight: Weight::from_hundredths(60), quantity: 2 };
    let mut open = None;
    for (country, code) in [(Country::Us, "94110"), (Country::Ca, "H2X 1Y4")] {
        for (state, _) in states(country) {
            let mut cart = Person::cart(&[(&one, 2)]);
            cart["replaces"] = json!(open);
            cart["shippingAddress"] = address(country.code(), state, code);
            let charged = buyer.asks_to_pay(&cart).await.gives(200);
            open = Some(charged["paymentIntent"]["id"].clone());

            let rates = ShippingRates::default();
            let before_tax = quote(&[line], country, &rates, Cents::ZERO).unwrap();
            let (subtotal, shipping) = (before_tax.subtotal, before_tax.shipping);
            let tax = TaxCalculation::by_table(String::new(), country, state, subtotal, shipping).unwrap();
            let estimate = quote(&[line], country, &rates, tax.total()).unwrap();
            assert_eq!(charged["taxCalculation"]["tax_amount_exclusive"], json!(estimate.tax.cents()), "{state}");
            assert_eq!(charged["total"], json!(estimate.total), "{state}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quebec_has_two_taxes_and_canada_its_own_shipping() {
    let shop = TestShop::open().await;
    let quote = quoted(&shop, "Nudgelight One", 2, montreal()).await;
    // 1.2 lb is billed as two pounds: $11.95 + $2.50.
    assert_eq!((quote["subtotal"].clone(), quote["shippingCost"].clone()), (json!(49.98), json!(14.45)));
    let breakdown = quote["taxCalculation"]["tax_breakdown"].as_array().unwrap();
    let taxes: Vec<(&str, i64)> = breakdown
        .iter()
        .map(|tax| (tax["tax_rate_details"]["tax_type"].as_str().unwrap(), tax["amount"].as_i64().unwrap()))
        .collect();
    // GST is 5% and QST 9.975% of $64.43.
    assert_eq!(taxes, [("gst", 322), ("qst", 643)]);
    assert_eq!(quote["taxCalculation"]["tax_amount_exclusive"], json!(965));
    assert_eq!(quote["total"], json!(74.08));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_place_without_a_tax_is_not_taxed() {
    let shop = TestShop::open().await;
    let quote = quoted(&shop, "Nudgelight One", 1, address("US", "OR", "97201")).await;
    assert_eq!(quote["taxCalculation"]["tax_amount_exclusive"], json!(0));
    assert_eq!(quote["total"], json!(29.94));
}

// spec: Shipping cost rules
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shipping_counts_started_pounds_of_the_whole_order() {
    let shop = TestShop::open().await;
    let (buyer, one, mini) =
        (shop.customer().await, shop.light("Nudgelight One").await, shop.light("Nudgelight Mini").await);
    let shipping = async |lines: &[(&Light, i64)]| {
        buyer.asks_to_pay(&Person::cart(lines)).await.gives(200)["shippingCost"].clone()
    };
    assert_eq!(shipping(&[(&mini, 4)]).await, json!(4.95), "exactly one pound");
    assert_eq!(shipping(&[(&mini, 5)]).await, json!(6.20), "one pound and a quarter");
    assert_eq!(shipping(&[(&one, 1), (&mini, 2)]).await, json!(6.20), "1.1 lb together");
}

// invariant: price-tampering
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_of_one_product_are_added_up() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let quote = buyer.asks_to_pay(&Person::cart(&[(&one, 1), (&one, 1)])).await.gives(200);
    assert_eq!(quote["total"], json!(59.80));
    buyer.asks_to_pay(&Person::cart(&[(&one, 60), (&one, 40)])).await.names(&["items[1].quantity"]);
}

// invariant: price-tampering
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_a_client_says_of_prices_reaches_the_quote() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let mut cart = Person::cart(&[(&one, 2)]);
    for (member, value) in [
        ("total", json!(0.01)),
        ("subtotal", json!(0)),
        ("shippingCost", json!(0)),
        ("tax", json!(0)),
        ("amount", json!(1)),
        ("user_id", json!("x")),
    ] {
        cart[member] = value;
    }
    cart["items"][0]["price"] = json!(0.01);
    cart["items"][0]["weight_pounds"] = json!(0);
    cart["items"][0]["name"] = json!("Another");
    assert_eq!(buyer.asks_to_pay(&cart).await.gives(200)["total"], json!(59.80));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quote_says_until_when_its_goods_are_held() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let before = shop.clock.now_ms();
    let quote = buyer.starts_payment(&[(&one, 1)]).await.quote;
    let (soonest, latest) = (before + 900_000, shop.clock.now_ms() + 900_000);
    let expires = quote["expires_at"].as_str().unwrap();
    // RFC 3339 timestamps in UTC sort chronologically, as long as all have milliseconds.
    let text = |ms: i64| server::infra::clock::rfc3339(ms);
    assert!(expires.ends_with('Z'), "{expires}");
    assert!(text(soonest)[..19] <= expires[..19] && expires[..19] <= text(latest)[..19], "{expires}");
}

// spec: allowed shipping countries US and CA
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_is_tidied_and_judged_by_its_country() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let mut cart = Person::cart(&[(&one, 1)]);
    cart["shippingAddress"] = address("ca", "on", "m5v2t6");
    cart["shippingAddress"]["name"] = json!("  Ada Lovelace ");
    let intent = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await;
    let list = buyer.get("/api/user/orders").await.gives(200);
    let path = format!("/api/orders/{}", list["orders"][0]["id"].as_str().unwrap());
    let order = buyer.get(&path).await.gives(200);
    assert_eq!(order["address"]["name"], "Ada Lovelace");
    assert_eq!(order["address"]["address"]["postal_code"], "M5V 2T6");
    assert_eq!(
        (order["address"]["address"]["state"].as_str(), order["address"]["address"]["country"].as_str()),
        (Some("ON"), Some("CA"))
    );

    let wrong = [
        (address("DE", "BE", "10115"), &["shippingAddress.address.country"][..]),
        (address("US", "ON", "94110"), &["shippingAddress.address.state"]),
        (address("US", "CA", "M5V 2T6"), &["shippingAddress.address.postal_code"]),
        (address("CA", "QC", "94110"), &["shippingAddress.address.postal_code"]),
        (json!({ "name": "", "address": california()["address"] }), &["shippingAddress.name"]),
    ];
    for (destination, fields) in wrong {
        cart["shippingAddress"] = destination;
        buyer.asks_to_pay(&cart).await.names(fields);
    }
}

// invariant: integer-cents
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_for_more_than_can_be_paid_is_refused_as_such_and_holds_nothing() {
    let shop = TestShop::open().await;
    let (buyer, admin) = (shop.customer().await, shop.admin().await);
    let light = admin.adds(product().name("Chandelier").price(99_999.99).stock(200)).await;
    for too_many in [10, 99] {
        let body = buyer.asks_to_pay(&Person::cart(&[(&light, too_many)])).await.names(&["items"]);
        assert!(body["fields"]["items"].as_str().unwrap().contains("$999,999.99"), "{body}");
    }
    assert_eq!(shop.light("Chandelier").await.available, 200);
    buyer.starts_payment(&[(&light, 9)]).await;
    shop.audit().await;
}
