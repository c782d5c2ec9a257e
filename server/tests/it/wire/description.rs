//! The description of the calls is the router's own, whole, and says what the server does.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::table::{Who, calls};
use crate::architecture::source_files;
use crate::harness::TestShop;

const METHODS: [&str; 5] = ["DELETE", "GET", "PATCH", "POST", "PUT"];

/// Every operation of the description: method, path and what is said of it.
pub fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            found.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    found
}

pub async fn document(shop: &TestShop) -> Value {
    shop.visitor().get("/openapi.json").await.gives(200)
}

// rule 47
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_path_takes_exactly_the_methods_that_are_described() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    let described: BTreeSet<(String, String)> =
        operations(&document).into_iter().map(|(method, path, _)| (method, path)).collect();
    for path in document["paths"].as_object().unwrap().keys() {
        // Not a name that anything has: whether a method is taken is decided before that is looked up.
        let called: String =
            path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect::<Vec<_>>().join("/");
        for method in METHODS {
            let answer = shop.visitor().send(shop.visitor().request(method, &called)).await;
            let is_described = described.contains(&(method.to_owned(), path.clone()));
            assert_eq!(answer.status != 405, is_described, "{answer}");
        }
    }
}

/// Whatever is added with `routes!` is described by it, so nothing may be added in another way.
// rule 47
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_is_described_and_nothing_more() {
    let shop = TestShop::open().await;
    let mut handlers = 0;
    for file in source_files() {
        // The test-mode Stripe has Stripe's calls, which Stripe describes.
        if file.path.starts_with("teststripe") {
            continue;
        }
        for way in [".route(", ".route_service(", ".nest_service("] {
            assert!(!file.code.contains(way), "{}: {way}", file.path);
        }
        for list in file.code.split("routes!(").skip(1) {
            handlers += list.split(')').next().unwrap().split(',').filter(|name| !name.trim().is_empty()).count();
        }
    }
    assert_eq!(operations(&document(&shop).await).len(), handlers);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_call_is_described_as_it_is() {
    let (shop, _, _, table) = calls().await;
    let operations = operations(&document(&shop).await);
    for call in &table {
        let is_it = |method: &str, path: &str| (method, path) == (call.method, call.route);
        let (_, _, operation) = operations.iter().find(|(method, path, _)| is_it(method, path)).unwrap();
        let ways = operation["security"].as_array().cloned().unwrap_or_default();
        let ways: Vec<_> = ways.iter().map(|way| way.as_object().unwrap()).collect();
        // The figures have a token of their own, which is nobody's account.
        let needs_account = ways.iter().any(|way| way.contains_key("accessToken"));
        let is_open = !needs_account || ways.iter().any(|way| way.is_empty());
        let statuses = operation["responses"].as_object().unwrap();
        assert_eq!(is_open, call.who == Who::Everybody, "{} {}", call.method, call.route);
        if call.who != Who::Everybody {
            assert!(statuses.contains_key("401"), "{} {}", call.method, call.route);
        }
        if call.who == Who::Admin {
            assert!(statuses.contains_key("403"), "{} {}", call.method, call.route);
        }
        assert_eq!(call.body.is_some(), operation.get("requestBody").is_some() && call.route != "/api/webhooks/stripe");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_name_in_the_description_is_explained_in_it() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let text = document.to_string();
    let known = document["components"]["schemas"].as_object().unwrap();
    let named: BTreeSet<&str> =
        text.split("\"#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let unknown: Vec<_> = named.iter().filter(|name| !known.contains_key(**name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");

    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap().to_owned();
        assert!(ids.insert(id), "{method} {path} has another call's id");
        assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{method} {path}");
        for security in operation["security"].as_array().into_iter().flatten() {
            for scheme in security.as_object().unwrap().keys() {
                assert!(document["components"]["securitySchemes"][scheme].is_object(), "{method} {path}: {scheme}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_shows_every_call_and_runs_no_script() {
    let shop = TestShop::open().await;
    let page = shop.visitor().get("/docs").await;
    assert_eq!(page.status, 200);
    for (method, path, operation) in operations(&document(&shop).await) {
        let summary = format!("<b class=\"{}\">{method}</b> <code>{path}</code>", method.to_lowercase());
        assert!(page.text.contains(&summary), "{method} {path}");
        assert!(page.text.contains(&format!("id=\"{}\"", operation["operationId"].as_str().unwrap())));
    }
    for sign in ["<script", "<link", "<img", "style=\"", "javascript:", "url("] {
        assert!(!page.text.contains(sign), "{sign}");
    }
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && policy.contains("style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("script-src") && !policy.contains("unsafe"), "{policy}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_prints_what_the_server_gives_whatever_is_configured() {
    let shop = TestShop::open().await;
    let printed =
        Command::new(env!("CARGO_BIN_EXE_nudgelight")).arg("openapi").env("SHOP_ADDR", "nowhere").output().unwrap();
    assert!(printed.status.success());
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(printed, document(&shop).await);
}
