//! Each check is one statement over whole tables that returns a message for every violating row. The daily totals have
//! checks with the days of the time zone in force.

use sqlx::{AnyConnection, AssertSqlSafe};

use crate::error::Error;
use crate::time_zone::{self, ShopZone};

pub struct Check {
    pub rule: &'static str,
    pub sql: &'static str,
}

/// Tax columns of an order or of a refund.
pub struct Taxes {
    pub number: i64,
    pub tax: i64,
    pub breakdown: String,
}

pub const CHECKS: &[Check] = &[
    Check {
        rule: "I1",
        sql: "SELECT 'Product ' || p.name || ' (' || p.id || ') has ' || p.reserved || ' reserved, but open checkouts \
                hold ' || COALESCE(held.quantity, 0) || '.' \
              FROM products p LEFT JOIN \
                (SELECT l.product_id, CAST(SUM(l.quantity) AS BIGINT) AS quantity FROM checkout_lines l \
                 JOIN checkouts c ON c.id = l.checkout_id WHERE c.state = 'open' GROUP BY l.product_id) held \
                ON held.product_id = p.id \
              WHERE p.reserved <> COALESCE(held.quantity, 0) ORDER BY p.id",
    },
    Check {
        rule: "I1",
        sql: "SELECT 'Product ' || p.name || ' (' || p.id || ') has ' || p.reserved || ' reserved of ' || p.stock || \
                ', although its stock was never lowered manually.' \
              FROM products p WHERE p.stock < p.reserved AND NOT EXISTS \
                (SELECT 1 FROM stock_ledger s WHERE s.product_id = p.id AND s.reason IN ('edited', 'corrected') AND s.change < 0) \
              ORDER BY p.id",
    },
    Check {
        rule: "I2",
        sql: "SELECT 'Product ' || p.name || ' (' || p.id || ') has a stock of ' || p.stock || ', but its ledger adds up to ' \
                || COALESCE(kept.change, 0) || '.' \
              FROM products p LEFT JOIN \
                (SELECT product_id, CAST(SUM(change) AS BIGINT) AS change FROM stock_ledger GROUP BY product_id) kept \
                ON kept.product_id = p.id \
              WHERE p.stock <> COALESCE(kept.change, 0) ORDER BY p.id",
    },
    Check {
        rule: "I2",
        sql: "SELECT 'Order ' || o.number || ' has ' || l.quantity || ' of product ' || l.product_id || ', but the ledger \
                has ' || COALESCE(sold.quantity, 0) || ' sold for it.' \
              FROM (SELECT order_id, product_id, CAST(SUM(quantity) AS BIGINT) AS quantity FROM order_lines \
                    GROUP BY order_id, product_id) l \
              JOIN orders o ON o.id = l.order_id LEFT JOIN \
                (SELECT order_id, product_id, CAST(-SUM(change) AS BIGINT) AS quantity FROM stock_ledger \
                 WHERE reason = 'sold' GROUP BY order_id, product_id) sold \
                ON sold.order_id = l.order_id AND sold.product_id = l.product_id \
              WHERE l.quantity <> COALESCE(sold.quantity, 0) ORDER BY o.number",
    },
    Check {
        rule: "I2",
        sql: "SELECT 'Ledger entry ' || s.id || ' of product ' || s.product_id || ' is ' || s.reason || \
                ', but there is no such line in an order.' \
              FROM stock_ledger s WHERE s.reason IN ('sold', 'restocked') AND NOT EXISTS \
                (SELECT 1 FROM order_lines l WHERE l.order_id = s.order_id AND l.product_id = s.product_id) \
              ORDER BY s.id",
    },
    Check {
        rule: "I2",
        sql: "SELECT 'Order ' || o.number || ' restocked ' || back.quantity || ' of product ' || back.product_id || \
                ', more than it contains.' \
              FROM (SELECT order_id, product_id, CAST(SUM(change) AS BIGINT) AS quantity FROM stock_ledger \
                    WHERE reason = 'restocked' GROUP BY order_id, product_id) back \
              JOIN orders o ON o.id = back.order_id \
              JOIN (SELECT order_id, product_id, CAST(SUM(quantity) AS BIGINT) AS quantity FROM order_lines \
                    GROUP BY order_id, product_id) l \
                ON l.order_id = back.order_id AND l.product_id = back.product_id \
              WHERE back.quantity > l.quantity ORDER BY o.number",
    },
    Check {
        rule: "I3",
        sql: "SELECT 'Checkout ' || c.id || ' is marked as ordered but has no order.' \
              FROM checkouts c LEFT JOIN orders o ON o.checkout_id = c.id \
              WHERE c.state = 'ordered' AND o.id IS NULL ORDER BY c.id",
    },
    Check {
        rule: "I3",
        sql: "SELECT 'Order ' || o.number || ' was created from checkout ' || c.id || ', which is ' || c.state || '.' \
              FROM orders o JOIN checkouts c ON c.id = o.checkout_id \
              WHERE c.state <> 'ordered' ORDER BY o.number",
    },
    Check {
        rule: "I3",
        sql: "SELECT 'Order ' || o.number || ' was paid by ' || o.payment_intent_id || ', but its checkout by ' \
                || COALESCE(c.payment_intent_id, 'nothing') || '.' \
              FROM orders o JOIN checkouts c ON c.id = o.checkout_id \
              WHERE o.payment_intent_id <> COALESCE(c.payment_intent_id, '') ORDER BY o.number",
    },
    Check {
        rule: "I3",
        sql: "SELECT 'Checkout ' || c.id || ' did not become an order, but there is no alert about payment ' \
                || COALESCE(c.payment_intent_id, '(no payment intent)') || '.' \
              FROM checkouts c LEFT JOIN alerts a ON a.payment_intent_id = c.payment_intent_id \
                AND a.kind IN ('payment_refunded', 'payment_charged_back') \
              WHERE c.state IN ('refunded', 'charged_back') AND a.id IS NULL ORDER BY c.id",
    },
    Check {
        rule: "I3",
        sql: "SELECT 'Checkout ' || c.id || ' was closed because the provider did not know its payment ' || \
                COALESCE(c.payment_intent_id, '(no payment intent)') || ', but there was no alert.' \
              FROM checkouts c LEFT JOIN alerts a ON a.payment_intent_id = c.payment_intent_id \
                AND a.kind = 'payment_unknown' \
              WHERE c.closed_reason = 'unknown_intent' AND a.id IS NULL ORDER BY c.id",
    },
    Check {
        rule: "I3",
        sql: "SELECT 'Payment ' || a.payment_intent_id || ' was lost by the database, and is neither an order nor refunded.' \
              FROM alerts a LEFT JOIN checkouts c ON c.payment_intent_id = a.payment_intent_id \
                AND c.state IN ('ordered', 'refunded', 'charged_back') \
              WHERE a.kind = 'payment_lost' AND a.resolved_at IS NULL AND c.id IS NULL AND NOT EXISTS \
                (SELECT 1 FROM alerts r WHERE r.payment_intent_id = a.payment_intent_id \
                   AND r.kind IN ('payment_refunded', 'payment_charged_back')) \
              ORDER BY a.payment_intent_id",
    },
    Check {
        rule: "I3",
        sql: "SELECT 'Checkout ' || c.id || ' was made again from payment ' || c.payment_intent_id || \
                ', but there was no alert.' \
              FROM checkouts c LEFT JOIN alerts a ON a.payment_intent_id = c.payment_intent_id \
                AND a.kind = 'payment_lost' \
              WHERE c.recovered_at IS NOT NULL AND a.id IS NULL ORDER BY c.id",
    },
    Check {
        rule: "I4",
        sql: "SELECT 'Order ' || o.number || ' has a subtotal of ' || o.subtotal || ' cents, but its lines add up to ' \
                || COALESCE(l.amount, 0) || ' cents.' \
              FROM orders o LEFT JOIN \
                (SELECT order_id, CAST(SUM(price * quantity) AS BIGINT) AS amount FROM order_lines GROUP BY order_id) l \
                ON l.order_id = o.id \
              WHERE o.subtotal <> COALESCE(l.amount, 0) ORDER BY o.number",
    },
    Check {
        rule: "I4",
        sql: "SELECT 'Order ' || o.number || ' has amounts (subtotal ' || o.subtotal || ', shipping ' || o.shipping || \
                ', tax ' || o.tax || ', total ' || o.total || ' cents) that differ from the quote.' \
              FROM orders o JOIN checkouts c ON c.id = o.checkout_id \
              WHERE o.subtotal <> c.subtotal OR o.shipping <> c.shipping OR o.tax <> COALESCE(c.tax, -1) \
                OR o.total <> COALESCE(c.total, -1) ORDER BY o.number",
    },
    Check {
        rule: "I4",
        sql: "SELECT 'Order ' || o.number || ' was quoted in ' || c.currency || ', not in usd.' \
              FROM orders o JOIN checkouts c ON c.id = o.checkout_id WHERE c.currency <> 'usd' ORDER BY o.number",
    },
    Check {
        rule: "I4",
        sql: "SELECT 'Order ' || o.number || ' has tax calculated by the provider but no tax record.' \
              FROM orders o LEFT JOIN tax_records r ON r.reference = o.id AND r.reversed IS NULL \
              WHERE o.tax_calculation_id NOT LIKE 'table-%' AND r.reference IS NULL ORDER BY o.number",
    },
    Check {
        rule: "I5",
        sql: "SELECT 'Order ' || o.number || ' was refunded ' || o.refunded || ' cents, but the provider is told to take \
                back the tax of ' || COALESCE(back.amount, 0) || '.' \
              FROM orders o JOIN tax_records sale ON sale.reference = o.id LEFT JOIN \
                (SELECT order_id, CAST(SUM(reversed) AS BIGINT) AS amount FROM tax_records \
                 WHERE reversed IS NOT NULL GROUP BY order_id) back ON back.order_id = o.id \
              WHERE o.refunded <> COALESCE(back.amount, 0) ORDER BY o.number",
    },
    Check {
        rule: "I5",
        sql: "SELECT 'Order ' || o.number || ' was refunded ' || o.refunded || ' cents, but its refunds add up to ' || \
                COALESCE(r.amount, 0) || ' cents.' \
              FROM orders o LEFT JOIN \
                (SELECT order_id, CAST(SUM(amount) AS BIGINT) AS amount FROM refunds WHERE state = 'done' \
                 GROUP BY order_id) r ON r.order_id = o.id \
              WHERE o.refunded <> COALESCE(r.amount, 0) ORDER BY o.number",
    },
    // Refunds and transactions of the last hour before the last listing may not be complete, and neither are the
    // transactions of a payment that the provider does not list. Refunds that were paid outside have none.
    Check {
        rule: "I5",
        sql: "SELECT 'Order ' || o.number || ' was refunded ' || COALESCE(r.amount, 0) || ' cents at the provider, but the \
                balance transactions have ' || COALESCE(t.amount, 0) || ' cents.' \
              FROM orders o LEFT JOIN \
                (SELECT order_id, CAST(SUM(CASE WHEN state = 'done' THEN amount ELSE 0 END) AS BIGINT) AS amount, \
                   MAX(CASE WHEN paid_on IS NULL THEN 0 ELSE 1 END) AS outside, \
                   MAX(CASE WHEN failed_at > created_at THEN failed_at ELSE created_at END) AS latest \
                 FROM refunds WHERE state IN ('done', 'failed') GROUP BY order_id) r ON r.order_id = o.id LEFT JOIN \
                (SELECT payment_intent_id, CAST(-SUM(amount) AS BIGINT) AS amount, MAX(created_at) AS latest \
                 FROM balance_transactions WHERE category = 'refund' GROUP BY payment_intent_id) t \
                ON t.payment_intent_id = o.payment_intent_id \
              WHERE COALESCE(r.amount, 0) <> COALESCE(t.amount, 0) AND COALESCE(r.outside, 0) = 0 \
                AND EXISTS (SELECT 1 FROM balance_transactions p \
                  WHERE p.payment_intent_id = o.payment_intent_id AND p.category = 'payment') \
                AND EXISTS (SELECT 1 FROM shop_metadata m WHERE m.name = 'balance_synced' \
                  AND COALESCE(r.latest, 0) < CAST(m.value AS BIGINT) - 3600000 \
                  AND COALESCE(t.latest, 0) < CAST(m.value AS BIGINT) - 3600000) ORDER BY o.number",
    },
    Check {
        rule: "I5",
        sql: "SELECT 'Order ' || o.number || ' has refunds of ' || r.subtotal || ' cents of items, ' || r.shipping || \
                ' of shipping and ' || r.tax || ' of tax, more than was paid for one of them.' \
              FROM orders o JOIN \
                (SELECT order_id, CAST(SUM(subtotal) AS BIGINT) AS subtotal, CAST(SUM(shipping) AS BIGINT) AS shipping, \
                   CAST(SUM(tax) AS BIGINT) AS tax FROM refunds WHERE state = 'done' GROUP BY order_id) r \
                ON r.order_id = o.id \
              WHERE r.subtotal > o.subtotal OR r.shipping > o.shipping OR r.tax > o.tax ORDER BY o.number",
    },
    Check {
        rule: "I5",
        sql: "SELECT 'Order ' || o.number || ' has refunds of ' || back.quantity || ' of product ' || back.product_id || \
                ', more than it contains.' \
              FROM (SELECT r.order_id, b.product_id, CAST(SUM(b.quantity) AS BIGINT) AS quantity FROM refund_lines b \
                    JOIN refunds r ON r.id = b.refund_id WHERE r.state = 'done' GROUP BY r.order_id, b.product_id) back \
              JOIN orders o ON o.id = back.order_id LEFT JOIN \
                (SELECT order_id, product_id, CAST(SUM(quantity) AS BIGINT) AS quantity FROM order_lines \
                 GROUP BY order_id, product_id) l \
                ON l.order_id = back.order_id AND l.product_id = back.product_id \
              WHERE back.quantity > COALESCE(l.quantity, 0) ORDER BY o.number",
    },
    Check {
        rule: "I5",
        sql: "SELECT 'Order ' || number || ' has payment status ' || payment_status || ', but ' || refunded || ' of ' || total || \
                ' cents were refunded, and its dispute is ' || dispute || '.' \
              FROM orders WHERE payment_status <> CASE WHEN dispute IN ('open', 'lost') THEN 'disputed' \
                WHEN refunded = 0 THEN 'paid' WHEN refunded = total THEN 'refunded' ELSE 'partially_refunded' END \
              ORDER BY number",
    },
    // The ranks are those of `checkout/disputes`: open disputes count first.
    Check {
        rule: "I5",
        sql: "SELECT 'Order ' || o.number || ' says that its dispute is ' || o.dispute || ', but its disputes make another \
                status.' \
              FROM orders o JOIN \
                (SELECT order_id, MAX(CASE status WHEN 'open' THEN 4 WHEN 'lost' THEN 3 WHEN 'warning' THEN 2 \
                   WHEN 'won' THEN 1 ELSE 0 END) AS counted FROM disputes GROUP BY order_id) d ON d.order_id = o.id \
              WHERE d.counted <> CASE o.dispute WHEN 'open' THEN 4 WHEN 'lost' THEN 3 WHEN 'warning' THEN 2 \
                WHEN 'won' THEN 1 ELSE 0 END ORDER BY o.number",
    },
    Check {
        rule: "I7",
        sql: "SELECT 'Order ' || o.number || ' is on hold for ' || COALESCE(o.hold, 'nothing') || ', but its disputes and \
                early fraud warnings say ' || CASE COALESCE(c.worst, 0) WHEN 4 THEN 'dispute' WHEN 3 THEN 'lost_dispute' \
                WHEN 2 THEN 'inquiry' WHEN 1 THEN 'fraud_warning' ELSE 'nothing' END || '.' \
              FROM orders o LEFT JOIN \
                (SELECT order_id, MAX(counted) AS worst FROM \
                  (SELECT order_id, CASE status WHEN 'open' THEN 4 WHEN 'lost' THEN 3 ELSE 2 END AS counted FROM disputes \
                   WHERE released = 0 AND status IN ('open', 'lost', 'warning') \
                   UNION ALL SELECT order_id, 1 FROM early_fraud_warnings WHERE released = 0 AND actionable = 1) causes \
                 GROUP BY order_id) c ON c.order_id = o.id \
              WHERE (o.hold IS NOT NULL OR c.order_id IS NOT NULL) AND COALESCE(c.worst, 0) <> \
                CASE o.hold WHEN 'dispute' THEN 4 WHEN 'lost_dispute' THEN 3 WHEN 'inquiry' THEN 2 \
                WHEN 'fraud_warning' THEN 1 ELSE 0 END ORDER BY o.number",
    },
    // The warranty is not compared: an older program leaves it out of the order. `q.product_id || ''` keeps SQLite from
    // scanning all checkouts of a product instead of one.
    Check {
        rule: "I6",
        sql: "SELECT 'Order ' || o.number || ' has another line ' || (l.position + 1) || ' than was quoted: ' || \
                l.quantity || ' of ' || l.product_name || ' at ' || l.price || ' cents.' \
              FROM order_lines l JOIN orders o ON o.id = l.order_id LEFT JOIN checkout_lines q \
                ON q.checkout_id = o.checkout_id AND q.product_id || '' = l.product_id AND q.quantity = l.quantity \
                AND q.price = l.price AND q.product_name = l.product_name \
              WHERE q.checkout_id IS NULL ORDER BY o.number, l.position",
    },
    Check {
        rule: "I6",
        sql: "SELECT 'Order ' || o.number || ' has ' || COALESCE(l.many, 0) || ' lines, but ' || COALESCE(q.many, 0) \
                || ' were quoted.' \
              FROM orders o \
              LEFT JOIN (SELECT order_id, COUNT(*) AS many FROM order_lines GROUP BY order_id) l ON l.order_id = o.id \
              LEFT JOIN (SELECT checkout_id, COUNT(*) AS many FROM checkout_lines GROUP BY checkout_id) q \
                ON q.checkout_id = o.checkout_id \
              WHERE COALESCE(l.many, 0) <> COALESCE(q.many, 0) ORDER BY o.number",
    },
    Check {
        rule: "I7",
        sql: "SELECT 'Order ' || number || ' was set to refunded, but its payment is ' || payment_status || '.' \
              FROM orders WHERE status = 'refunded' AND payment_status IN ('paid', 'partially_refunded') \
                AND NOT EXISTS (SELECT 1 FROM refunds f WHERE f.order_id = orders.id AND f.state = 'failed') \
              ORDER BY number",
    },
    Check {
        rule: "I7",
        sql: "SELECT 'Checkout ' || id || ' is ' || state || ' without a quote.' \
              FROM checkouts WHERE state IN ('ordered', 'refunded', 'charged_back') \
                AND (payment_intent_id IS NULL OR tax_calculation IS NULL OR tax IS NULL OR total IS NULL) ORDER BY id",
    },
    Check {
        rule: "I8",
        sql: "SELECT 'Order ' || o.number || ' has no receipt in the outbox.' \
              FROM orders o LEFT JOIN outbox m ON m.order_id = o.id AND m.kind = 'receipt' \
              WHERE m.id IS NULL ORDER BY o.number",
    },
];

