//! Mock Stripe's objects have the fields and types of Stripe's objects, and Stripe's objects can be parsed.

use std::collections::BTreeSet;

use serde_json::Value;
use stripe_fraud::RadarEarlyFraudWarning;
use stripe_shared::{BalanceTransaction, Charge, Dispute, PaymentIntent, PaymentMethod, Payout, Refund};

use crate::harness::{Intent, Stripe, TestShop, event, eventually};

const FIXTURES: &str = include_str!("../../testdata/stripe/fixtures.json");

/// Fields that Stripe's fixtures omit, although its API reference lists them.
const LEFT_OUT_BY_FIXTURES: [&str; 6] = [
    "charge.outcome.risk_level is not Stripe's",
    "charge.outcome.risk_score is not Stripe's",
    "charge.radar_options is not Stripe's",
    "payment_intent.automatic_payment_methods.allow_redirects is not Stripe's",
    "refund.destination_details.card.reference_status is not Stripe's",
    "refund.destination_details.card.reference_type is not Stripe's",
];

fn fixture(name: &str) -> Value {
    serde_json::from_str::<Value>(FIXTURES).unwrap()[name].clone()
}

/// Differences in fields or their types. Null matches everything. Empty maps and arrays have no comparable shape.
fn differences(at: &str, ours: &Value, theirs: &Value) -> BTreeSet<String> {
    match (ours, theirs) {
        (Value::Null, _) | (_, Value::Null) => BTreeSet::new(),
        (Value::Object(ours), Value::Object(theirs)) if !ours.is_empty() && !theirs.is_empty() => {
            let mut found = BTreeSet::new();
            for (name, value) in theirs {
                let path = format!("{at}.{name}");
                match ours.get(name) {
                    Some(own) => found.extend(differences(&path, own, value)),
                    None => {
                        found.insert(format!("{path} is missing"));
                    }
                }
            }
            for name in ours.keys().filter(|name| !theirs.contains_key(*name)) {
                found.insert(format!("{at}.{name} is not Stripe's"));
            }
            found
        }
        (Value::Array(ours), Value::Array(theirs)) => match (ours.first(), theirs.first()) {
            (Some(own), Some(their)) => differences(&format!("{at}[]"), own, their),
            _ => BTreeSet::new(),
        },
        (ours, theirs) if std::mem::discriminant(ours) == std::mem::discriminant(theirs) => BTreeSet::new(),
        (ours, theirs) => BTreeSet::from([format!("{at} is {ours}, but Stripe's is {theirs}")]),
    }
}

/// Collects differences between objects and the fixture of their kind.
#[derive(Default)]
struct Comparison(BTreeSet<String>);

impl Comparison {
    fn of(&mut self, name: &str, ours: &Value) {
        self.0.extend(differences(name, ours, &fixture(name)));
    }
}

/// A paid order, with all of its objects at the provider.
async fn sale() -> (TestShop, Stripe, Intent) {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    stripe.takes(&intent, "pm_card_visa").await;
    let order = buyer.asks_for_order(&intent.id).await;
    assert!(matches!(order.status, 200 | 201), "{order}");
    (shop, stripe, intent)
}

