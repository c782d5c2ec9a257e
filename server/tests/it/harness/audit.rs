//! What must be true of a shop's books whatever happened: counted in the database, not asked of the server.

use sqlx::Row as _;

use super::{Light, TestShop};

/// Each finds rows that must not be there.
const BREACHES: [(&str, &str); 10] = [
    ("a count below zero", "SELECT id FROM products WHERE stock < 0 OR reserved < 0"),
    (
        "a reservation that no open checkout holds, or one that is not counted",
        "SELECT p.id FROM products p WHERE p.reserved <> (SELECT CAST(COALESCE(SUM(l.quantity), 0) AS BIGINT) \
         FROM checkout_lines l JOIN checkouts c ON c.id = l.checkout_id \
         WHERE c.state = 'open' AND l.product_id = p.id)",
    ),
    (
        "a stock that is not the sum of its ledger",
        "SELECT p.id FROM products p WHERE p.stock <> (SELECT CAST(COALESCE(SUM(s.change), 0) AS BIGINT) \
         FROM stock_ledger s WHERE s.product_id = p.id)",
    ),
    (
        "an order whose total is not the sum of its parts",
        "SELECT o.id FROM orders o WHERE o.total <> o.subtotal + o.shipping + o.tax OR o.subtotal <> \
         (SELECT CAST(SUM(l.price * l.quantity) AS BIGINT) FROM order_lines l WHERE l.order_id = o.id)",
    ),
    (
        "an order whose goods did not leave the shelf exactly once",
        "SELECT l.order_id AS id FROM order_lines l WHERE l.quantity <> (SELECT CAST(COALESCE(-SUM(s.change), 0) AS BIGINT) \
         FROM stock_ledger s WHERE s.order_id = l.order_id AND s.product_id = l.product_id AND s.cause = 'sold')",
    ),
    (
        "an ordered checkout without its order",
        "SELECT c.id FROM checkouts c WHERE c.state = 'ordered' AND NOT EXISTS \
         (SELECT 1 FROM orders o WHERE o.checkout_id = c.id)",
    ),
    (
        "an order whose checkout is not ordered",
        "SELECT o.id FROM orders o JOIN checkouts c ON c.id = o.checkout_id WHERE c.state <> 'ordered'",
    ),
    (
        "a sale that the provider calculated the tax of and will not be told of",
        "SELECT o.id FROM orders o WHERE o.tax_calculation_id NOT LIKE 'table-%' \
         AND NOT EXISTS (SELECT 1 FROM tax_records r WHERE r.reference = o.id AND r.reversed IS NULL)",
    ),
    (
        "tax records that take back another sum than was refunded",
        "SELECT o.id FROM orders o JOIN tax_records s ON s.reference = o.id WHERE o.refunded <> \
         (SELECT CAST(COALESCE(SUM(r.reversed), 0) AS BIGINT) FROM tax_records r WHERE r.order_id = o.id)",
    ),
    (
        "an order without exactly one receipt",
        "SELECT o.id FROM orders o WHERE (SELECT COUNT(*) FROM outbox m WHERE m.dedupe_key = 'receipt:' || o.id) <> 1",
    ),
];

impl TestShop {
    /// Panics when the books do not balance.
    pub async fn audit(&self) {
        for (breach, sql) in BREACHES {
            let rows = sqlx::query(sql).fetch_all(self.inside().db.read()).await.unwrap();
            let found: Vec<String> = rows.iter().map(|row| row.get("id")).collect();
            assert!(found.is_empty(), "{breach}: {found:?}");
        }
    }

    pub async fn count_orders(&self) -> i64 {
        self.count("SELECT COUNT(*) FROM orders").await
    }

    /// How often this light was taken from the shelf for an order.
    pub async fn count_sales(&self, light: &Light) -> i64 {
        sqlx::query_scalar("SELECT COUNT(*) FROM stock_ledger WHERE cause = 'sold' AND product_id = $1")
            .bind(&light.id)
            .fetch_one(self.inside().db.read())
            .await
            .unwrap()
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(self.inside().db.read()).await.unwrap()
    }

    pub async fn texts(&self, sql: &'static str) -> Vec<String> {
        sqlx::query_scalar(sql).fetch_all(self.inside().db.read()).await.unwrap()
    }
}
