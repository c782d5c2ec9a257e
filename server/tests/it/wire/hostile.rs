//! Fuzzing of request bodies: an invalid value at any position gets an error response, never a 5xx.

use std::time::Duration;

use serde_json::{Value, json};

use super::table::{Call, Who, calls};
use crate::harness::{ApiResponse, Client};

fn invalid_values() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(0.1),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!(" "),
        json!("\u{0}"),
        json!("\u{202e}\u{feff}\r\n"),
        json!("'; DROP TABLE orders; --"),
        json!("<script>alert(1)</script>"),
        json!("💡".repeat(300)),
        json!("x".repeat(10_000)),
        json!([]),
        json!([null, 1, "x", {}]),
        json!({}),
        json!({ "quantity": 1, "address": { "country": [] } }),
    ]
}

/// Collects every position in a body as a JSON Pointer.
fn collect_pointers(body: &Value, pointer: &str, found: &mut Vec<String>) {
    match body {
        Value::Object(members) => {
            for (name, value) in members {
                let pointer = format!("{pointer}/{name}");
                found.push(pointer.clone());
                collect_pointers(value, &pointer, found);
            }
        }
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                let pointer = format!("{pointer}/{number}");
                found.push(pointer.clone());
                collect_pointers(value, &pointer, found);
            }
        }
        _ => {}
    }
}

/// Sends the request again while the shop is too busy: on a slow machine the password checks of all endpoints at once are.
async fn sends(client: &Client, call: &Call, body: &Value) -> ApiResponse {
    loop {
        let response = client.send(client.request(call.method, &call.path).json(body)).await;
        if response.status != 503 || response.json()["code"] != "Overloaded" {
            return response;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

// invariant: information-disclosure
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_value_in_any_place_of_any_body_makes_the_shop_fail() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    let mut tasks = Vec::new();
    for call in table {
        let Some(body) = call.body.clone() else { continue };
        let client: Client = match call.who {
            Who::Everybody => visitor.clone(),
            Who::SignedIn => customer.signed_out().with_token(customer.access_token()),
            Who::Admin => admin.signed_out().with_token(admin.access_token()),
        };
        // Endpoints run concurrently, and the requests to one endpoint sequentially.
        tasks.push(tokio::spawn(async move {
            let mut pointers = Vec::new();
            collect_pointers(&body, "", &mut pointers);
            for pointer in pointers {
                for value in invalid_values() {
                    let mut changed = body.clone();
                    *changed.pointer_mut(&pointer).unwrap() = value.clone();
                    let response = sends(&client, &call, &changed).await;
                    assert!(response.status < 500, "{pointer} = {value:.60}: {response}");
                    if response.status >= 400 {
                        response.refusal();
                    }
                }
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    shop.audit().await;
    assert_eq!(shop.count_orders().await, 1);
}

// invariant: information-disclosure
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_value_in_any_query_makes_the_shop_fail() {
    let (shop, customer, admin, _) = calls().await;
    let values = [
        "",
        "%00",
        "%FF",
        "%",
        "%27",
        "x%20y",
        "-1",
        "1e9",
        "9223372036854775808",
        "[]",
        "a=b",
        "%F0%9F%92%A1",
        "1&page=2",
    ];
    for value in values {
        for name in ["page", "limit", "startDate", "endDate", "status", "q", "action", "%00", "page[]"] {
            for (client, path) in [
                (&customer, "/api/user/orders"),
                (&admin, "/api/admin/orders"),
                (&customer, "/api/bot-check"),
                (&customer, "/api/products"),
            ] {
                let response = client.get(&format!("{path}?{name}={value}")).await;
                assert!(response.status < 500, "{name}={value}: {response}");
                if response.status >= 400 {
                    response.refusal();
                }
            }
        }
    }
    shop.audit().await;
}
