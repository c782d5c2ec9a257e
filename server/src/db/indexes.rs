//! Indexes out of the way while a table is filled: sorted once at the end, they cost a fraction of what every single
//! row would pay.

use sqlx::{AnyConnection, AssertSqlSafe, Executor as _, Row as _};

use super::{Backend, Db};
use crate::http::error::Error;

/// Indexes that were dropped, as they are made again.
pub struct Dropped(Vec<String>);

impl Db {
    /// Drops the indexes of these tables, but those that keep a key, until they are put back in the same transaction.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn drop_indexes(&self, tx: &mut AnyConnection, tables: &[&str]) -> Result<Dropped, Error> {
        let mut dropped = Vec::new();
        for table in tables {
            let indexes = sqlx::query(self.backend.list_indexes()).bind(*table).fetch_all(&mut *tx).await?;
            for index in indexes {
                dropped.push(index.try_get("made_by")?);
                let name: String = index.try_get("name")?;
                tx.execute(AssertSqlSafe(format!("DROP INDEX {name}"))).await?;
            }
        }
        Ok(Dropped(dropped))
    }
}

impl Dropped {
    /// # Errors
    /// The database's failure.
    pub async fn put_back(self, tx: &mut AnyConnection) -> Result<(), Error> {
        for statement in self.0 {
            tx.execute(AssertSqlSafe(statement)).await?;
        }
        Ok(())
    }
}

impl Backend {
    /// The indexes of a table that were made by a statement of their own, and that statement.
    fn list_indexes(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "SELECT name, sql AS made_by FROM sqlite_master \
                 WHERE type = 'index' AND tbl_name = $1 AND sql IS NOT NULL ORDER BY name"
            }
            Self::Postgres => {
                "SELECT CAST(i.indexname AS TEXT) AS name, i.indexdef AS made_by FROM pg_indexes i \
                 WHERE i.schemaname = current_schema() AND i.tablename = $1 \
                   AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname) ORDER BY i.indexname"
            }
        }
    }
}
