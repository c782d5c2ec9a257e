use std::collections::BTreeSet;

use reqwest::RequestBuilder;

use super::description::{document, operations};
use super::table::{Call, Who, calls};
use crate::harness::{ApiResponse, Client, NO_DEMO};
use crate::overload::BlockedWrites;

/// Endpoints that return 404 in this shop, which has no bot check, no firmware file and no metrics token.
const UNAVAILABLE: [&str; 3] = ["/api/bot-check", "/downloads/nudgelight-pico-w.uf2", "/metrics"];

async fn send(client: &Client, call: &Call) -> ApiResponse {
    client.send(request(client, call)).await
}

fn request(client: &Client, call: &Call) -> RequestBuilder {
    let request = client.request(call.method, &call.path);
    match &call.body {
        Some(body) => request.json(body),
        None => request,
    }
}

// spec: Server-side enforcement
// spec: "auth"
// spec: Server-side behaviour
// invariant: authorization
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_is_open_to_exactly_those_it_is_meant_for() {
    let (mut shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    for call in &table {
        let guarded = call.who != Who::Everybody;
        for token in ["nonsense", "a.b.c", ""] {
            let response = send(&visitor.with_token(token), call).await;
            if guarded {
                response.refuses(401, "Unauthenticated");
            } else {
                let shut_out = response.status == 401 && response.json()["code"] == "Unauthenticated";
                assert!(!shut_out, "an invalid token must not block a public endpoint: {response}");
            }
        }
        let as_visitor = send(&visitor, call).await;
        let as_customer = send(&customer, call).await;
        match call.who {
            Who::Everybody if UNAVAILABLE.contains(&call.route) => _ = as_visitor.refuses(404, "NotFound"),
            Who::Everybody => assert!(!matches!(as_visitor.status, 403 | 404 | 405 | 500..), "{as_visitor}"),
            Who::SignedIn => {
                as_visitor.refuses(401, "Unauthenticated");
                assert!(!matches!(as_customer.status, 401 | 403 | 405 | 500..), "{as_customer}");
            }
            Who::Admin => {
                as_visitor.refuses(401, "Unauthenticated");
                as_customer.refuses(403, "Forbidden");
                let as_admin = send(&admin, call).await;
                assert!(!matches!(as_admin.status, 401 | 403 | 404 | 405 | 500..), "{as_admin}");
            }
        }
    }
    let stranger = shop.new_customer("eve@example.com").await;
    for call in table.iter().filter(|call| call.who == Who::SignedIn) {
        match (call.method, call.route) {
            ("GET", "/api/orders/{id}") => _ = send(&stranger, call).await.refuses(403, "Forbidden"),
            ("POST", "/api/orders") => _ = send(&stranger, call).await.refuses(404, "NotFound"),
            _ => {}
        }
    }
    // Outside of demo mode, an administrator without a second factor has no administrator rights.
    shop.restart_with(&NO_DEMO).await;
    let admin = shop.visitor().with_token(admin.access_token());
    for call in table.iter().filter(|call| call.who == Who::Admin) {
        send(&admin, call).await.refuses(403, "Forbidden");
    }
    shop.clock.advance(15 * 60_000);
    for call in table.iter().filter(|call| call.who != Who::Everybody) {
        send(&admin, call).await.refuses(401, "TokenExpired");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_taken_from_one_bearer_header_and_from_nowhere_else() {
    let (shop, customer, _, _) = calls().await;
    let (visitor, token) = (shop.visitor(), customer.access_token());
    let path = "/api/auth/user";
    for header in [format!("Basic {token}"), token.to_owned(), format!("Bearer{token}"), "Bearer".to_owned()] {
        let request = visitor.request("GET", path).header("authorization", header);
        visitor.send(request).await.refuses(401, "Unauthenticated");
    }
    let twice = visitor.request("GET", path).bearer_auth(token).header("authorization", "Bearer other");
    visitor.send(twice).await.refuses(401, "Unauthenticated");
    visitor.get(&format!("{path}?access_token={token}")).await.refuses(401, "Unauthenticated");
    let cookie = visitor.request("GET", path).header("cookie", format!("access_token={token}"));
    visitor.send(cookie).await.refuses(401, "Unauthenticated");
}

/// Access control of every endpoint is tested: a new one fails here until it is in the table.
// invariant: authorization
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_table_of_calls_names_every_route_of_the_server_and_no_other() {
    let (shop, _, _, table) = calls().await;
    let in_table: BTreeSet<(String, String)> =
        table.iter().map(|call| (call.method.to_owned(), call.route.to_owned())).collect();
    let in_server = operations(&document(&shop).await).into_iter().map(|(method, path, _)| (method, path)).collect();
    assert_eq!(in_table, in_server);
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_writes_wait_no_visitor_has_priority_but_to_log_in_and_no_webhook_waits() {
    let (shop, customer, _, table) = calls().await;
    let visitor = shop.visitor();
    let blocked = BlockedWrites::of(&shop, 60).await;
    let priority = [
        "/api/auth/login",
        "/api/auth/login-with-code",
        "/api/auth/login-with-passkey",
        "/api/auth/confirm-email",
        "/api/auth/refresh-token",
        "/api/webhooks/stripe",
        "/api/payments/create-intent",
        "/api/orders",
        "/api/auth/sessions/{id}",
    ];
    let mut checked = 0;
    for call in table.iter().filter(|call| call.who != Who::Admin && call.method != "GET") {
        let client: &Client = if call.who == Who::SignedIn { &customer } else { &visitor };
        // An invalid body, so that nothing that is accepted waits.
        let response = client.send_json(call.method, &call.path, "{").await;
        assert_eq!(response.status != 503, priority.contains(&call.route), "{} {response}", call.route);
        checked += 1;
    }
    assert!(checked >= 15, "{checked}");
    drop(blocked);
}
