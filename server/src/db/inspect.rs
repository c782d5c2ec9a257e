//! Inspection of a database that changes nothing, for `nudgelight check`.

use std::path::Path;
use std::time::Duration;

use sqlx::{AnyConnection, Connection as _, Executor as _};
use tokio::time::timeout;

use super::backend::quiet;
use super::{Backend, find_applied_schema, postgres, sqlite};

const TIMEOUT: Duration = Duration::from_secs(8);

/// State of a database.
pub struct Inspected {
    pub connection: AnyConnection,
    /// Name and version of the database.
    pub product: String,
    /// Version of the newest applied migration; `None` if never migrated.
    pub schema: Option<i64>,
    /// Why it cannot be written to.
    pub obstacle: Option<String>,
    /// With PostgreSQL, what becomes of confirmed transactions in a crash; an error message if it can lose some.
    pub durability: Option<Result<String, String>>,
    /// With PostgreSQL, the time of its clock in milliseconds.
    pub now_ms: Option<i64>,
}

/// `None` if the first start would create it.
///
/// # Errors
/// A message for the operator.
pub async fn inspect(url: &str) -> Result<Option<Inspected>, String> {
    sqlx::any::install_default_drivers();
    let backend = Backend::of(url)?;
    if backend == Backend::Postgres {
        postgres::check_parameters(url)?;
    }
    if backend == Backend::Sqlite && !Path::new(sqlite::path(url)).exists() {
        return Ok(None);
    }
    match timeout(TIMEOUT, connect_and_inspect(backend, url)).await {
        Ok(Ok(inspected)) => Ok(Some(inspected)),
        Ok(Err(error)) => Err(message_of(&error)),
        Err(_) => Err("it does not respond".to_owned()),
    }
}

async fn connect_and_inspect(backend: Backend, url: &str) -> Result<Inspected, sqlx::Error> {
    let address = match backend {
        Backend::Sqlite => format!("sqlite:{}?mode=rw", sqlite::path(url)),
        Backend::Postgres => url.to_owned(),
    };
    let mut connection = AnyConnection::connect_with(&quiet(address.parse()?)).await?;
    let product = match backend {
        Backend::Sqlite => sqlite::product(&mut connection).await?,
        Backend::Postgres => {
            let mut other = AnyConnection::connect_with(&quiet(address.parse()?)).await?;
            postgres::reject_shared_sessions(&mut connection, &mut other).await?;
            other.close().await?;
            postgres::product(&mut connection).await?
        }
    };
    // A file that is no database fails here.
    connection.execute("SELECT 1").await?;
    let schema = match find_applied_schema(&mut connection).await {
        Ok(schema) => schema,
        Err(error) => return Err(sqlx::Error::Configuration(error.to_string().into())),
    };
    let durability = match backend {
        Backend::Sqlite => None,
        Backend::Postgres => Some(postgres::durability(&mut connection).await?),
    };
    let now_ms = match backend {
        Backend::Sqlite => None,
        Backend::Postgres => Some(postgres::now_ms(&mut connection).await?),
    };
    let obstacle = try_to_write(backend, &mut connection, schema).await.err().map(|error| message_of(&error));
    Ok(Inspected { connection, product, schema, obstacle, durability, now_ms })
}

/// Tries a write. A full disk fails only at the end of a transaction, so one that changes nothing is committed.
async fn try_to_write(
    backend: Backend,
    connection: &mut AnyConnection,
    schema: Option<i64>,
) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin_with(backend.begin_write()).await?;
    if schema.is_some() {
        transaction.execute("UPDATE counters SET value = value").await?;
        return transaction.commit().await;
    }
    transaction.execute("CREATE TABLE written_to (value BIGINT)").await?;
    transaction.rollback().await
}

/// The database's own message, without the driver's prefix.
fn message_of(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        sqlx::Error::Configuration(error) => error.to_string(),
        other => other.to_string(),
    }
}
