//! Payouts and balance transactions.

use std::ops::Range;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row as _};
use wasm_core::money::Cents;

use super::category::Category;
use crate::checkout::provider;
use crate::error::Error;
use crate::http::page::Page;

/// A stored balance transaction with the order of its payment.
#[derive(Clone, Debug, Default)]
pub struct Transaction {
    pub id: String,
    /// The provider's type, such as `charge`.
    pub kind: String,
    pub category: Category,
    pub source: Option<String>,
    pub intent_id: Option<String>,
    pub payout_id: Option<String>,
    pub amount: Cents,
    pub fee: Cents,
    pub net: Cents,
    pub description: Option<String>,
    pub created_at: i64,
    pub problem: Option<String>,
    pub order_id: Option<String>,
    pub order_number: Option<i64>,
}

/// What the shop and the provider have about the payment or the source of a transaction.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Total of the payment's order, and the amount that was refunded at the provider.
    pub order: Option<(Cents, Cents)>,
    /// Whether the payment could not become an order and was refunded in full, or charged back.
    pub is_without_order: bool,
    /// Refunds of the payment in the provider's transactions, including those that failed later.
    pub refunds: Cents,
    /// Those of them that failed later.
    pub failed_refunds: Cents,
    /// Refunds that failed, but whose failure the provider hasn't listed yet.
    pub unlisted_failures: Cents,
    /// Whether the shop has the dispute or the payout.
    pub has_source: bool,
}

/// A stored payout with the sums of its transactions. Withdrawals are negative, fees positive.
#[derive(Clone, Debug)]
pub struct PayoutSums {
    pub id: String,
    pub amount: Cents,
    pub status: String,
    pub arrival_at: i64,
    pub is_complete: bool,
    pub payments: Cents,
    pub refunds: Cents,
    pub disputes: Cents,
    pub adjustments: Cents,
    pub fees: Cents,
    pub net: Cents,
}

/// Inserts or updates a payout. Returns whether all of its transactions are stored.
pub async fn upsert_payout(tx: &mut AnyConnection, payout: &provider::Payout) -> Result<bool, Error> {
    let complete: i64 = sqlx::query_scalar(
        "INSERT INTO payouts (id, amount, status, arrival_at, created_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, arrival_at = excluded.arrival_at \
         RETURNING complete",
    )
    .bind(&payout.id)
    .bind(payout.amount.cents())
    .bind(&payout.status)
    .bind(payout.arrival_at)
    .bind(payout.created_at)
    .fetch_one(tx)
    .await?;
    Ok(complete == 1)
}

pub async fn complete_payout(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    sqlx::query("UPDATE payouts SET complete = 1 WHERE id = $1").bind(id).execute(tx).await?;
    Ok(())
}

