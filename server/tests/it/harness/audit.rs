//! Accounting invariants, checked directly in the database.

use server::db::Db;
use server::error::{Code, Error};
use server::orders::insert::store::continue_numbers;

use super::{Light, TestShop};

impl TestShop {
    /// Asserts that all accounting invariants hold.
    pub async fn audit(&self) {
        let findings = self.findings().await;
        assert!(findings.is_empty(), "{findings:#?}");
    }

    /// Findings as `nudgelight audit` prints them.
    pub async fn findings(&self) -> Vec<String> {
        let audit = server::operations::audit::audit(&self.inside().platform.db).await.unwrap();
        audit.findings.iter().map(ToString::to_string).collect()
    }

    /// Findings after this statement. The transaction is rolled back, so the database stays unchanged.
    pub async fn findings_after(&self, sql: &'static str) -> Vec<String> {
        let rolled_back = self.inside().platform.db.write((), move |tx, ()| {
            Box::pin(async move {
                let done = sqlx::query(sql).execute(&mut *tx).await?;
                assert!(done.rows_affected() > 0, "no rows affected: {sql}");
                let audit = server::operations::audit::look(tx).await?;
                let lines: Vec<String> = audit.findings.iter().map(ToString::to_string).collect();
                Err::<(), Error>(Error::new(Code::Internal, lines.join("\n")))
            })
        });
        rolled_back.await.unwrap_err().message().lines().map(str::to_owned).collect()
    }

    pub async fn count_orders(&self) -> i64 {
        self.count("SELECT COUNT(*) FROM orders").await
    }

    /// Number of sales of this product in the stock ledger.
    pub async fn count_sales(&self, light: &Light) -> i64 {
        sqlx::query_scalar("SELECT COUNT(*) FROM stock_ledger WHERE reason = 'sold' AND product_id = $1")
            .bind(&light.id)
            .fetch_one(self.inside().platform.db.read())
            .await
            .unwrap()
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(self.inside().platform.db.read()).await.unwrap()
    }

    pub async fn texts(&self, sql: &'static str) -> Vec<String> {
        sqlx::query_scalar(sql).fetch_all(self.inside().platform.db.read()).await.unwrap()
    }

    /// Lets the next order number follow the greatest, after orders were inserted directly.
    pub async fn continues_order_numbers(&self) {
        let work = self.inside().platform.db.write((), |tx, ()| Box::pin(continue_numbers(tx)));
        work.await.unwrap();
    }

    /// Executes SQL directly, without the shop's own checks.
    pub async fn tamper(&self, sql: impl Into<String>) {
        tamper(&self.inside().platform.db, sql.into()).await;
    }
}

/// Executes SQL directly, also on a database that no shop has open.
pub async fn tamper(db: &Db, sql: String) {
    db.write((), move |tx, ()| {
        let sql = sqlx::AssertSqlSafe(sql.clone());
        Box::pin(async move {
            sqlx::query(sql).execute(tx).await?;
            Ok(())
        })
    })
    .await
    .unwrap();
}