/// A disputed payment.
async fn disputed(shop: &TestShop, stripe: &Stripe) -> Value {
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    stripe.takes(&intent, "pm_card_createDispute").await;
    let path = format!("/v1/disputes?payment_intent={}", intent.id);
    stripe.as_shop("GET", &path, &[]).await.gives(200)["data"][0].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_object_has_the_members_and_types_of_stripes_own() {
    let (shop, stripe, intent) = sale().await;
    let mut compared = Comparison::default();
    let whole = "expand[]=payment_method&expand[]=latest_charge.refunds";
    let path = format!("/v1/payment_intents/{}?{whole}", intent.id);
    let mut paid = stripe.as_shop("GET", &path, &[]).await.gives(200);
    let (charge, method) = (paid["latest_charge"].take(), paid["payment_method"].take());
    compared.of("payment_intent", &paid);
    compared.of("charge", &charge);
    compared.of("payment_method", &method);
    let refund = stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", &intent.id)]).await.gives(200);
    compared.of("refund", &refund);

    compared.of("dispute", &disputed(&shop, &stripe).await);

    let calculation = intent.quote["taxCalculation"]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/tax/calculations/{calculation}?expand[]=line_items");
    let mut shown = stripe.as_shop("GET", &path, &[]).await.gives(200);
    let lines = shown.as_object_mut().unwrap().remove("line_items").unwrap();
    compared.of("tax.calculation", &shown);
    compared.of("tax.calculation_line_item", &lines["data"][0]);
    let recorded = eventually("the record of the tax", async || {
        shop.records_taxes().await;
        shop.texts("SELECT provider_id FROM tax_records WHERE state = 'done' AND reversed IS NULL").await.pop()
    })
    .await;
    let path = format!("/v1/tax/transactions/{recorded}?expand[]=line_items");
    compared.of("tax.transaction", &stripe.as_shop("GET", &path, &[]).await.gives(200));

    for body in shop.texts("SELECT body FROM mock_stripe_events").await {
        let mut body: Value = serde_json::from_str(&body).unwrap();
        body["data"] = Value::Null;
        compared.of("event", &body);
    }
    let Comparison(mut found) = compared;
    found.retain(|difference| !LEFT_OUT_BY_FIXTURES.contains(&difference.as_str()));
    assert!(found.is_empty(), "{found:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stripes_own_library_reads_every_object_whole() {
    let (shop, stripe, intent) = sale().await;
    assert_deserializes::<Dispute>(&disputed(&shop, &stripe).await);
    let path = format!("/v1/payment_intents/{}?expand[]=payment_method&expand[]=latest_charge", intent.id);
    let paid = stripe.as_shop("GET", &path, &[]).await.gives(200);
    assert_deserializes::<PaymentIntent>(&paid);
    assert_deserializes::<Charge>(&paid["latest_charge"]);
    assert_deserializes::<PaymentMethod>(&paid["payment_method"]);
    assert_deserializes::<Refund>(
        &stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", &intent.id)]).await.gives(200),
    );
    let (suspect, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let warned = suspect.starts_payment(&[(&one, 1)]).await;
    stripe.takes(&warned, "pm_card_createIssuerFraudRecord").await;
    let path = format!("/v1/radar/early_fraud_warnings?payment_intent={}", warned.id);
    let warnings = stripe.as_shop("GET", &path, &[]).await.gives(200);
    assert_deserializes::<RadarEarlyFraudWarning>(&warnings["data"][0]);
    for transaction in
        stripe.as_shop("GET", "/v1/balance_transactions", &[]).await.gives(200)["data"].as_array().unwrap()
    {
        assert_deserializes::<BalanceTransaction>(transaction);
    }
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    buyer.buys(&stripe, &one, 9).await;
    assert_deserializes::<Payout>(&stripe.pays_out().await);
    let calculation = intent.quote["taxCalculation"]["id"].as_str().unwrap();
    let path = format!("/v1/tax/calculations/{calculation}");
    assert_deserializes::<stripe_misc::TaxCalculation>(&stripe.as_shop("GET", &path, &[]).await.gives(200));
    let fields = [("calculation", calculation), ("reference", "by hand")];
    let recorded = stripe.as_shop("POST", "/v1/tax/transactions/create_from_calculation", &fields).await.gives(200);
    assert_deserializes::<stripe_misc::TaxTransaction>(&recorded);
}

#[test]
fn stripes_own_library_reads_the_fixtures() {
    assert_deserializes::<PaymentIntent>(&fixture("payment_intent"));
    assert_deserializes::<Charge>(&fixture("charge"));
    assert_deserializes::<PaymentMethod>(&fixture("payment_method"));
    assert_deserializes::<Refund>(&fixture("refund"));
    assert_deserializes::<Dispute>(&fixture("dispute"));
    assert_deserializes::<stripe_misc::TaxCalculation>(&fixture("tax.calculation"));
    assert_deserializes::<stripe_misc::TaxTransaction>(&fixture("tax.transaction"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_about_stripes_own_objects_are_taken_and_dealt_with() {
    let shop = TestShop::open().await;
    let kinds = [
        ("charge.refunded", "charge"),
        ("charge.dispute.created", "dispute"),
        ("payment_intent.succeeded", "payment_intent"),
        ("payment_intent.canceled", "payment_intent"),
        ("refund.updated", "refund"),
        ("payment_method.attached", "payment_method"),
    ];
    for (number, (kind, object)) in kinds.into_iter().enumerate() {
        shop.receives(&event(&format!("evt_hand{number}"), kind, &fixture(object))).await.gives(200);
    }
    eventually("the events to be processed", async || {
        let open = "SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL";
        (shop.count(open).await == 0).then_some(())
    })
    .await;
    assert_eq!(shop.count_orders().await, 0);
}

fn assert_deserializes<T: miniserde::Deserialize>(object: &Value) {
    assert!(miniserde::json::from_str::<T>(&object.to_string()).is_ok(), "{object:#}");
}
