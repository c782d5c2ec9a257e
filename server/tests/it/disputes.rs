//! Disputes from start to end: due dates, funds, reminders, early fraud warnings and evidence.

use serde_json::{Value, json};

use crate::harness::{BareStripe, Intent, Person, Stripe, TestShop, event, eventually, together};

const OWNER: &str = "owner@example.com";
const DAY: i64 = 86_400_000;
const MINUTE: i64 = 60_000;

/// A paid order, its payment at the provider, and the shop that may have heard of neither dispute nor warning.
struct Sale {
    shop: TestShop,
    stripe: Stripe,
    intent: Intent,
    order_id: String,
}

impl Sale {
    /// Without webhooks, so that a test decides when the shop learns of what.
    async fn with_card(card: &str) -> Self {
        let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", OWNER)]).await;
        let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
        stripe.drops_webhooks().await;
        let intent = buyer.starts_payment(&[(&shop.light("Nudgelight One").await, 2)]).await;
        stripe.takes(&intent, card).await;
        let order_id = buyer.asks_for_order(&intent.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
        Self { shop, stripe, intent, order_id }
    }

    /// The disputes and warnings on the order's page. A session ends while the clock is advanced.
    async fn facts(&self) -> Value {
        self.shop.admin().await.get(&format!("/api/admin/order/{}/disputes", self.order_id)).await.gives(200)
    }

    async fn dispute(&self) -> Value {
        self.facts().await["disputes"][0].take()
    }

    async fn order(&self) -> Value {
        self.shop.admin().await.get(&format!("/api/admin/order/{}", self.order_id)).await.gives(200)
    }

    async fn open_disputes(&self) -> Value {
        self.shop.admin().await.get("/api/admin/overview").await.gives(200)["disputes"].take()
    }

    async fn at_the_provider(&self, path: &str) -> Value {
        let path = format!("{path}?payment_intent={}", self.intent.id);
        self.stripe.as_shop("GET", &path, &[]).await.gives(200)["data"][0].take()
    }

    async fn submits(&self, evidence: &str) {
        let id = self.at_the_provider("/v1/disputes").await["id"].as_str().unwrap().to_owned();
        let fields = [("evidence[uncategorized_text]", evidence)];
        self.stripe.as_shop("POST", &format!("/v1/disputes/{id}"), &fields).await.gives(200);
    }

    /// Moves the dispute's due date at the provider.
    async fn postpones(&self, days: i64) {
        let dispute = self.at_the_provider("/v1/disputes").await;
        let created = dispute["created"].as_i64().unwrap();
        self.shop
            .tamper(format!(
                "UPDATE mock_stripe_objects SET document = REPLACE(document, '\"created\":{created}', '\"created\":{}') \
                 WHERE kind = 'dispute'",
                created + days * 86_400
            ))
            .await;
    }

    async fn refunds(&self, amount: &str) {
        let fields = [("payment_intent", self.intent.id.as_str()), ("amount", amount)];
        self.stripe.as_shop("POST", "/v1/refunds", &fields).await.gives(200);
    }

    async fn count_reminders(&self) -> i64 {
        self.shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'dispute_reminder'").await
    }

    /// Reminders so far, after several runs of the job.
    async fn reminders(&self) -> Vec<String> {
        for _ in 0..2 {
            self.shop.reminds_of_disputes().await;
        }
        let sql = "SELECT SUBSTR(dedupe_key, LENGTH(dedupe_key), 1) FROM outbox \
                   WHERE kind = 'dispute_reminder' ORDER BY created_at, id";
        self.shop.texts(sql).await
    }
}

fn messages(order: &Value) -> Vec<&str> {
    order["history"].as_array().unwrap().iter().map(|entry| entry["message"].as_str().unwrap()).collect()
}

fn count(order: &Value, words: &str) -> usize {
    messages(order).iter().filter(|message| message.contains(words)).count()
}

// invariant: dispute-due-dates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispute_is_counted_down_until_evidence_is_submitted_and_its_funds_are_followed_to_the_end() {
    let sale = Sale::with_card("pm_card_createDispute").await;
    assert_eq!(sale.facts().await["disputes"], json!([]), "the shop has not heard of it");
    sale.shop.reconciles().await;
    let (dispute, provider) = (sale.dispute().await, sale.at_the_provider("/v1/disputes").await);
    assert_eq!((&dispute["id"], &dispute["status"]), (&provider["id"], &json!("open")));
    assert_eq!((&dispute["needs_response"], &dispute["response"]["days_left"]), (&json!(true), &json!(8)));
    assert_eq!((&dispute["reason"], &dispute["amount"]), (&json!("fraudulent"), &json!(59.8)));
    assert_eq!((&dispute["withdrawn"], &dispute["reinstated"]), (&json!(59.8), &json!(0.0)));
    let open = sale.open_disputes().await;
    assert_eq!((&open[0]["order_number"], &open[0]["dispute"]), (&json!(1001), &dispute));

