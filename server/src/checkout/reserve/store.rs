//! The reservations of an account.

use sqlx::AnyConnection;

use crate::error::Error;

pub async fn count_open(tx: &mut AnyConnection, user_id: &str) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM checkouts WHERE user_id = $1 AND state = 'open'")
        .bind(user_id)
        .fetch_one(tx)
        .await?)
}

/// Counts the account's open checkouts that are older than this one, which may be closed.
pub async fn count_open_before(tx: &mut AnyConnection, user_id: &str, checkout_id: &str) -> Result<i64, Error> {
    Ok(sqlx::query_scalar(
        "SELECT COUNT(*) FROM checkouts WHERE user_id = $1 AND state = 'open' AND id <> $2 \
           AND created_at <= (SELECT created_at FROM checkouts WHERE id = $2)",
    )
    .bind(user_id)
    .bind(checkout_id)
    .fetch_one(tx)
    .await?)
}

/// Counts the units of a product that the account's open checkouts have reserved, without the first of them. The lines
/// are read in a subquery of each checkout: with stale statistics, PostgreSQL would start with all lines of the product.
pub async fn count_reserved_after_first(tx: &mut AnyConnection, user_id: &str, product_id: &str) -> Result<i64, Error> {
    Ok(sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM((SELECT SUM(CASE WHEN l.product_id = $2 THEN l.quantity ELSE 0 END) \
           FROM checkout_lines l WHERE l.checkout_id = c.id)), 0) AS BIGINT) FROM checkouts c \
         WHERE c.user_id = $1 AND c.state = 'open' AND c.id <> \
             (SELECT id FROM checkouts WHERE user_id = $1 AND state = 'open' ORDER BY created_at, id LIMIT 1)",
    )
    .bind(user_id)
    .bind(product_id)
    .fetch_one(tx)
    .await?)
}

/// Since when the account had reserved a product that it released, unpaid, after `since`. None if it released none. The
/// lines are read in a subquery, as above.
pub async fn find_held_since(
    tx: &mut AnyConnection,
    user_id: &str,
    product_id: &str,
    since: i64,
) -> Result<Option<i64>, Error> {
    Ok(sqlx::query_scalar(
        "SELECT MIN(c.held_since) FROM checkouts c \
         WHERE c.user_id = $1 AND c.state = 'closed' AND c.closed_at > $3 AND c.closed_reason <> 'not_prepared' \
           AND $2 IN (SELECT l.product_id FROM checkout_lines l WHERE l.checkout_id = c.id)",
    )
    .bind(user_id)
    .bind(product_id)
    .bind(since)
    .fetch_one(tx)
    .await?)
}