/// Inserts a transaction, or adds its payout and its payment.
pub async fn upsert_transaction(
    tx: &mut AnyConnection,
    transaction: &provider::BalanceTransaction,
    category: Category,
    payout_id: Option<&str>,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO balance_transactions \
         (id, type, category, source, payment_intent_id, payout_id, amount, fee, net, description, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (id) DO UPDATE SET \
         payout_id = COALESCE(excluded.payout_id, balance_transactions.payout_id), \
         payment_intent_id = COALESCE(excluded.payment_intent_id, balance_transactions.payment_intent_id)",
    )
    .bind(&transaction.id)
    .bind(&transaction.kind)
    .bind(category.as_str())
    .bind(transaction.source.as_deref())
    .bind(transaction.intent_id.as_deref())
    .bind(payout_id)
    .bind(transaction.amount.cents())
    .bind(transaction.fee.cents())
    .bind(transaction.net.cents())
    .bind(transaction.description.as_deref())
    .bind(transaction.created_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn set_problem(tx: &mut AnyConnection, id: &str, problem: Option<&str>) -> Result<(), Error> {
    sqlx::query("UPDATE balance_transactions SET problem = $2 WHERE id = $1")
        .bind(id)
        .bind(problem)
        .execute(tx)
        .await?;
    Ok(())
}

/// Members of a transaction and its order; a condition follows.
macro_rules! select_transactions {
    ($rest:literal) => {
        concat!(
            "SELECT t.*, o.id AS order_id, o.number AS order_number FROM balance_transactions t \
             LEFT JOIN orders o ON o.payment_intent_id = t.payment_intent_id ",
            $rest
        )
    };
}

pub async fn load_transaction(tx: &mut AnyConnection, id: &str) -> Result<Transaction, Error> {
    let row = sqlx::query(select_transactions!("WHERE t.id = $1")).bind(id).fetch_one(tx).await?;
    transaction_of(&row)
}

pub async fn list_transactions_of_payment(tx: &mut AnyConnection, intent_id: &str) -> Result<Vec<Transaction>, Error> {
    let rows = sqlx::query(select_transactions!("WHERE t.payment_intent_id = $1 ORDER BY t.created_at, t.id"))
        .bind(intent_id)
        .fetch_all(tx)
        .await?;
    rows.iter().map(transaction_of).collect()
}

pub async fn list_transactions_of_order(tx: &mut AnyConnection, order_id: &str) -> Result<Vec<Transaction>, Error> {
    let rows = sqlx::query(select_transactions!("WHERE o.id = $1 ORDER BY t.created_at, t.id"))
        .bind(order_id)
        .fetch_all(tx)
        .await?;
    rows.iter().map(transaction_of).collect()
}

/// A page of a payout's transactions without the payout's own, unexplained ones first, then newest first.
pub async fn list_transactions_of_payout(
    pool: &AnyPool,
    payout_id: &str,
    page: Page,
) -> Result<Vec<Transaction>, Error> {
    let rows = sqlx::query(select_transactions!(
        "WHERE t.payout_id = $1 AND t.category <> 'payout' \
         ORDER BY CASE WHEN t.problem IS NULL THEN 1 ELSE 0 END, t.created_at DESC, t.id DESC LIMIT $2 OFFSET $3"
    ))
    .bind(payout_id)
    .bind(page.limit)
    .bind((page.number - 1) * page.limit)
    .fetch_all(pool)
    .await?;
    rows.iter().map(transaction_of).collect()
}

pub async fn count_transactions_of_payout(pool: &AnyPool, payout_id: &str) -> Result<i64, Error> {
    let sql = "SELECT COUNT(*) FROM balance_transactions WHERE payout_id = $1 AND category <> 'payout'";
    Ok(sqlx::query_scalar(sql).bind(payout_id).fetch_one(pool).await?)
}

/// Unexplained transactions, oldest first.
pub async fn list_unexplained(pool: &AnyPool, limit: i64) -> Result<Vec<Transaction>, Error> {
    let rows = sqlx::query(select_transactions!("WHERE t.problem IS NOT NULL ORDER BY t.created_at, t.id LIMIT $1"))
        .bind(limit)
        .fetch_all(pool)
        .await?;
    rows.iter().map(transaction_of).collect()
}

pub async fn list_unexplained_ids(pool: &AnyPool, limit: i64) -> Result<Vec<String>, Error> {
    let sql = "SELECT id FROM balance_transactions WHERE problem IS NOT NULL ORDER BY created_at, id LIMIT $1";
    Ok(sqlx::query_scalar(sql).bind(limit).fetch_all(pool).await?)
}

pub async fn count_unexplained(pool: &AnyPool) -> Result<i64, Error> {
    let sql = "SELECT COUNT(*) FROM balance_transactions WHERE problem IS NOT NULL";
    Ok(sqlx::query_scalar(sql).fetch_one(pool).await?)
}

/// Creation time of the oldest order or, without orders, of the oldest checkout with a payment.
pub async fn find_oldest_payment(pool: &AnyPool) -> Result<Option<i64>, Error> {
    let sql = "SELECT COALESCE((SELECT MIN(created_at) FROM orders), \
               (SELECT MIN(created_at) FROM checkouts WHERE payment_intent_id IS NOT NULL))";
    Ok(sqlx::query_scalar(sql).fetch_one(pool).await?)
}

/// The shop's records about the payment or the source of a transaction.
pub async fn load_records(tx: &mut AnyConnection, transaction: &Transaction) -> Result<Records, Error> {
    let mut records = Records::default();
    if let Some(intent_id) = transaction.intent_id.as_deref() {
        load_payment(tx, intent_id, &mut records).await?;
    }
    match (transaction.category, transaction.source.as_deref()) {
        (Category::Dispute, Some(id)) => {
            records.has_source = exists(tx, "SELECT COUNT(*) FROM disputes WHERE id = $1", id).await?;
        }
        (Category::Payout, Some(id)) => {
            records.has_source = exists(tx, "SELECT COUNT(*) FROM payouts WHERE id = $1", id).await?;
        }
        _ => {}
    }
    Ok(records)
}

async fn load_payment(tx: &mut AnyConnection, intent_id: &str, records: &mut Records) -> Result<(), Error> {
    let order = sqlx::query(
        "SELECT o.total, o.refunded - (SELECT CAST(COALESCE(SUM(r.amount), 0) AS BIGINT) FROM refunds r \
             WHERE r.order_id = o.id AND r.state = 'done' AND r.paid_on IS NOT NULL) AS refunded, \
         (SELECT CAST(COALESCE(SUM(r.amount), 0) AS BIGINT) FROM refunds r \
             WHERE r.order_id = o.id AND r.state = 'failed' \
             AND EXISTS (SELECT 1 FROM balance_transactions t WHERE t.payment_intent_id = o.payment_intent_id \
                 AND t.source = r.provider_id AND t.amount < 0) \
             AND NOT EXISTS (SELECT 1 FROM balance_transactions t WHERE t.payment_intent_id = o.payment_intent_id \
                 AND t.source = r.provider_id AND t.amount > 0)) AS unlisted \
         FROM orders o WHERE o.payment_intent_id = $1",
    )
    .bind(intent_id)
    .fetch_optional(&mut *tx)
    .await?;
    if let Some(order) = order {
        records.order = Some((cents(&order, "total")?, cents(&order, "refunded")?));
        records.unlisted_failures = cents(&order, "unlisted")?;
    }
    // The database may have lost the checkout.
    let without_order = "SELECT (SELECT COUNT(*) FROM checkouts WHERE payment_intent_id = $1 \
                         AND state IN ('refunded', 'charged_back')) + (SELECT COUNT(*) FROM alerts \
                         WHERE payment_intent_id = $1 AND kind IN ('payment_refunded', 'payment_charged_back'))";
    records.is_without_order = exists(tx, without_order, intent_id).await?;
    let sums = sqlx::query(
        "SELECT CAST(COALESCE(SUM(CASE WHEN amount < 0 THEN -amount ELSE 0 END), 0) AS BIGINT) AS refunds, \
         CAST(COALESCE(SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END), 0) AS BIGINT) AS failed \
         FROM balance_transactions WHERE payment_intent_id = $1 AND category = 'refund'",
    )
    .bind(intent_id)
    .fetch_one(tx)
    .await?;
    (records.refunds, records.failed_refunds) = (cents(&sums, "refunds")?, cents(&sums, "failed")?);
    Ok(())
}

/// Payments with a refund that the provider returned to the balance, but that still counts as refunded.
pub async fn list_unnoticed_failures(pool: &AnyPool, limit: i64) -> Result<Vec<String>, Error> {
    let sql = "SELECT DISTINCT t.payment_intent_id FROM balance_transactions t \
               JOIN refunds r ON r.provider_id = t.source AND r.state = 'done' \
               WHERE t.category = 'refund' AND t.amount > 0 AND t.payment_intent_id IS NOT NULL \
               UNION SELECT t.payment_intent_id FROM balance_transactions t \
               JOIN checkouts c ON c.payment_intent_id = t.payment_intent_id AND c.state = 'refunded' \
               WHERE t.category = 'refund' AND t.amount > 0 AND NOT EXISTS \
                   (SELECT 1 FROM alerts a WHERE a.kind = 'payment_refund_failed' \
                    AND a.payment_intent_id = t.payment_intent_id) LIMIT $1";
    Ok(sqlx::query_scalar(sql).bind(limit).fetch_all(pool).await?)
}

async fn exists(tx: &mut AnyConnection, count: &'static str, id: &str) -> Result<bool, Error> {
    let found: i64 = sqlx::query_scalar(count).bind(id).fetch_one(tx).await?;
    Ok(found > 0)
}

/// Payouts with their sums; a condition on `payouts p` follows. Of a fee, the whole amount counts as a fee.
macro_rules! select_payouts {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.amount, p.status, p.arrival_at, p.created_at, p.complete, \
             CAST(COALESCE(SUM(CASE WHEN t.category = 'payment' THEN t.amount ELSE 0 END), 0) AS BIGINT) AS payments, \
             CAST(COALESCE(SUM(CASE WHEN t.category = 'refund' THEN t.amount ELSE 0 END), 0) AS BIGINT) AS refunds, \
             CAST(COALESCE(SUM(CASE WHEN t.category = 'dispute' THEN t.amount ELSE 0 END), 0) AS BIGINT) AS disputes, \
             CAST(COALESCE(SUM(CASE WHEN t.category IN ('adjustment', 'unknown') THEN t.amount ELSE 0 END), 0) \
                 AS BIGINT) AS adjustments, \
             CAST(COALESCE(SUM(CASE WHEN t.category = 'fee' THEN t.fee - t.amount ELSE t.fee END), 0) AS BIGINT) \
                 AS fees, \
             CAST(COALESCE(SUM(t.net), 0) AS BIGINT) AS net \
             FROM payouts p LEFT JOIN balance_transactions t ON t.payout_id = p.id AND t.category <> 'payout' ",
            $rest
        )
    };
}