    sale.postpones(2).await;
    sale.shop.reconciles().await;
    assert_eq!(sale.dispute().await["response"]["days_left"], json!(10), "the provider's later date counts");
    sale.shop.clock.advance(10 * DAY);
    assert_eq!(sale.dispute().await["response"]["days_left"], json!(0));
    sale.shop.clock.advance(DAY);
    assert_eq!(sale.dispute().await["response"]["days_left"], json!(-1), "overdue");

    sale.submits("a letter").await;
    sale.shop.reconciles().await;
    let submitted = sale.dispute().await;
    assert_eq!((&submitted["needs_response"], &submitted["response"]), (&json!(false), &Value::Null));
    sale.submits("winning_evidence").await;
    sale.shop.reconciles().await;
    let won = sale.dispute().await;
    assert_eq!((&won["status"], &won["withdrawn"], &won["reinstated"]), (&json!("won"), &json!(59.8), &json!(59.8)));
    assert_eq!(sale.open_disputes().await, json!([]));
    sale.shop.reconciles().await;
    let order = sale.order().await;
    let counts = ["withdrew $59.80", "Evidence was submitted", "returned $59.80", "was won"];
    assert_eq!(counts.map(|words| count(&order, words)), [1; 4], "{:?}", messages(&order));
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inquiry_needs_a_response_too_and_takes_no_money() {
    let sale = Sale::with_card("pm_card_createDisputeInquiry").await;
    sale.shop.reconciles().await;
    let inquiry = sale.dispute().await;
    assert_eq!((&inquiry["status"], &inquiry["response"]["days_left"]), (&json!("warning"), &json!(8)));
    assert_eq!((&inquiry["withdrawn"], sale.open_disputes().await.as_array().unwrap().len()), (&json!(0.0), 1));
    sale.submits("losing_evidence").await;
    sale.shop.reconciles().await;
    let ended = sale.dispute().await;
    assert_eq!((&ended["status"], &ended["needs_response"]), (&json!("none"), &json!(false)));
    assert_eq!(sale.open_disputes().await, json!([]));
}

// invariant: out-of-order-events
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_disputes_api_the_events_tell_of_funds_and_due_dates_in_any_order() {
    let stripe = BareStripe::open().await;
    let shop = stripe.opens_shop().await;
    let (buyer, admin) = (shop.customer().await, shop.admin().await);
    let withdrawn = json!([{ "amount": -5980 }]);
    let returned = json!([{ "amount": -5980 }, { "amount": 5980 }]);
    let events = [
        ("created", "needs_response", json!([])),
        ("funds_withdrawn", "needs_response", withdrawn.clone()),
        ("updated", "under_review", withdrawn),
        ("funds_reinstated", "won", returned.clone()),
        ("closed", "won", returned),
    ];
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]] {
        let intent = buyer.starts_payment(&[(&shop.light("Nudgelight One").await, 2)]).await;
        stripe.takes(&intent.id);
        let order_id = buyer.asks_for_order(&intent.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
        for index in order {
            let (kind, status, transactions) = &events[index];
            let object = json!({
                "id": format!("du_{}", intent.id), "payment_intent": intent.id, "status": status, "amount": 5980,
                "balance_transactions": transactions, "evidence_details": { "due_by": 1_900_000_000 },
            });
            for copy in 0..2 {
                let id = format!("evt_{order_id}_{index}_{copy}");
                shop.receives(&event(&id, &format!("charge.dispute.{kind}"), &object)).await.gives(200);
                all_applied(&shop).await;
            }
        }
        let facts = admin.get(&format!("/api/admin/order/{order_id}/disputes")).await.gives(200);
        let dispute = &facts["disputes"][0];
        let funds = (&dispute["withdrawn"], &dispute["reinstated"]);
        assert_eq!((&dispute["status"], funds), (&json!("won"), (&json!(59.8), &json!(59.8))), "{order:?}");
        let shown = admin.get(&format!("/api/admin/order/{order_id}")).await.gives(200);
        assert_eq!((count(&shown, "withdrew"), count(&shown, "returned")), (1, 1), "{:?}", messages(&shown));
    }
    shop.audit().await;
}

