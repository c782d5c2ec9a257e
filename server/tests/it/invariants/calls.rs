//! API fuzzing: random bytes in requests, tokens and webhook signatures.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use serde_json::{Value, json};

use super::bytes::{bytes, text};
use super::run::Runs;
use crate::harness::{event, signature};
use crate::wire::{Call, Who, calls};

/// The body with one field replaced, with one byte replaced, or random bytes instead.
fn mutated(rng: &mut StdRng, body: &Value) -> Vec<u8> {
    let mut whole = body.to_string().into_bytes();
    match rng.random_range(0..3) {
        0 => bytes(rng),
        1 => {
            let at = rng.random_range(0..whole.len());
            whole[at] = rng.random();
            whole
        }
        _ => {
            let mut changed = body.clone();
            if let Some(members) = changed.as_object_mut() {
                let names: Vec<String> = members.keys().cloned().collect();
                if let Some(name) = names.choose(rng) {
                    members.insert(name.clone(), json!(text(rng)));
                }
            }
            changed.to_string().into_bytes()
        }
    }
}

// invariant: openapi-conformance
// invariant: information-disclosure
// invariant: no-parser-panics
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_any_bytes_are_answered_and_never_with_a_fault_of_the_shop() {
    let (shop, customer, admin, table) = calls().await;
    let mut runs = Runs::of("fuzzed requests, tokens and signatures", 300);
    while let Some(mut rng) = runs.next() {
        let call: &Call = table.choose(&mut rng).unwrap();
        let client = match call.who {
            Who::Everybody => shop.visitor(),
            Who::SignedIn => (*customer).clone(),
            Who::Admin => (*admin).clone(),
        };
        // Password hashing is slow, so endpoints that hash get no mutated bodies.
        let is_slow = call.route.starts_with("/api/auth/") || call.route == "/api/change-password";
        let mutation = rng.random_range(0..3);
        let mut request = client.request(call.method, &call.path);
        if mutation == 0 {
            let header = bytes(&mut rng);
            if let Ok(value) = reqwest::header::HeaderValue::from_bytes(&header) {
                request = client.signed_out().request(call.method, &call.path).header("authorization", value);
            }
        }
        if let Some(body) = call.body.as_ref().filter(|_| !is_slow || mutation == 0) {
            let body = if mutation == 1 { mutated(&mut rng, body) } else { body.to_string().into_bytes() };
            request = request.header("content-type", "application/json").body(body);
        }
        let response = client.send(request).await;
        assert!(response.status < 500, "{response}");
        if response.status >= 400 && call.route.starts_with("/api/") {
            response.refusal();
        }
        let kind = text(&mut rng);
        let body = event(&format!("evt_{}", runs.seed()), &kind, &json!({ "id": text(&mut rng) }));
        let signed = signature(shop.webhook_secret(), shop.now_seconds(), &body);
        let at = rng.random_range(0..signed.len());
        let forged = signed[..at].to_owned() + &text(&mut rng).replace(|c: char| !c.is_ascii_graphic(), "");
        if forged != signed {
            shop.receives_signed(&body, &forged).await.refuses(400, "InvalidRequest");
        }
        shop.receives(&body).await.gives(if kind.contains('\0') { 400 } else { 200 });
    }
    shop.audit().await;
}