/// A page of payouts, newest first.
pub async fn list_payouts(pool: &AnyPool, page: Page) -> Result<Vec<PayoutSums>, Error> {
    let rows = sqlx::query(select_payouts!(
        "WHERE p.id IN (SELECT id FROM payouts ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2) \
         GROUP BY p.id, p.amount, p.status, p.arrival_at, p.created_at, p.complete \
         ORDER BY p.created_at DESC, p.id DESC"
    ))
    .bind(page.limit)
    .bind((page.number - 1) * page.limit)
    .fetch_all(pool)
    .await?;
    rows.iter().map(payout_of).collect()
}

pub async fn count_payouts(pool: &AnyPool) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM payouts").fetch_one(pool).await?)
}

pub async fn find_payout(pool: &AnyPool, id: &str) -> Result<Option<PayoutSums>, Error> {
    let row = sqlx::query(select_payouts!(
        "WHERE p.id = $1 GROUP BY p.id, p.amount, p.status, p.arrival_at, p.created_at, p.complete"
    ))
    .bind(id)
    .fetch_optional(pool)
    .await?;
    row.as_ref().map(payout_of).transpose()
}

fn payout_of(row: &AnyRow) -> Result<PayoutSums, Error> {
    Ok(PayoutSums {
        id: row.try_get("id")?,
        amount: cents(row, "amount")?,
        status: row.try_get("status")?,
        arrival_at: row.try_get("arrival_at")?,
        is_complete: row.try_get::<i64, _>("complete")? == 1,
        payments: cents(row, "payments")?,
        refunds: cents(row, "refunds")?,
        disputes: cents(row, "disputes")?,
        adjustments: cents(row, "adjustments")?,
        fees: cents(row, "fees")?,
        net: cents(row, "net")?,
    })
}