async fn all_applied(shop: &TestShop) {
    eventually("the events to be applied", async || {
        (shop.count("SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL").await == 0).then_some(())
    })
    .await;
}

// invariant: dispute-due-dates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shopkeeper_is_reminded_seven_and_two_days_before_a_response_is_due_once_each() {
    let sale = Sale::with_card("pm_card_createDispute").await;
    sale.shop.reconciles().await;
    assert!(sale.reminders().await.is_empty(), "eight days are left");
    sale.shop.clock.advance(2 * DAY);
    assert_eq!(sale.reminders().await, ["7"]);
    let mail = sale.shop.mail_to(OWNER, "Respond by").await;
    assert!(mail.text.contains("Evidence for the dispute about $59.80 of order 1001"), "{}", mail.text);
    assert!(mail.text.contains("days. Without a response, you lose $59.80."), "{}", mail.text);
    assert!(mail.text.contains("Respond to the dispute by "), "{}", mail.text);
    assert!(mail.text.contains("/2026"), "the day is as people write it: {}", mail.text);
    assert!(mail.text.contains(&format!("/admin/order/{}", sale.order_id)), "{}", mail.text);
    sale.shop.clock.advance(4 * DAY);
    assert_eq!(sale.reminders().await, ["7"]);
    sale.shop.clock.advance(DAY);
    assert_eq!(sale.reminders().await, ["7", "2"]);
    sale.shop.clock.advance(DAY);
    assert_eq!(sale.reminders().await, ["7", "2"]);
    sale.shop.clock.advance(30 * DAY);
    assert_eq!(sale.reminders().await, ["7", "2"], "nothing is due anymore");
}

// invariant: dispute-due-dates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_downtime_a_dispute_gets_the_reminder_of_the_day_and_never_both_at_once() {
    for (downtime, first, then) in [(5, "7", vec!["7", "2"]), (7, "2", vec!["2"])] {
        let mut sale = Sale::with_card("pm_card_createDispute").await;
        sale.shop.close().await;
        sale.shop.clock.advance(downtime * DAY);
        sale.shop.restart().await;
        eventually("the first reminder", async || (sale.count_reminders().await > 0).then_some(())).await;
        assert_eq!(sale.reminders().await, [first], "{downtime} days");
        sale.shop.clock.advance(2 * DAY);
        let all = sale.reminders().await;
        assert_eq!(all, if downtime == 5 { then } else { vec![first] }, "{downtime} days");
    }
}

