//! Data retention: expired personal data is deleted, and nothing else.

use serde_json::json;

use crate::harness::{CUSTOMER, PASSWORD, TestShop, event, eventually};

const SECOND: i64 = 1_000;
const DAY: i64 = 86_400 * SECOND;

/// The number of checkouts that contain the customer's street.
const WITH_STREET: &str =
    "SELECT COUNT(*) FROM checkouts WHERE address LIKE '%12 Lamp Street%' OR fingerprint LIKE '%12 Lamp Street%'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_without_an_order_is_deleted_30_days_after_its_checkout_closed() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    buyer.buys(&stripe, &one, 1).await;
    buyer.starts_payment(&[(&one, 2)]).await;
    shop.clock.advance(901 * SECOND);
    shop.expires().await;
    assert_eq!(shop.texts("SELECT state FROM checkouts ORDER BY created_at, id").await, ["ordered", "closed"]);
    shop.clock.advance(29 * DAY);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count(WITH_STREET).await, 2);
    shop.clock.advance(DAY);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count(WITH_STREET).await, 1);
    let left = shop.texts("SELECT address || fingerprint FROM checkouts WHERE state = 'closed'").await;
    assert_eq!(left, ["{}"]);
    assert_eq!(shop.count("SELECT COUNT(client_secret) FROM checkouts WHERE state = 'closed'").await, 0);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_files_of_an_sqlite_database_have_no_deleted_data() {
    const ADDRESS: &str = "lovelace-of-ockham@example.com";
    let shop = TestShop::on_sqlite().await;
    let files_with_address = || {
        let mut files = std::fs::read_dir(shop.folder()).unwrap().map(|entry| entry.unwrap().path());
        files.any(|path| path.is_file() && contains(&std::fs::read(path).unwrap(), ADDRESS.as_bytes()))
    };
    let sign_up = json!({ "email": ADDRESS, "password": PASSWORD, "recaptchaToken": "" });
    shop.visitor().post("/api/auth/signup", &sign_up).await.gives(201);
    shop.mail_to(ADDRESS, "code").await;
    assert!(files_with_address());
    shop.clock.advance(91 * DAY);
    shop.deletes_what_is_old().await;
    assert!(!files_with_address());
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_turns_up_after_its_address_was_deleted_goes_back() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &halo, 1).await;
    let moved = |from: &str, to: &str| format!("UPDATE mock_stripe_objects SET id = '{to}' WHERE id = '{from}'");
    shop.tamper(moved(&intent.id, "pi_elsewhere")).await;
    shop.clock.advance(901 * SECOND);
    shop.expires().await;
    shop.clock.advance(31 * DAY);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count(WITH_STREET).await, 0);
    shop.tamper(moved("pi_elsewhere", &intent.id)).await;
    let paid = stripe.intent(&intent.id).await;
    shop.receives(&event("evt_late", "payment_intent.succeeded", &paid)).await.gives(200);
    eventually("the refund", async || {
        let back = stripe.intent(&intent.id).await["latest_charge"]["amount_refunded"].clone();
        (back == paid["amount"]).then_some(())
    })
    .await;
    shop.mail_to(CUSTOMER, "was refunded").await;
    assert_eq!(shop.count_orders().await, 0);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_body_of_an_event_is_deleted_once_it_is_applied_and_the_event_is_still_known() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let order = buyer.buys(&stripe, &one, 1).await;
    eventually("the event to be applied", async || {
        let waiting = "SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL";
        let events = shop.count("SELECT COUNT(*) FROM webhook_events").await;
        (events > 0 && shop.count(waiting).await == 0).then_some(())
    })
    .await;
    let with_body = "SELECT id FROM webhook_events WHERE body <> ''";
    assert_eq!(shop.texts(with_body).await, Vec::<String>::new());
    // An event that has not been applied yet must be kept.
    shop.tamper(
        "INSERT INTO webhook_events (id, type, body, received_at, next_attempt_at)
         VALUES ('evt_waits', 'charge.refunded', '{}', 0, 9000000000000000)",
    )
    .await;
    shop.clock.advance(400 * DAY);
    shop.deletes_what_is_old().await;

    let known = shop.texts("SELECT id FROM webhook_events WHERE type = 'payment_intent.succeeded' AND body = ''").await;
    let intent = shop.texts("SELECT payment_intent_id FROM orders").await.remove(0);
    shop.receives(&event(&known[0], "payment_intent.succeeded", &stripe.intent(&intent).await)).await.gives(200);
    assert_eq!(shop.texts("SELECT id FROM orders").await, [order]);
    assert_eq!(shop.texts(with_body).await, ["evt_waits"]);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_an_event_that_the_shop_does_not_process_only_the_id_is_kept() {
    let shop = TestShop::open().await;
    let body = event("evt_other", "charge.updated", &json!({ "id": "ch_1", "object": "charge", "amount": 100 }));
    for _ in 0..2 {
        shop.receives(&body).await.gives(200);
    }
    let kept = "SELECT type || ':' || body FROM webhook_events WHERE id = 'evt_other' AND applied_at IS NOT NULL";
    assert_eq!(shop.texts(kept).await, ["charge.updated:"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_email_has_no_body_once_it_was_sent_and_stays_only_with_an_order() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let order = buyer.buys(&stripe, &one, 1).await;
    shop.signs_up("ada@example.com").await;
    shop.mail_to(CUSTOMER, "order 1001").await;
    shop.mail_to("ada@example.com", "code").await;
    eventually("both to be sent", async || {
        (shop.count("SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL").await == 0).then_some(())
    })
    .await;
    assert_eq!(shop.count("SELECT COUNT(*) FROM outbox WHERE message <> '' OR rendered IS NOT NULL").await, 0);
    shop.clock.advance(89 * DAY);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count("SELECT COUNT(*) FROM outbox").await, 2);
    shop.clock.advance(2 * DAY);
    shop.deletes_what_is_old().await;
    let left =
        shop.texts("SELECT kind || ' ' || order_id || ' ' || recipient FROM outbox WHERE sent_at IS NOT NULL").await;
    assert_eq!(left, [format!("receipt {order} {CUSTOMER}")]);
    assert_eq!(shop.count("SELECT COUNT(*) FROM outbox").await, 1);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_email_that_was_given_up_is_deleted_like_one_that_was_sent_and_one_that_waits_is_not() {
    let shop = TestShop::open().await;
    let put = |id: &str, kind: &str, given_up: &str| {
        format!(
            "INSERT INTO outbox (id, kind, dedupe_key, recipient, message, created_at, next_attempt_at, failed_at)
             VALUES ('{id}', '{kind}', '{id}', 'ada@example.com', '', 0, 9000000000000000, {given_up})"
        )
    };
    for kind in ["code", "password_changed", "address_in_use", "sessions_ended", "wrong_codes", "back_in_stock"] {
        shop.tamper(put(kind, kind, "1")).await;
    }
    shop.tamper(put("code that waits", "code", "NULL")).await;
    shop.tamper(put("refund", "payment_refund", "1")).await;
    shop.deletes_what_is_old().await;
    assert_eq!(shop.texts("SELECT id FROM outbox ORDER BY id").await, ["code that waits", "refund"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_up_that_nobody_confirmed_is_deleted_after_7_days_and_may_come_again() {
    let shop = TestShop::open().await;
    shop.customer().await;
    shop.signs_up("ada@example.com").await;
    let first = shop.code_for("ada@example.com", &[]).await;
    let sign_ups = "SELECT COUNT(*) FROM signups";
    shop.clock.advance(6 * DAY);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count(sign_ups).await, 1);
    // A sign-up with a valid code must be kept, so that the customer can confirm it.
    shop.clock.advance(2 * DAY);
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[&first]).await;
    shop.deletes_what_is_old().await;
    shop.confirms("ada@example.com", &code).await;
    shop.clock.advance(9 * DAY);
    shop.deletes_what_is_old().await;
    shop.logged_in("ada@example.com", PASSWORD).await;

    shop.signs_up("bea@example.com").await;
    let gone = shop.code_for("bea@example.com", &[]).await;
    shop.clock.advance(8 * DAY);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count(sign_ups).await, 0);
    shop.signs_up("bea@example.com").await;
    let code = shop.code_for("bea@example.com", &[&gone]).await;
    shop.confirms("bea@example.com", &code).await;
    shop.logged_in("bea@example.com", PASSWORD).await;
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_than_a_batch_is_deleted_at_once() {
    let shop = TestShop::open().await;
    shop.tamper(
        "INSERT INTO outbox (id, kind, dedupe_key, recipient, message, created_at, next_attempt_at, sent_at)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1250)
         SELECT 'old' || n, 'code', 'old' || n, 'ada@example.com', '', n, n, n FROM numbers",
    )
    .await;
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count("SELECT COUNT(*) FROM outbox WHERE id LIKE 'old%'").await, 0);
}
