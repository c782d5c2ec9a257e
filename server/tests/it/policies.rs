//! Policies: Markdown of the settings, or the standard texts; sanitized, with preview and history.

use serde_json::{Value, json};

use crate::harness::{Person, TestShop, product};

const SETTINGS: &str = "/api/admin/settings";
const PREVIEW: &str = "/api/admin/policy-preview";
/// Policies with the names of their settings and a sentence of the standard text.
const POLICIES: [(&str, &str, &str); 4] = [
    ("contact", "contact", "A person reads every message and usually replies within one business day."),
    ("privacy", "privacy", "Your email and a hashed password."),
    ("terms", "terms", "Your order is complete once you pay. You can still return it"),
    (
        "shipping-and-returns",
        "shipping_and_returns",
        "Changed your mind? Send it back within 30 days for a full refund of the price.",
    ),
];

async fn changes(admin: &Person, patch: Value) -> Value {
    admin.patch(SETTINGS, &patch).await.gives(200)
}

async fn html(shop: &TestShop, policy: &str) -> String {
    shop.visitor().get(&format!("/api/policies/{policy}")).await.gives(200)["html"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_policy_is_the_standard_text_until_it_is_changed_and_again_when_it_is_cleared() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    for (policy, setting, standard) in POLICIES {
        let page = format!("/{policy}");
        shop.visitor().get(&page).await.has(&[standard]);
        assert!(html(&shop, policy).await.contains(standard));
        changes(&admin, json!({ setting: "# Ours\r\n\r\nWrite to {support_email} of **{shop_name}**." })).await;
        let own = shop.visitor().get(&page).await;
        own.has(&["<h2>Ours</h2>", "href=\"mailto:support@nudgelight.example\"", "<strong>Nudgelight</strong>"]);
        assert!(!own.text.contains(standard), "{own}");
        assert!(own.embedded()["policy"].as_str().unwrap().contains("<h2>Ours</h2>"), "{own}");
        let text = admin.get(&format!("/api/admin/policies/{policy}")).await.gives(200);
        assert_eq!(text["markdown"], "# Ours\n\nWrite to {support_email} of **{shop_name}**.");
        assert!(text["standard"].as_str().unwrap().contains(standard));
        changes(&admin, json!({ setting: null })).await;
        shop.visitor().get(&page).await.has(&[standard]);
    }
    shop.visitor().get("/api/policies/cookies").await.refuses(404, "NotFound");
    admin.get("/api/admin/policies/cookies").await.refuses(404, "NotFound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shipping_and_returns_has_the_rates_and_delivery_times_in_force() {
    let shop = TestShop::open().await;
    let page = "/shipping-and-returns";
    shop.visitor().get(page).await.has(&["$4.95", "$2.50", "3–5 business days", "Orders ship in 1–2 business days."]);
    let rate = json!({ "us": { "first_pound": 7.5, "additional_pound": 0.75 } });
    let days = json!({ "handling": { "min": 1, "max": 1 }, "transit": { "US": { "min": 2, "max": 2 }, "CA": { "min": 8, "max": 9 } } });
    changes(&shop.admin().await, json!({ "shipping_rates": rate, "delivery_times": days })).await;
    let shown = shop.visitor().get(page).await;
    shown.has(&["$7.50", "$0.75", "$2.50", "2 business days", "8–9 business days", "Orders ship in 1 business day."]);
    assert!(!shown.text.contains("$4.95</td>"), "{shown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn privacy_names_the_services_that_receive_data() {
    let vars = [
        ("SHOP_ANALYTICS", "plausible"),
        ("ANALYTICS_SITE", "shop.example"),
        ("ANALYTICS_URL", "https://stats-1.example"),
    ];
    let shop = TestShop::open_with(&vars).await;
    shop.visitor().get("/privacy").await.has(&["counted by stats-1.example, which also receives"]);
    assert!(!TestShop::open().await.visitor().get("/privacy").await.text.contains("{services}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_markdown_and_names_run_no_script_on_a_page_and_in_its_data() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let hostile = "</script><script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) \
        [y](JAVASCRIPT:alert(1)) ![z](data:text/html,x) <a href=\"javascript:alert(1)\">w</a>\n\n{shop_name} \
        {support_email}\n\n# <svg onload=alert(1)>\n\n<!-- <b>";
    let name = "*x*</script><script>1</script>";
    changes(&admin, json!({ "terms": hostile, "shop_name": name })).await;
    let page = shop.visitor().get("/terms").await;
    for part in [
        "<script>alert",
        "<script>1",
        "<img src=x",
        "<a href=\"javascript:",
        "<a href=\"JAVASCRIPT:",
        "<svg onload",
        "<!-- <b>",
    ] {
        assert!(!page.text.contains(part), "{part} in {page}");
    }
    page.has(&["&lt;script&gt;alert(1)", "*x*&lt;/script"]);
    assert_eq!(page.embedded()["config"]["shop_name"], name);
    let preview = admin.post(PREVIEW, &json!({ "markdown": hostile })).await.gives(200);
    assert_eq!(preview["html"], page.embedded()["policy"], "the preview is what the page shows");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_saves_nothing_and_every_text_stays_in_the_history() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let preview = admin.post(PREVIEW, &json!({ "markdown": "{shop_name} and {unknown}" })).await.gives(200);
    assert_eq!(preview["html"], "<p>Nudgelight and {unknown}</p>\n");
    for text in ["First.", "Second.", ""] {
        changes(&admin, json!({ "privacy": text })).await;
    }
    let history = admin.get("/api/admin/settings/history?name=privacy").await.gives(200);
    let texts: Vec<&Value> = history["changes"].as_array().unwrap().iter().map(|change| &change["value"]).collect();
    assert_eq!(texts, [&Value::Null, &json!("Second."), &json!("First.")]);
    let long = "é".repeat(20_001);
    admin.post(PREVIEW, &json!({ "markdown": long })).await.names(&["markdown"]);
    admin.patch(SETTINGS, &json!({ "privacy": long })).await.names(&["privacy"]);
    admin.post(PREVIEW, &json!({})).await.names(&["markdown"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_footer_names_the_warranty_of_the_products_for_sale() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let footer = async || {
        let page = shop.visitor().get("/shipping-and-returns").await;
        page.text.split_once("<footer>").unwrap().1.to_owned()
    };
    assert!(footer().await.contains("defective. Warranty: 1 year."), "{}", footer().await);
    let months = async || shop.visitor().get("/api/config").await.gives(200)["warranty_months"].clone();
    assert_eq!(months().await, json!({ "min": 12, "max": 12 }));

    let nova = admin.adds(product().with("warranty_months", 30)).await;
    assert_eq!(months().await, json!({ "min": 12, "max": 30 }));
    assert!(footer().await.contains("Warranty: up to 30 months, depending on the product."));
    admin.patch(&format!("/api/products/{}", nova.id), &json!({ "active": false })).await.gives(200);
    assert_eq!(months().await, json!({ "min": 12, "max": 12 }), "only of products for sale");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_engines_and_products_promise_nothing_that_an_own_return_policy_may_not() {
    let shop = TestShop::open().await;
    let product = "/products/nudgelight-one";
    assert_eq!(
        shop.visitor().get(product).await.text.matches("30-day returns").count(),
        2,
        "in the page and its footer"
    );
    assert_eq!(shop.visitor().get("/api/config").await.gives(200)["return_days"], json!(30));
    changes(&shop.admin().await, json!({ "shipping_and_returns": "No returns." })).await;
    let page = shop.visitor().get(product).await;
    assert!(!page.text.contains("30-day"), "{page}");
    let policy = page.json_ld("Product")["offers"]["hasMerchantReturnPolicy"].clone();
    assert_eq!(policy.get("merchantReturnDays"), None, "{policy}");
    assert!(policy["merchantReturnLink"].as_str().unwrap().ends_with("/shipping-and-returns"));
    assert_eq!(shop.visitor().get("/api/config").await.gives(200)["return_days"], Value::Null);
}
