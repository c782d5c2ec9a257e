//! Schema versions: the migrations of this program, and those applied to a database.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe};

use super::backend::Backend;
use super::shop_metadata;
use crate::error::Error;

const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "schema", include_str!("../../../migrations/0001_schema.sql")),
    (2, "code_login", include_str!("../../../migrations/0002_code_login.sql")),
    (3, "second_factor_setup", include_str!("../../../migrations/0003_second_factor_setup.sql")),
    (4, "passkeys", include_str!("../../../migrations/0004_passkeys.sql")),
    (5, "email_changes", include_str!("../../../migrations/0005_email_changes.sql")),
    (6, "line_warranties", include_str!("../../../migrations/0006_line_warranties.sql")),
];

/// The migrations in the dialect of this database.
pub(super) fn migrator(backend: Backend) -> Migrator {
    let migrations = MIGRATIONS.iter().map(|(version, name, sql)| {
        let sql = backend.translated(sql);
        Migration::new(*version, (*name).into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// Version of the newest migration in this binary.
pub fn schema_version() -> i64 {
    MIGRATIONS.last().map_or(0, |(version, _, _)| *version)
}

/// Version of the newest migration applied to this database; `None` if it was never migrated.
pub async fn find_applied_schema(connection: &mut AnyConnection) -> Result<Option<i64>, Error> {
    find_newest_migration(connection, "_sqlx_migrations").await
}

/// The newest migration in this table of applied ones; `None` without the table.
pub async fn find_newest_migration(connection: &mut AnyConnection, table: &'static str) -> Result<Option<i64>, Error> {
    let sql = AssertSqlSafe(format!("SELECT MAX(version) FROM {table}"));
    match sqlx::query_scalar(sql).fetch_one(connection).await {
        Ok(version) => Ok(version),
        // No such table.
        Err(sqlx::Error::Database(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether programs of this one's schema may use a database with the schema of a newer one.
pub async fn allows_older_programs(connection: &mut AnyConnection) -> Result<bool, Error> {
    let oldest = shop_metadata::find(connection, shop_metadata::MIN_READER).await?;
    Ok(oldest.and_then(|oldest| oldest.parse::<i64>().ok()).is_some_and(|oldest| oldest <= schema_version()))
}

/// The database's schema, if it is newer than this program's and this program may use it.
///
/// # Errors
/// If this program may not use it.
pub(super) async fn find_newer(connection: &mut AnyConnection) -> Result<Option<i64>, String> {
    let failed = |error: Error| format!("DATABASE_URL: {error}");
    let own = schema_version();
    let applied = find_applied_schema(connection).await.map_err(failed)?;
    let Some(newer) = applied.filter(|applied| *applied > own) else {
        return Ok(None);
    };
    if allows_older_programs(connection).await.map_err(failed)? {
        return Ok(Some(newer));
    }
    Err(format!("DATABASE_URL: the database has schema {newer}, which is newer than this program's {own}"))
}