pub fn transaction_of(row: &AnyRow) -> Result<Transaction, Error> {
    let category: String = row.try_get("category")?;
    Ok(Transaction {
        id: row.try_get("id")?,
        kind: row.try_get("type")?,
        category: Category::parse(&category).unwrap_or_default(),
        source: row.try_get("source")?,
        intent_id: row.try_get("payment_intent_id")?,
        payout_id: row.try_get("payout_id")?,
        amount: cents(row, "amount")?,
        fee: cents(row, "fee")?,
        net: cents(row, "net")?,
        description: row.try_get("description")?,
        created_at: row.try_get("created_at")?,
        problem: row.try_get("problem")?,
        order_id: row.try_get("order_id")?,
        order_number: row.try_get("order_number")?,
    })
}

fn cents(row: &AnyRow, column: &str) -> Result<Cents, Error> {
    Ok(Cents::from_cents(row.try_get(column)?))
}

/// A paid order without a balance transaction of its payment.
pub struct UnmatchedOrder {
    pub id: String,
    pub number: i64,
    pub created_at: i64,
    pub total: Cents,
}

/// Lists the orders of this period whose payment is not among the transactions, oldest first, and counts them all.
pub async fn list_unmatched_orders(
    pool: &AnyPool,
    period: Range<i64>,
    limit: i64,
) -> Result<(Vec<UnmatchedOrder>, i64), Error> {
    const UNMATCHED: &str = "FROM orders o WHERE o.created_at >= $1 AND o.created_at < $2 AND o.total > 0 \
                          AND NOT EXISTS (SELECT 1 FROM balance_transactions t \
                          WHERE t.payment_intent_id = o.payment_intent_id AND t.category = 'payment')";
    let count = AssertSqlSafe(format!("SELECT COUNT(*) {UNMATCHED}"));
    let total = sqlx::query_scalar(count).bind(period.start).bind(period.end).fetch_one(pool).await?;
    let select =
        format!("SELECT o.id, o.number, o.created_at, o.total {UNMATCHED} ORDER BY o.created_at, o.id LIMIT $3");
    let query = sqlx::query(AssertSqlSafe(select)).bind(period.start).bind(period.end).bind(limit);
    let order = |row: &AnyRow| {
        Ok(UnmatchedOrder {
            id: row.try_get("id")?,
            number: row.try_get("number")?,
            created_at: row.try_get("created_at")?,
            total: Cents::from_cents(row.try_get("total")?),
        })
    };
    let orders = query.fetch_all(pool).await?.iter().map(order).collect::<Result<_, Error>>()?;
    Ok((orders, total))
}