pub async fn list_violations(tx: &mut AnyConnection, sql: &'static str) -> Result<Vec<String>, Error> {
    Ok(sqlx::query_scalar(sql).fetch_all(tx).await?)
}

/// Number of products and orders.
pub async fn count(tx: &mut AnyConnection) -> Result<(i64, i64), Error> {
    let counts = sqlx::query_as("SELECT (SELECT COUNT(*) FROM products), (SELECT COUNT(*) FROM orders)");
    Ok(counts.fetch_one(tx).await?)
}

pub async fn list_taxes(tx: &mut AnyConnection, after: i64, limit: i64) -> Result<Vec<Taxes>, Error> {
    let rows = sqlx::query_as::<_, (i64, i64, String)>(
        "SELECT number, tax, tax_breakdown FROM orders WHERE number > $1 ORDER BY number LIMIT $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|(number, tax, breakdown)| Taxes { number, tax, breakdown }).collect())
}

/// The taxes of all refunds, with the numbers of their orders.
pub async fn list_refunded_taxes(tx: &mut AnyConnection) -> Result<Vec<Taxes>, Error> {
    let rows = sqlx::query_as::<_, (i64, i64, String)>(
        "SELECT o.number, r.tax, r.tax_breakdown FROM refunds r JOIN orders o ON o.id = r.order_id \
         WHERE r.state = 'done' ORDER BY o.number",
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|(number, tax, breakdown)| Taxes { number, tax, breakdown }).collect())
}

