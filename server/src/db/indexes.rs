//! Drops indexes during a bulk insert: rebuilding them once at the end costs a fraction of updating them per row.

use sqlx::{AnyConnection, AssertSqlSafe, Executor as _, Row as _};

use super::{Backend, Db};
use crate::error::Error;

/// Dropped indexes, as `CREATE INDEX` statements.
pub struct Dropped(Vec<String>);

impl Db {
    /// Drops the indexes of these tables, except constraints. Recreate them in the same transaction.
    ///
    /// # Errors
    /// The database's error.
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
    /// The database's error.
    pub async fn recreate(self, tx: &mut AnyConnection) -> Result<(), Error> {
        for statement in self.0 {
            tx.execute(AssertSqlSafe(statement)).await?;
        }
        Ok(())
    }
}

impl Backend {
    /// Indexes of a table that are not constraints, with their statements.
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
