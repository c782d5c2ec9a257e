//! One way to read, one way to write, and the only file that knows which database it is.
//!
//! Writes run in tasks of their own: a request that is dropped half-way cannot leave a transaction open
//! or work half done. On SQLite one connection writes, with `BEGIN IMMEDIATE`, and the others only read.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AnyPool, ConnectOptions as _, Executor as _, Row as _};
use tokio_util::task::TaskTracker;

use crate::error::Error;

/// What a write closure returns: a future that borrows the transaction.
pub type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'c>>;

const READERS: u32 = 8;
const ATTEMPTS: u32 = 3;
/// The first release of SQLite without the bug that could lose a write-ahead log on reset.
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];

const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "accounts", include_str!("../../migrations/0001_accounts.sql")),
    (2, "shop", include_str!("../../migrations/0002_shop.sql")),
    (3, "teststripe", include_str!("../../migrations/0003_teststripe.sql")),
    (5, "stripe", include_str!("../../migrations/0005_stripe.sql")),
];

/// The number of the newest migration this binary has.
pub fn schema_version() -> i64 {
    MIGRATIONS.last().map_or(0, |(version, _, _)| *version)
}

/// The number of the newest migration this database has; `None` where no shop was ever set up.
pub async fn find_applied_schema(connection: &mut AnyConnection) -> Result<Option<i64>, Error> {
    match sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations").fetch_one(connection).await {
        Ok(version) => Ok(version),
        // No such table.
        Err(sqlx::Error::Database(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    fn begin_write(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// A snapshot may be read for longer than any call of the shop is given.
    fn begin_snapshot(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN",
            Self::Postgres => {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
                 SET LOCAL idle_in_transaction_session_timeout = 0"
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Db {
    backend: Backend,
    readers: AnyPool,
    writers: AnyPool,
    tasks: TaskTracker,
}

impl Db {
    /// Opens the database, making the SQLite file when there is none.
    ///
    /// # Errors
    /// A sentence for the operator: what could not be opened and why.
    pub async fn open(url: &str) -> Result<Self, String> {
        sqlx::any::install_default_drivers();
        let backend = if url.starts_with("sqlite:") {
            Backend::Sqlite
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Backend::Postgres
        } else {
            return Err("DATABASE_URL must begin with sqlite: or postgres://".to_owned());
        };
        let db = match backend {
            Backend::Sqlite => Self::open_sqlite(url).await,
            Backend::Postgres => Self::open_postgres(url).await,
        };
        db.map_err(|error| format!("DATABASE_URL: the database cannot be opened: {error}"))
    }

    async fn open_sqlite(url: &str) -> Result<Self, sqlx::Error> {
        let path = url.trim_start_matches("sqlite:").trim_start_matches("//");
        if let Some(folder) = Path::new(path).parent() {
            std::fs::create_dir_all(folder).map_err(sqlx::Error::Io)?;
        }
        let options = quiet(format!("sqlite:{path}?mode=rwc").parse()?);
        let writers = sqlite_pool(1, SQLITE_WRITER).connect_with(options.clone()).await?;
        let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&writers).await?;
        if !at_least(&version, OLDEST_SQLITE) {
            let needed = OLDEST_SQLITE.map(|part| part.to_string()).join(".");
            return Err(sqlx::Error::Configuration(format!("SQLite {version} is older than {needed}").into()));
        }
        let readers = sqlite_pool(READERS, SQLITE_READER).connect_with(options).await?;
        Ok(Self { backend: Backend::Sqlite, readers, writers, tasks: TaskTracker::new() })
    }

    async fn open_postgres(url: &str) -> Result<Self, sqlx::Error> {
        let pool = AnyPoolOptions::new()
            .max_connections(READERS * 2)
            .acquire_timeout(Duration::from_secs(3))
            .max_lifetime(Duration::from_secs(600))
            .test_before_acquire(false)
            .after_connect(|connection, _| {
                Box::pin(async move {
                    connection.execute(POSTGRES_SESSION).await?;
                    Ok(())
                })
            })
            // After a failover an old connection stays alive on what is now a read-only node.
            .before_acquire(|connection, _| {
                Box::pin(async move {
                    let row = connection.fetch_one("SHOW transaction_read_only").await?;
                    Ok(row.try_get::<String, _>(0)? == "off")
                })
            })
            .connect_with(quiet(url.parse()?))
            .await?;
        Ok(Self { backend: Backend::Postgres, readers: pool.clone(), writers: pool, tasks: TaskTracker::new() })
    }

    /// Brings the schema up to this binary's version. Running it again changes nothing.
    ///
    /// # Errors
    /// When a migration fails or one that was applied has since been altered.
    pub async fn migrate(&self) -> Result<(), String> {
        let migrations = MIGRATIONS
            .iter()
            .map(|(version, name, sql)| {
                Migration::new(*version, (*name).into(), MigrationType::Simple, sqlx::SqlStr::from_static(sql), false)
            })
            .collect();
        Migrator::with_migrations(migrations)
            .run(&self.writers)
            .await
            .map_err(|error| format!("DATABASE_URL: the schema cannot be brought up to date: {error}"))
    }

    /// For `SELECT` alone; on SQLite these connections refuse to write.
    pub fn read(&self) -> &AnyPool {
        &self.readers
    }

    /// Runs `work` as one transaction in a task that nobody can cancel, and commits it if it returns `Ok`.
    ///
    /// `work` may run again when the database asks for a retry, so it holds no side effects but its
    /// statements; a network call has no place in it.
    ///
    /// # Errors
    /// What `work` returned, or the database's failure. Either way nothing of it is kept.
    pub async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, T> + Send + Sync + 'static,
    {
        let db = self.clone();
        let work = Arc::new(work);
        let task = async move {
            let mut attempt = 1;
            loop {
                match db.write_once(&*work).await {
                    Err(failure) if attempt < ATTEMPTS && failure.database_error().is_some_and(is_transient) => {
                        attempt += 1;
                        tokio::time::sleep(Duration::from_millis(u64::from(attempt) * 20)).await;
                    }
                    Err(WriteError::Database(error)) => return Err(error.into()),
                    Err(WriteError::Work(error)) => return Err(error),
                    Ok(value) => return Ok(value),
                }
            }
        };
        let span = tracing::Span::current();
        let task = tracing::Instrument::instrument(task, span);
        match self.tasks.spawn(task).await {
            Ok(result) => result,
            Err(failure) => Err(Error::internal(failure)),
        }
    }

    async fn write_once<T, F>(&self, work: &F) -> Result<T, WriteError>
    where
        F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, T>,
    {
        let mut transaction = self.writers.begin_with(self.backend.begin_write()).await?;
        let value = match work(&mut transaction).await {
            Ok(value) => value,
            Err(error) => {
                transaction.rollback().await?;
                return Err(WriteError::Work(error));
            }
        };
        transaction.commit().await?;
        Ok(value)
    }

    /// Gives `work` everything as it stood at one moment, however long it reads and whoever writes meanwhile.
    ///
    /// Like a write it runs in a task of its own. `work` only reads.
    ///
    /// # Errors
    /// What `work` returned, or the database's failure.
    pub async fn snapshot<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut AnyConnection) -> Work<'c, T> + Send + 'static,
    {
        let (readers, begin) = (self.readers.clone(), self.backend.begin_snapshot());
        let task = async move {
            let mut transaction = readers.begin_with(begin).await?;
            let result = work(&mut transaction).await;
            transaction.rollback().await?;
            result
        };
        self.tasks.spawn(task).await.unwrap_or_else(|failure| Err(Error::internal(failure)))
    }

    /// The clause behind a text column in `ORDER BY` by which every database gives one and the same order.
    pub fn order_by_bytes(&self) -> &'static str {
        match self.backend {
            Backend::Sqlite => "COLLATE BINARY",
            Backend::Postgres => "COLLATE \"C\"",
        }
    }

    /// Waits until every write that has begun is done, then closes the database.
    pub async fn close(&self) {
        self.tasks.close();
        self.tasks.wait().await;
        self.readers.close().await;
        self.writers.close().await;
    }
}

enum WriteError {
    Database(sqlx::Error),
    Work(Error),
}

impl WriteError {
    fn database_error(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Database(error) => Some(error),
            Self::Work(error) => error.database_error(),
        }
    }
}

impl From<sqlx::Error> for WriteError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

/// True when `error` says that a unique key already holds this value.
pub fn is_unique_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}

const SQLITE_WRITER: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
    PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON;";
const SQLITE_READER: &str = "PRAGMA busy_timeout = 5000; PRAGMA query_only = ON;";
const POSTGRES_SESSION: &str = "SET statement_timeout = '5s'; SET lock_timeout = '2s'; \
    SET idle_in_transaction_session_timeout = '10s'";

fn sqlite_pool(connections: u32, pragmas: &'static str) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(5))
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                connection.execute(pragmas).await?;
                Ok(())
            })
        })
}

fn quiet(options: AnyConnectOptions) -> AnyConnectOptions {
    options.disable_statement_logging()
}

/// PostgreSQL asks for a retry (serialization, deadlock), is read-only after a failover, or went away.
fn is_transient(error: &sqlx::Error) -> bool {
    let Some(database) = error.as_database_error() else {
        return false;
    };
    database.code().is_some_and(|code| matches!(code.as_ref(), "40001" | "40P01" | "25006") || code.starts_with("08"))
}

fn at_least(version: &str, oldest: [u32; 3]) -> bool {
    let parts: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
    parts.as_slice() >= oldest.as_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_sqlite_with_the_log_reset_bug_is_too_old() {
        assert!(at_least("3.51.3", OLDEST_SQLITE));
        assert!(at_least("3.52.0", OLDEST_SQLITE));
        assert!(!at_least("3.51.2", OLDEST_SQLITE));
        assert!(!at_least("3.9.9", OLDEST_SQLITE));
    }
}