/// Days whose totals are not those of the orders and of the ledger, in the time zone in force.
pub async fn list_total_mismatches(tx: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let zone = time_zone::store::load(&mut *tx).await?;
    let mut messages = Vec::new();
    for (totals, table) in [(order_totals as fn(&str) -> String, "orders"), (product_totals, "stock_ledger")] {
        let day = day_sql(tx, zone, table).await?;
        let mismatches: Vec<String> = sqlx::query_scalar(AssertSqlSafe(totals(&day))).fetch_all(&mut *tx).await?;
        messages.extend(mismatches);
    }
    Ok(messages)
}

/// SQL for the day of the table's rows.
async fn day_sql(tx: &mut AnyConnection, zone: ShopZone, table: &str) -> Result<String, Error> {
    let select = format!("SELECT COALESCE(MIN(created_at), 0), COALESCE(MAX(created_at), 0) FROM {table}");
    let range = sqlx::query_as(AssertSqlSafe(select)).fetch_one(tx).await?;
    Ok(zone.day_sql("created_at", range))
}

fn order_totals(day: &str) -> String {
    format!(
        "SELECT 'Day ' || day || ' is kept with ' || kept || ' orders ' || status || ' of ' || kept_sales || \
           ' cents, but there are ' || counted || ' of ' || counted_sales || ' cents.' \
         FROM (SELECT day, status, CAST(SUM(kept) AS BIGINT) AS kept, CAST(SUM(kept_sales) AS BIGINT) AS kept_sales, \
                 CAST(SUM(counted) AS BIGINT) AS counted, CAST(SUM(counted_sales) AS BIGINT) AS counted_sales \
               FROM (SELECT day, status, orders AS kept, sales AS kept_sales, 0 AS counted, 0 AS counted_sales \
                     FROM daily_order_totals UNION ALL \
                     SELECT {day}, status, 0, 0, COUNT(*), CAST(SUM(total - refunded) AS BIGINT) \
                     FROM orders GROUP BY {day}, status) either GROUP BY day, status) compared \
         WHERE kept <> counted OR kept_sales <> counted_sales ORDER BY day, status"
    )
}

fn product_totals(day: &str) -> String {
    format!(
        "SELECT 'Day ' || day || ' is kept with ' || kept || ' sold of product ' || product_id || \
           ', but the ledger has ' || counted || '.' \
         FROM (SELECT day, product_id, CAST(SUM(kept) AS BIGINT) AS kept, CAST(SUM(counted) AS BIGINT) AS counted \
               FROM (SELECT day, product_id, sold AS kept, 0 AS counted FROM daily_product_totals \
                     UNION ALL SELECT {day}, product_id, 0, CAST(-SUM(change) AS BIGINT) FROM stock_ledger \
                     WHERE reason IN ('sold', 'restocked') GROUP BY {day}, product_id) either \
               GROUP BY day, product_id) compared \
         WHERE kept <> counted ORDER BY day, product_id"
    )
}
