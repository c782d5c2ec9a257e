//! Checkouts that are made again from their payments.

use std::collections::HashSet;

use sqlx::{AnyConnection, AnyPool, AssertSqlSafe};
use wasm_core::orders::OrderItem;

use crate::checkout::quote_metadata::{QuotedCheckout, QuotedLine};
use crate::db::json::to_json;
use crate::db::rows::in_list;
use crate::error::Error;

/// Bound values per query.
const BOUND: usize = 200;

/// The payments among these whose checkout is not closed.
pub async fn list_with_checkout(pool: &AnyPool, intent_ids: &[&str]) -> Result<HashSet<String>, Error> {
    let mut known = HashSet::new();
    for chunk in intent_ids.chunks(BOUND) {
        let (ids, bound) = in_list(chunk.iter().map(|id| (*id).to_owned()))?;
        let select =
            format!("SELECT payment_intent_id FROM checkouts WHERE payment_intent_id IN ({ids}) AND state <> 'closed'");
        let found: Vec<String> = sqlx::query_scalar_with(AssertSqlSafe(select), bound).fetch_all(pool).await?;
        known.extend(found);
    }
    Ok(known)
}

/// Whether an administrator has resolved the alert about a lost payment, or the payment was refunded without a checkout.
pub async fn is_settled(pool: &AnyPool, intent_id: &str) -> Result<bool, Error> {
    let settled: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM alerts WHERE payment_intent_id = $1 AND (kind IN ('payment_refunded', 'payment_charged_back') \
         OR (kind = 'payment_lost' AND resolved_at IS NOT NULL))",
    )
    .bind(intent_id)
    .fetch_one(pool)
    .await?;
    Ok(settled > 0)
}

pub async fn has_account(tx: &mut AnyConnection, user_id: &str) -> Result<bool, Error> {
    Ok(sqlx::query("SELECT 1 FROM users WHERE id = $1").bind(user_id).fetch_optional(tx).await?.is_some())
}

pub async fn has_checkout(tx: &mut AnyConnection, checkout_id: &str) -> Result<bool, Error> {
    Ok(sqlx::query("SELECT 1 FROM checkouts WHERE id = $1").bind(checkout_id).fetch_optional(tx).await?.is_some())
}

/// The line with the product's present name and warranty. None for an unknown product.
pub async fn find_item(tx: &mut AnyConnection, line: &QuotedLine) -> Result<Option<OrderItem>, Error> {
    let product: Option<(String, Option<i64>)> =
        sqlx::query_as("SELECT name, warranty_months FROM products WHERE id = $1")
            .bind(&line.product_id)
            .fetch_optional(tx)
            .await?;
    Ok(product.map(|(product_name, warranty_months)| OrderItem {
        product_id: line.product_id.clone(),
        product_name,
        quantity: line.quantity,
        price: line.price,
        warranty_months,
    }))
}

/// Stores the payment of a checkout that has none. False if it has one.
pub async fn set_payment(
    tx: &mut AnyConnection,
    quoted: &QuotedCheckout,
    intent_id: &str,
    now: i64,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE checkouts SET payment_intent_id = $2, tax_calculation = $3, tax = $4, total = $5, recovered_at = $6 \
         WHERE id = $1 AND payment_intent_id IS NULL AND state IN ('open', 'closed')",
    )
    .bind(&quoted.id)
    .bind(intent_id)
    .bind(to_json(&quoted.tax)?)
    .bind(quoted.tax.tax_amount_exclusive)
    .bind(quoted.total.cents())
    .bind(now)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}
