//! What a worker claims at once.

use server::checkout::{tax_records, webhook_events};
use server::infra::clock::DAY;

use crate::harness::TestShop;

/// PostgreSQL ran the subquery of the claim once for each row, skipped what was locked, and so claimed all.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_claims_no_more_than_its_limit() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    buyer.buys(&stripe, &light, 1).await;
    // The planner expects as many rows as there were.
    shop.tamper("DELETE FROM tax_records").await;
    shop.tamper("DELETE FROM webhook_events").await;
    shop.tamper("ANALYZE").await;
    let later = 4 * 365 * DAY + 1_700_000_000_000;
    let events: Vec<_> = (0..200).map(|number| format!("('evt_{number}', 'x', '{{}}', 1, {later})")).collect();
    shop.tamper(format!(
        "INSERT INTO webhook_events (id, type, body, received_at, next_attempt_at) VALUES {}",
        events.join(", ")
    ))
    .await;
    let records = (0..200).map(|number| format!("SELECT 'tax_{number}', id, 'pending', {later}, 1 FROM orders"));
    shop.tamper(format!(
        "INSERT INTO tax_records (reference, order_id, state, next_attempt_at, created_at) {}",
        records.collect::<Vec<_>>().join(" UNION ALL ")
    ))
    .await;

    let db = &shop.inside().platform.db;
    let claim = db.write((), move |tx, ()| Box::pin(webhook_events::store::claim_events(tx, later + DAY)));
    assert_eq!(claim.await.unwrap().len(), 50);
    let claim = db
        .write((), move |tx, ()| Box::pin(async move { Ok(tax_records::store::claim(tx, later + DAY).await?.len()) }));
    assert_eq!(claim.await.unwrap(), 20);
}
