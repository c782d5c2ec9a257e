//! Order history in bulk, inserted with SQL because purchases over the API are too slow.

use server::orders::daily_totals::recount;
use sqlx::AssertSqlSafe;

use super::TestShop;

const CHECKOUTS: &str = "INSERT INTO checkouts (id, user_id, user_email, payment_intent_id, client_secret, state, \
    fingerprint, address, subtotal, shipping, tax, total, currency, tax_calculation, created_at, expires_at) \
    SELECT c.id || '-' || n.i, user_id, user_email, payment_intent_id || '-' || n.i, client_secret, state, \
    fingerprint, address, subtotal, shipping, tax, total, currency, tax_calculation, created_at, expires_at \
    FROM checkouts c, n WHERE c.state = 'ordered'";

/// A hundred orders share each timestamp, so that lists need a second sort key.
const ORDERS: &str = "INSERT INTO orders (id, number, user_id, user_email, checkout_id, payment_intent_id, \
    status, name, address, country, billing_address, subtotal, shipping, tax, total, tax_breakdown, \
    tax_region, tax_calculation_id, payment_status, created_at) \
    SELECT o.id || '-' || n.i, number + n.i, user_id, user_email, checkout_id || '-' || n.i, \
    payment_intent_id || '-' || n.i, status, name, address, country, billing_address, subtotal, shipping, tax, total, \
    tax_breakdown, tax_region, tax_calculation_id, payment_status, created_at - n.i / 100 FROM orders o, n";

const WORDS: &str = "INSERT INTO order_words (word, created_at, order_id) \
    SELECT w.word, w.created_at - n.i / 100, w.order_id || '-' || n.i FROM order_words w, n";

impl TestShop {
    /// Copies the shop's only order this many times, with new order numbers.
    pub async fn copies_its_order(&self, times: i64) {
        self.inside()
            .platform
            .db
            .write((), move |tx, ()| {
                Box::pin(async move {
                    for copy in [CHECKOUTS, ORDERS, WORDS] {
                        let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)";
                        sqlx::query(AssertSqlSafe(format!("{numbers} {copy}"))).bind(times).execute(&mut *tx).await?;
                    }
                    recount(tx).await
                })
            })
            .await
            .unwrap();
    }
}
