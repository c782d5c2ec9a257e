//! Early fraud warnings of orders.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use crate::error::Error;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredWarning {
    pub id: String,
    /// The provider's code, such as `made_with_stolen_card`.
    pub fraud_type: String,
    /// Whether the payment is neither disputed nor refunded in full.
    pub is_actionable: bool,
    /// When the shop learned of it.
    pub created_at: i64,
}

pub async fn find(connection: &mut AnyConnection, id: &str) -> Result<Option<StoredWarning>, Error> {
    let sql = "SELECT id, fraud_type, actionable, created_at FROM early_fraud_warnings WHERE id = $1";
    let row = sqlx::query(sql).bind(id).fetch_optional(connection).await?;
    row.as_ref().map(warning_of).transpose()
}

/// Lists the warnings of an order, oldest first.
pub async fn list_of_order(connection: &mut AnyConnection, order_id: &str) -> Result<Vec<StoredWarning>, Error> {
    let sql = "SELECT id, fraud_type, actionable, created_at FROM early_fraud_warnings WHERE order_id = $1 \
               ORDER BY created_at, id";
    let rows = sqlx::query(sql).bind(order_id).fetch_all(connection).await?;
    rows.iter().map(warning_of).collect()
}

pub async fn insert(tx: &mut AnyConnection, order_id: &str, warning: &StoredWarning) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO early_fraud_warnings (id, order_id, fraud_type, actionable, created_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&warning.id)
    .bind(order_id)
    .bind(&warning.fraud_type)
    .bind(i64::from(warning.is_actionable))
    .bind(warning.created_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that nothing is to be done anymore.
pub async fn set_settled(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    sqlx::query("UPDATE early_fraud_warnings SET actionable = 0 WHERE id = $1").bind(id).execute(tx).await?;
    Ok(())
}

fn warning_of(row: &AnyRow) -> Result<StoredWarning, Error> {
    Ok(StoredWarning {
        id: row.try_get("id")?,
        fraud_type: row.try_get("fraud_type")?,
        is_actionable: row.try_get::<i64, _>("actionable")? == 1,
        created_at: row.try_get("created_at")?,
    })
}
