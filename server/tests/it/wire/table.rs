//! Endpoint table: every endpoint of the server, its access level, and a valid request body.

use serde_json::{Value, json};

use crate::harness::{Light, PASSWORD, Person, TestShop, california, product};
use crate::photos::png;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Everybody,
    SignedIn,
    Admin,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub method: &'static str,
    /// Route pattern as in the server's router.
    pub route: &'static str,
    /// Route with the IDs of existing resources.
    pub path: String,
    pub who: Who,
    pub body: Option<Value>,
}

/// A shop with a product, a paid order and an open checkout, and the endpoint table for them.
pub async fn calls() -> (TestShop, Person, Person, Vec<Call>) {
    let shop = TestShop::open().await;
    let (customer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let order = customer.buys(&stripe, &light, 1).await;
    let intent = customer.starts_payment(&[(&light, 1)]).await;
    let photo = admin.uploads(&light, png(64, 48)).await.gives(201);
    let mut table = open(&light, &photo);
    table.extend(signed_in(&light, &order, &intent.id));
    let payout = stripe.pays_out().await;
    shop.syncs_payouts().await;
    shop.tamper(
        "INSERT INTO alerts (id, kind, data, dedupe_key, order_id, created_at) \
         SELECT 'a1', 'dispute_opened', '{\"dispute_id\":\"dp_1\"}', 'dispute_opened:dp_1', id, 0 FROM orders",
    )
    .await;
    shop.tamper(
        "INSERT INTO refunds (id, order_id, amount, subtotal, shipping, tax, tax_breakdown, restock, actor, state, \
         provider_id, created_at, failed_at) \
         SELECT 'r1', id, 100, 100, 0, 0, '[]', 0, 'shop', 'failed', 're_1', created_at, created_at FROM orders",
    )
    .await;
    let customer_id = shop.texts("SELECT user_id FROM orders").await.remove(0);
    table.extend(admins(&light, &order, &customer_id, payout["id"].as_str().unwrap()));
    (shop, customer, admin, table)
}

fn call(who: Who, method: &'static str, route: &'static str, path: &str, body: Option<Value>) -> Call {
    Call { method, route, path: path.to_owned(), who, body }
}

fn open(light: &Light, photo: &Value) -> Vec<Call> {
    let photo = format!("/images/photos/{}-64.webp", photo["id"].as_str().unwrap());
    let username = json!("nobody@example.com");
    let get = |route: &'static str| call(Who::Everybody, "GET", route, route, None);
    let post = |route: &'static str, body: Value| call(Who::Everybody, "POST", route, route, Some(body));
    vec![
        get("/healthz"),
        get("/readyz"),
        get("/readyz/database"),
        get("/metrics"),
        get("/api/config"),
        get("/api/products"),
        get("/api/product-list"),
        get("/api/product-names"),
        call(Who::Everybody, "GET", "/api/policies/{policy}", "/api/policies/terms", None),
        get("/.well-known/jwks.json"),
        get("/.well-known/security.txt"),
        get("/.well-known/change-password"),
        get("/orders"),
        get("/sitemap.xml"),
        get("/feeds/google.xml"),
        get("/robots.txt"),
        get("/manifest.webmanifest"),
        get("/service-worker.js"),
        call(Who::Everybody, "GET", "/products/{name}", "/products/nudgelight-one", None),
        get("/openapi.json"),
        get("/docs"),
        call(Who::Everybody, "GET", "/sdk/{file}", "/sdk/index.json", None),
        get("/downloads/nudgelight-pico-w.uf2"),
        call(Who::Everybody, "GET", "/images/{file}", "/images/nudgelight-one.svg", None),
        call(Who::Everybody, "GET", "/images/photos/{file}", &photo, None),
        call(Who::Everybody, "GET", "/api/products/{id}", &format!("/api/products/{}", light.slug), None),
        call(
            Who::Everybody,
            "POST",
            "/api/products/{id}/back-in-stock",
            &format!("/api/products/{}/back-in-stock", light.slug),
            Some(json!({ "email": "ada@example.com" })),
        ),
        post("/api/back-in-stock/confirm", json!({ "token": "nothing" })),
        post("/api/back-in-stock/cancel", json!({ "token": "nothing" })),
        call(
            Who::Everybody,
            "GET",
            "/api/products/{id}/related",
            &format!("/api/products/{}/related", light.slug),
            None,
        ),
        call(
            Who::Everybody,
            "GET",
            "/api/products/{id}/buy-button",
            &format!("/api/products/{}/buy-button", light.slug),
            None,
        ),
        call(Who::Everybody, "GET", "/api/bot-check", "/api/bot-check?action=login", None),
        post("/api/pageviews", json!({ "path": "/about" })),
        post("/api/auth/signup", json!({ "email": "new@example.com", "password": PASSWORD, "recaptchaToken": "" })),
        post("/api/auth/login", json!({ "username": username, "password": PASSWORD, "recaptchaToken": "" })),
        post("/api/auth/refresh-token", json!({ "refreshToken": "nothing" })),
        post("/api/auth/logout", json!({ "refreshToken": "nothing" })),
        post("/api/auth/confirm-email", json!({ "username": username, "code": "000000" })),
        post("/api/auth/resend-code", json!({ "username": username })),
        post("/api/auth/login-code", json!({ "username": username, "recaptchaToken": "" })),
        post(
            "/api/auth/login-with-code",
            json!({ "username": username, "code": "000000", "login_token": "A".repeat(43) }),
        ),
        call(Who::Everybody, "POST", "/api/auth/passkey-login", "/api/auth/passkey-login", None),
        post("/api/auth/login-with-passkey", json!({ "ceremony_token": "A".repeat(43), "credential": "AAAA" })),
        post("/api/auth/undo-email-change", json!({ "undo_token": "A".repeat(43) })),
        post("/api/auth/second-factor", json!({ "setup_token": "A".repeat(43) })),
        post("/api/auth/second-factor/confirm", json!({ "setup_token": "A".repeat(43), "totp": "000000" })),
        post("/api/auth/forgot-password", json!({ "username": username })),
        post(
            "/api/auth/confirm-forgot-password",
            json!({ "username": username, "confirmationCode": "000000", "password": PASSWORD }),
        ),
        // Webhooks are authenticated by their signature.
        call(Who::Everybody, "POST", "/api/webhooks/stripe", "/api/webhooks/stripe", None),
    ]
}

fn signed_in(light: &Light, order: &str, intent: &str) -> Vec<Call> {
    let get = |route: &'static str| call(Who::SignedIn, "GET", route, route, None);
    let post = |route: &'static str, body: Value| call(Who::SignedIn, "POST", route, route, Some(body));
    let cart = json!({
        "currency": "usd", "shippingAddress": california(), "items": [{ "product_id": light.id, "quantity": 1 }],
        "replaces": intent,
    });
    vec![
        get("/api/auth/user"),
        get("/api/auth/sessions"),
        call(Who::SignedIn, "DELETE", "/api/auth/sessions/{id}", "/api/auth/sessions/nothing", None),
        post("/api/auth/recovery-codes", json!({ "totp": "000000" })),
        post("/api/auth/email-change", json!({ "email": "another@example.com" })),
        post("/api/auth/confirm-email-change", json!({ "current_code": "000000", "new_code": "000000" })),
        get("/api/auth/passkeys"),
        post("/api/auth/passkeys/start", json!({ "totp": "000000" })),
        post("/api/auth/passkeys", json!({ "ceremony_token": "A".repeat(43), "name": "Phone", "credential": "AAAA" })),
        call(
            Who::SignedIn,
            "PATCH",
            "/api/auth/passkeys/{id}",
            "/api/auth/passkeys/nothing",
            Some(json!({ "name": "Phone" })),
        ),
        call(Who::SignedIn, "DELETE", "/api/auth/passkeys/{id}", "/api/auth/passkeys/nothing", None),
        post(
            "/api/change-password",
            json!({ "previousPassword": "not the one", "proposedPassword": "a lamp of my own" }),
        ),
        post("/api/payments/create-intent", cart),
        post("/api/orders", json!({ "paymentIntentId": intent })),
        call(Who::SignedIn, "GET", "/api/orders/{id}", &format!("/api/orders/{order}"), None),
        get("/api/user/orders"),
    ]
}

fn admins(light: &Light, order: &str, customer: &str, payout: &str) -> Vec<Call> {
    let product = product().name("Nudgelight Nova").with("active", true).json();
    let of_product = format!("/api/products/{}", light.id);
    let stock = format!("{of_product}/stock");
    let photos = format!("{of_product}/photos");
    let ledger = format!("/api/admin/products/{}/stock", light.id);
    let of_customer = format!("/api/admin/customers/{customer}");
    let of_order = format!("/api/admin/order/{order}");
    let edit = json!({
        "status": "processing", "address": california(), "tracking_number": "T1", "restock": false,
        "notify_customer": true, "version": 1,
    });
    let rate = json!({ "first_pound": 5.25, "additional_pound": 1.25 });
    let days = json!({ "min": 1, "max": 3 });
    let settings = json!({
        "shop_name": "Nudgelight", "support_email": "help@shop.example", "orders_email": "orders@shop.example",
        "low_stock_email": null, "time_zone": "UTC",
        "shipping_rates": { "us": rate, "ca": rate },
        "delivery_times": { "handling": days, "transit": { "US": days, "CA": days } },
        "contact": "Hello", "privacy": "Hello", "terms": "Hello", "shipping_and_returns": "Hello",
        "announcement": { "text": "Hello", "link": "/products", "last_day": "2099-12-24" }, "version": 0,
    });
    let status = json!({ "orders": [{ "number": 1001, "version": 1, "status": "shipped" }], "notify_customer": true });
    let shipments = json!({
        "shipments": [{ "order_number": 1001, "tracking_number": "T1" }], "notify_customer": true,
    });
    let refunds = format!("{of_order}/refunds");
    let refund = json!({
        "lines": [{ "product_id": light.id, "quantity": 1 }], "shipping": true, "restock": true, "refunded": 0,
    });
    let mut edit_product = product.clone();
    edit_product["version"] = json!(light.version);
    vec![
        call(Who::Admin, "POST", "/api/products", "/api/products", Some(product)),
        call(Who::Admin, "PATCH", "/api/products/{id}", &of_product, Some(edit_product)),
        call(Who::Admin, "PATCH", "/api/products/{id}/stock", &stock, Some(json!({ "stock": 5, "was": 119 }))),
        call(Who::Admin, "POST", "/api/products/{id}/duplicate", &format!("{of_product}/duplicate"), None),
        call(Who::Admin, "GET", "/api/admin/products", "/api/admin/products", None),
        call(Who::Admin, "GET", "/api/admin/products/{id}/stock", &ledger, None),
        call(
            Who::Admin,
            "POST",
            "/api/admin/products/{id}/stock/receive",
            &format!("{ledger}/receive"),
            Some(json!({ "quantity": 3, "note": "Delivery 17" })),
        ),
        call(
            Who::Admin,
            "POST",
            "/api/admin/products/{id}/stock/correct",
            &format!("{ledger}/correct"),
            Some(json!({ "counted": 5, "was": 5, "reason": "Inventory" })),
        ),
        call(
            Who::Admin,
            "PATCH",
            "/api/admin/products/{id}/low-stock-threshold",
            &format!("/api/admin/products/{}/low-stock-threshold", light.id),
            Some(json!({ "threshold": 10 })),
        ),
        // Without a body: an image is none of the JSON that other endpoints take.
        call(Who::Admin, "POST", "/api/products/{id}/photos", &photos, None),
        call(Who::Admin, "PATCH", "/api/products/{id}/photos", &photos, Some(json!({ "photos": [] }))),
        call(Who::Admin, "GET", "/api/admin/orders", "/api/admin/orders", None),
        call(Who::Admin, "GET", "/api/admin/orders.csv", "/api/admin/orders.csv", None),
        call(Who::Admin, "GET", "/api/admin/packing-slips", "/api/admin/packing-slips", None),
        call(Who::Admin, "GET", "/api/admin/order/{id}/balance", &format!("{of_order}/balance"), None),
        call(Who::Admin, "GET", "/api/admin/order/{id}/disputes", &format!("{of_order}/disputes"), None),
        call(Who::Admin, "GET", "/api/admin/order/{id}/evidence", &format!("{of_order}/evidence"), None),
        call(Who::Admin, "GET", "/api/admin/payouts", "/api/admin/payouts", None),
        call(Who::Admin, "GET", "/api/admin/payouts/{id}", &format!("/api/admin/payouts/{payout}"), None),
        call(
            Who::Admin,
            "GET",
            "/api/admin/payouts/{id}/transactions.csv",
            &format!("/api/admin/payouts/{payout}/transactions.csv"),
            None,
        ),
        call(Who::Admin, "GET", "/api/admin/journal", "/api/admin/journal?from=2026-01-01&to=2026-01-31", None),
        call(Who::Admin, "GET", "/api/admin/overview", "/api/admin/overview", None),
        call(Who::Admin, "GET", "/api/admin/health", "/api/admin/health", None),
        call(Who::Admin, "GET", "/api/admin/settings", "/api/admin/settings", None),
        call(Who::Admin, "PATCH", "/api/admin/settings", "/api/admin/settings", Some(settings)),
        call(Who::Admin, "GET", "/api/admin/policies/{policy}", "/api/admin/policies/terms", None),
        call(
            Who::Admin,
            "POST",
            "/api/admin/policy-preview",
            "/api/admin/policy-preview",
            Some(json!({ "markdown": "Hello" })),
        ),
        call(Who::Admin, "GET", "/api/admin/settings/history", "/api/admin/settings/history", None),
        call(Who::Admin, "GET", "/api/admin/time-zones", "/api/admin/time-zones", None),
        call(Who::Admin, "GET", "/api/admin/tax-report", "/api/admin/tax-report", None),
        call(Who::Admin, "GET", "/api/admin/tax-report.csv", "/api/admin/tax-report.csv", None),
        call(Who::Admin, "POST", "/api/admin/alerts/{id}/resolve", "/api/admin/alerts/a1/resolve", None),
        call(Who::Admin, "GET", "/api/admin/order-counts", "/api/admin/order-counts", None),
        call(Who::Admin, "GET", "/api/admin/order-status/preview", "/api/admin/order-status/preview?to=shipped", None),
        call(Who::Admin, "PATCH", "/api/admin/order-status", "/api/admin/order-status", Some(status)),
        // Without a body: a CSV file is none of the JSON that other endpoints take.
        call(Who::Admin, "POST", "/api/admin/tracking-import/preview", "/api/admin/tracking-import/preview", None),
        call(Who::Admin, "POST", "/api/admin/tracking-import", "/api/admin/tracking-import", Some(shipments)),
        call(Who::Admin, "GET", "/api/admin/order/{id}/neighbors", &format!("{of_order}/neighbors"), None),
        call(Who::Admin, "GET", "/api/admin/order/{id}", &of_order, None),
        call(Who::Admin, "PATCH", "/api/admin/order/{id}", &of_order, Some(edit)),
        call(Who::Admin, "GET", "/api/admin/customers", "/api/admin/customers", None),
        call(Who::Admin, "GET", "/api/admin/customers/{id}", &of_customer, None),
        call(Who::Admin, "GET", "/api/admin/customers/{id}/orders", &format!("{of_customer}/orders"), None),
        call(Who::Admin, "GET", "/api/admin/customers/{id}/emails", &format!("{of_customer}/emails"), None),
        call(
            Who::Admin,
            "POST",
            "/api/admin/order/{id}/emails",
            &format!("{of_order}/emails"),
            Some(json!({ "kind": "receipt" })),
        ),
        call(
            Who::Admin,
            "POST",
            "/api/admin/order/{id}/notes",
            &format!("{of_order}/notes"),
            Some(json!({ "note": "Called." })),
        ),
        call(
            Who::Admin,
            "POST",
            "/api/admin/order/{id}/ship-anyway",
            &format!("{of_order}/ship-anyway"),
            Some(json!({ "hold": "dispute" })),
        ),
        call(Who::Admin, "GET", "/api/admin/order/{id}/refunds", &refunds, None),
        call(
            Who::Admin,
            "POST",
            "/api/admin/order/{id}/refunds/preview",
            &format!("{refunds}/preview"),
            Some(refund.clone()),
        ),
        call(Who::Admin, "POST", "/api/admin/order/{id}/refunds", &refunds, Some(refund)),
        call(
            Who::Admin,
            "POST",
            "/api/admin/refunds/{id}/settle",
            "/api/admin/refunds/r1/settle",
            Some(json!({ "method": "refund", "note": "" })),
        ),
    ]
}
