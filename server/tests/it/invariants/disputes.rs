//! Disputes and early fraud warnings: what the shop stored is what the provider has.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::harness::{Stripe, TestShop};

/// Facts by the id of a dispute or warning.
type Facts = BTreeMap<String, String>;

/// All objects of a list of the provider.
pub async fn list_all(stripe: &Stripe, path: &str, query: &str) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    loop {
        let after = found.last().map(|last| format!("&starting_after={}", last["id"].as_str().unwrap()));
        let page = format!("{path}?limit=100{query}{}", after.unwrap_or_default());
        let page = stripe.as_shop("GET", &page, &[]).await.gives(200);
        found.extend(page["data"].as_array().unwrap().clone());
        if page["has_more"] == false {
            return found;
        }
    }
}

/// Asserts that every order has the disputes and warnings of its payment, in their last state.
pub async fn assert_same_disputes(shop: &TestShop, stripe: &Stripe, context: &str) {
    let intents: BTreeSet<String> = shop.texts("SELECT payment_intent_id FROM orders").await.into_iter().collect();
    let mut expected = Facts::new();
    for (path, fact) in [("/v1/disputes", dispute as fn(&Value) -> String), ("/v1/radar/early_fraud_warnings", warning)]
    {
        let listed = list_all(stripe, path, "").await.into_iter();
        let of_orders = listed.filter(|object| intents.contains(object["payment_intent"].as_str().unwrap()));
        expected.extend(of_orders.map(|object| (object["id"].as_str().unwrap().to_owned(), fact(&object))));
    }
    let stored = shop
        .texts(
            "SELECT id || ' ' || status || ' ' || needs_response || ' ' || COALESCE(due_at, 0) || ' ' || withdrawn || ' ' || \
             reinstated FROM disputes UNION ALL SELECT id || ' ' || actionable FROM early_fraud_warnings",
        )
        .await;
    let stored: Facts = stored
        .iter()
        .map(|row| row.split_once(' ').unwrap())
        .map(|(id, facts)| (id.to_owned(), facts.to_owned()))
        .collect();
    assert_eq!(stored, expected, "{context}");
}

fn dispute(object: &Value) -> String {
    let (status, needs_response) = match object["status"].as_str().unwrap() {
        "warning_needs_response" => ("warning", 1),
        "warning_under_review" => ("warning", 0),
        "warning_closed" => ("none", 0),
        "needs_response" => ("open", 1),
        "under_review" => ("open", 0),
        decided => (decided, 0),
    };
    let due_at = object["evidence_details"]["due_by"].as_i64().unwrap() * 1_000;
    let amounts =
        || object["balance_transactions"].as_array().unwrap().iter().map(|one| one["amount"].as_i64().unwrap());
    let withdrawn: i64 = amounts().filter(|amount| *amount < 0).sum();
    let reinstated: i64 = amounts().filter(|amount| *amount > 0).sum();
    format!("{status} {needs_response} {due_at} {} {reinstated}", -withdrawn)
}

fn warning(object: &Value) -> String {
    i64::from(object["actionable"].as_bool().unwrap()).to_string()
}