// invariant: dispute-due-dates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_reminded_of_a_dispute_that_was_answered_or_closed() {
    for evidence in ["a letter", "losing_evidence"] {
        let mut sale = Sale::with_card("pm_card_createDispute").await;
        sale.shop.reconciles().await;
        sale.submits(evidence).await;
        // The shop is down until after the first reminder would be due, and learns of the evidence at the start.
        sale.shop.close().await;
        sale.shop.clock.advance(3 * DAY);
        sale.shop.restart().await;
        eventually("the comparison", async || {
            (!sale.dispute().await["needs_response"].as_bool().unwrap()).then_some(())
        })
        .await;
        assert!(sale.reminders().await.is_empty(), "{evidence}");
        sale.shop.clock.advance(4 * DAY);
        assert!(sale.reminders().await.is_empty(), "{evidence}");
    }
}

// invariant: dispute-due-dates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_send_one_reminder() {
    let sale = Sale::with_card("pm_card_createMultipleDisputes").await;
    sale.shop.reconciles().await;
    let (second, _) = sale.shop.another_process().await;
    sale.shop.clock.advance(2 * DAY);
    let processes = [sale.shop.inside().clone(), second.shop.clone()];
    together(6, |number| {
        let process = processes[number % 2].clone();
        async move { server::checkout::disputes::remind(&process.checkout).await.unwrap() }
    })
    .await;
    assert_eq!(sale.reminders().await, ["7", "7"], "one for each of the two disputes");
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_early_fraud_warning_is_an_alert_until_the_payment_is_refunded_in_full() {
    let sale = Sale::with_card("pm_card_createIssuerFraudRecord").await;
    let warning = sale.at_the_provider("/v1/radar/early_fraud_warnings").await;
    for number in 0..2 {
        let id = format!("evt_hand{number}");
        sale.shop.receives(&event(&id, "radar.early_fraud_warning.created", &warning)).await.gives(200);
        all_applied(&sale.shop).await;
    }
    let order = sale.order().await;
    assert_eq!(order["alerts"][0]["kind"], "fraud_warning");
    assert!(order["alerts"][0]["message"].as_str().unwrap().contains("suspects fraud (misc)"), "{order}");
    assert_eq!((&order["payment"]["status"], count(&order, "suspects fraud")), (&json!("paid"), 1));
    let mail = sale.shop.mail_to(OWNER, "Alert: Order 1001").await;
    assert!(mail.text.contains("A full refund avoids a dispute."), "{}", mail.text);
    let facts = sale.facts().await;
    assert_eq!((&facts["fraud_warnings"][0]["id"], &facts["disputes"]), (&warning["id"], &json!([])));
    assert_eq!(facts["fraud_warnings"][0]["actionable"], json!(true));

    sale.refunds("1000").await;
    sale.shop.reconciles().await;
    assert_eq!(sale.order().await["alerts"][0]["kind"], "fraud_warning", "a part of the payment is left");
    sale.refunds("4980").await;
    sale.shop.reconciles().await;
    let refunded = sale.order().await;
    assert_eq!(refunded["alerts"], json!([]), "{refunded}");
    assert_eq!(count(&refunded, "needs no action anymore"), 1);
    assert_eq!(sale.facts().await["fraud_warnings"][0]["actionable"], json!(false));
    // Late copies change nothing.
    sale.shop.receives(&event("evt_hand9", "radar.early_fraud_warning.updated", &warning)).await.gives(200);
    all_applied(&sale.shop).await;
    assert_eq!(sale.order().await["history"], refunded["history"]);
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_early_fraud_warning_that_no_event_told_of_is_found_and_stays_dismissed() {
    let sale = Sale::with_card("pm_card_createIssuerFraudRecord").await;
    assert_eq!(sale.order().await["alerts"], json!([]));
    sale.shop.clock.advance(MINUTE);
    sale.shop.reconciles().await;
    let alert = sale.order().await["alerts"][0].clone();
    assert_eq!(alert["kind"], "fraud_warning");
    let admin: Person = sale.shop.admin().await;
    let resolve = format!("/api/admin/alerts/{}/resolve", alert["id"].as_str().unwrap());
    admin.post(&resolve, &json!({})).await.gives(204);
    sale.shop.reconciles().await;
    assert_eq!(sale.order().await["alerts"], json!([]), "the administrator has resolved it");
    let alerts = "SELECT COUNT(*) FROM outbox WHERE kind = 'alert'";
    assert_eq!(sale.shop.count(alerts).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_evidence_has_what_the_shop_knows_with_the_policies_of_the_day_of_the_order() {
    let shop = TestShop::open().await;
    let (admin, buyer, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
    let one = shop.light("Nudgelight One").await;
    buyer.buys(&stripe, &one, 1).await;
    let policies =
        json!({ "shipping_and_returns": "Returns within **90 days** to {shop_name}.", "terms": "Old terms." });
    admin.patch("/api/admin/settings", &policies).await.gives(200);
    shop.clock.advance(MINUTE);
    let intent = buyer.starts_payment(&[(&one, 2)]).await;
    stripe.takes(&intent, "pm_card_createDisputeProductNotReceived").await;
    let order_id = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
    let path = format!("/api/admin/order/{order_id}");
    let shipped = json!({ "status": "shipped", "tracking_number": "1Z999AA10123456784" });
    admin.patch(&path, &shipped).await.gives(200);
    admin.post(&format!("{path}/notes"), &json!({ "note": "He always does this." })).await;
    eventually("the emails", async || {
        let sent = "SELECT COUNT(*) FROM outbox WHERE kind = 'shipment' AND sent_at IS NOT NULL";
        shop.expires().await;
        (shop.count(sent).await == 1).then_some(())
    })
    .await;
    eventually("the dispute", async || {
        (shop.count("SELECT COUNT(*) FROM disputes WHERE reason IS NOT NULL").await == 1).then_some(())
    })
    .await;
    shop.clock.advance(MINUTE);
    let later = json!({ "shop_name": "Lampshop", "shipping_and_returns": "No returns.", "terms": null });
    admin.patch("/api/admin/settings", &later).await.gives(200);

    let response = admin.get(&format!("{path}/evidence")).await;
    response.has(&[
        "Evidence for order 1002",
        "product not received",
        "Nudgelight One",
        "$59.80",
        "ending in",
        "12 Lamp Street",
        "1Z999AA10123456784",
        "https://www.ups.com",
        "Status changed from pending to shipped",
        "Your Nudgelight order 1002 is confirmed",
        "Your Nudgelight order 1002 has shipped",
        "Registered on",
        "<td>1001</td>",
        "<strong>90 days</strong> to Nudgelight.",
        "Old terms.",
    ]);
    for absent in ["No returns.", "He always does this.", "<script", "token", "<a ", intent.client_secret.as_str()] {
        assert!(!response.text.contains(absent), "{absent}");
    }
    assert_eq!(response.header("content-disposition"), Some("attachment; filename=\"evidence-1002.html\""));
    assert!(response.header("content-type").unwrap().starts_with("text/html"));
    admin.get("/api/admin/order/nothing/evidence").await.refuses(404, "NotFound");
    admin.get("/api/admin/order/nothing/disputes").await.refuses(404, "NotFound");
}

// invariant: webhook-signatures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_about_a_dispute_or_warning_that_the_provider_does_not_know_is_one_alert_and_nothing_else() {
    let sale = Sale::with_card("pm_card_visa").await;
    let shop = &sale.shop;
    let before = sale.order().await;
    for copy in 0..2 {
        for (kind, id) in
            [("charge.dispute.created", "dp_forged"), ("radar.early_fraud_warning.created", "issfr_forged")]
        {
            let object = json!({
                "id": id, "payment_intent": sale.intent.id, "status": "lost", "amount": 5980, "actionable": true,
                "fraud_type": "misc", "balance_transactions": [{ "amount": -5980 }],
            });
            shop.receives(&event(&format!("evt_{id}_{copy}"), kind, &object)).await.gives(200);
            all_applied(shop).await;
        }
    }
    assert_eq!(sale.order().await, before);
    let facts = sale.facts().await;
    assert_eq!((&facts["disputes"], &facts["fraud_warnings"]), (&json!([]), &json!([])));
    let alerts = shop.texts("SELECT kind || ' ' || data FROM alerts ORDER BY data").await;
    assert!(
        matches!(&alerts[..], [one, other] if one.contains("dp_forged") && other.contains("issfr_forged")),
        "{alerts:?}"
    );
    assert_eq!(shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'alert'").await, 2);
    let shown = shop.admin().await.get("/api/admin/overview").await.gives(200)["alerts"].clone();
    let message = shown[0]["message"].as_str().unwrap();
    assert!(message.contains("dp_forged") && message.contains(&sale.intent.id), "{message}");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_whose_ids_have_another_form_is_refused() {
    let shop = TestShop::open().await;
    let long = format!("dp_{}", "a".repeat(300));
    let (dispute, warning) = ("charge.dispute.created", "radar.early_fraud_warning.created");
    let cases = [
        (dispute, "dp_a b", "pi_1"),
        (dispute, "../refunds/re_1", "pi_1"),
        (dispute, "re_1", "pi_1"),
        (dispute, "dp_", "pi_1"),
        (dispute, long.as_str(), "pi_1"),
        (dispute, "du_1", "pi_1?expand[]=customer"),
        (dispute, "du_1", "ch_1"),
        (warning, "dp_1", "pi_1"),
        ("refund.failed", "dp_1", "pi_1"),
        ("payment_intent.succeeded", "pi_1/cancel", ""),
    ];
    for (number, (kind, id, payment)) in cases.into_iter().enumerate() {
        let object = json!({ "id": id, "payment_intent": payment, "status": "lost" });
        shop.receives(&event(&format!("evt_{number}"), kind, &object)).await.refuses(400, "InvalidRequest");
    }
    assert_eq!(shop.count("SELECT COUNT(*) FROM webhook_events").await, 0);
    let fine = [
        (dispute, "du_1"),
        (dispute, "dp_1"),
        (warning, "issfr_1"),
        ("refund.failed", "re_1"),
        ("refund.updated", "pyr_1"),
    ];
    for (number, (kind, id)) in fine.into_iter().enumerate() {
        let object = json!({ "id": id, "payment_intent": "pi_1", "status": "lost" });
        shop.receives(&event(&format!("evt_fine{number}"), kind, &object)).await.gives(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_evidence_leaves_out_corrections_of_the_status_and_lists_at_most_ten_earlier_orders() {
    let shop = TestShop::open().await;
    let (admin, buyer, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
    let one = shop.light("Nudgelight Mini").await;
    for _ in 0..11 {
        buyer.buys(&stripe, &one, 1).await;
        shop.clock.advance(1_000);
    }
    let order_id = buyer.buys(&stripe, &one, 1).await;
    let path = format!("/api/admin/order/{order_id}");
    for status in ["processing", "delivered", "shipped", "pending", "processing", "shipped", "delivered", "shipped"] {
        shop.clock.advance(MINUTE);
        admin.patch(&path, &json!({ "status": status, "notify_customer": false })).await.gives(200);
    }
    let evidence = admin.get(&format!("{path}/evidence")).await;
    let changes: Vec<String> =
        evidence.between("Status changed from ", "<").into_iter().map(|change| change.trim().to_owned()).collect();
    assert_eq!(changes, ["pending to processing", "processing to shipped"], "{evidence}");
    assert!(evidence.text.contains("Shipped on") && !evidence.text.contains("Delivered on"), "{evidence}");
    let (_, previous) = evidence.text.split_once("<h3>Previous orders</h3>").unwrap();
    assert_eq!(previous.split_once("</table>").unwrap().0.matches("<tr>").count(), 1 + 10, "{previous}");
    assert!(evidence.text.contains("<dd>11</dd>"), "their number: {evidence}");
}
