//! The mock's share of a database: migrations of its tables, reads and transactions. The pools are the caller's: SQLite
//! allows one writer only.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AnyPool, Connection as _, Error, SqlStr};

/// Future of a transaction, which it borrows.
pub type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'c>>;

/// Table of the applied migrations. Each owner of tables in a database has its own.
pub const MIGRATIONS_TABLE: &str = "_mock_stripe_migrations";

const ATTEMPTS: u32 = 3;
const RETRY_DELAY: Duration = Duration::from_millis(20);
/// For a PostgreSQL server that may disappear without a reset; longer than every statement timeout of the caller.
const LONGEST_WRITE: Duration = Duration::from_secs(20);

/// Creates the mock's tables, all of whose names start with `mock_stripe_`.
pub fn migrator() -> Migrator {
    let sql = SqlStr::from_static(include_str!("../migrations/0001_schema.sql"));
    let schema = Migration::new(1, "schema".into(), MigrationType::Simple, sql, false);
    let mut migrator = Migrator::with_migrations(vec![schema]);
    migrator.dangerous_set_table_name(MIGRATIONS_TABLE);
    migrator
}

#[derive(Clone, Debug)]
pub struct Db {
    readers: AnyPool,
    writers: AnyPool,
}

impl Db {
    pub fn new(readers: AnyPool, writers: AnyPool) -> Self {
        Self { readers, writers }
    }

    pub fn read(&self) -> &AnyPool {
        &self.readers
    }

    /// Runs `work` as one transaction and commits if it returns `Ok`.
    ///
    /// `work` borrows `args` and runs again after a transient error: it has no side effects besides its statements.
    pub async fn write<A, T, F>(&self, args: A, work: F) -> Result<T, Error>
    where
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T>,
    {
        let mut attempt = 1;
        loop {
            match self.write_once(&args, &work).await {
                Err(WriteError::BeforeCommit(error)) if attempt < ATTEMPTS && is_transient(&error) => {
                    tokio::time::sleep(RETRY_DELAY * attempt).await;
                    attempt += 1;
                }
                result => return result.map_err(WriteError::into_inner),
            }
        }
    }

    async fn write_once<A, T, F>(&self, args: &A, work: &F) -> Result<T, WriteError>
    where
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T>,
    {
        let mut connection = self.writers.acquire().await.map_err(WriteError::BeforeCommit)?;
        let longest = if is_sqlite(&connection) { Duration::MAX } else { LONGEST_WRITE };
        let transaction = transact(&mut connection, args, work);
        let result = tokio::time::timeout(longest, transaction).await.unwrap_or(Err(WriteError::TimedOut));
        // It may be broken, or lead to a node that has become read-only.
        if result.is_err() {
            connection.close_on_drop();
        }
        result
    }
}

async fn transact<A, T, F>(connection: &mut AnyConnection, args: &A, work: &F) -> Result<T, WriteError>
where
    F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T>,
{
    // SQLite cannot upgrade a read transaction while another process writes.
    let begin = if is_sqlite(connection) { "BEGIN IMMEDIATE" } else { "BEGIN" };
    let mut transaction = connection.begin_with(begin).await.map_err(WriteError::BeforeCommit)?;
    let value = work(&mut transaction, args).await.map_err(WriteError::BeforeCommit)?;
    transaction.commit().await.map_err(WriteError::Commit)?;
    Ok(value)
}

fn is_sqlite(connection: &AnyConnection) -> bool {
    connection.backend_name() == "SQLite"
}

enum WriteError {
    /// Nothing was committed.
    BeforeCommit(Error),
    /// The result is unknown.
    Commit(Error),
    TimedOut,
}

impl WriteError {
    fn into_inner(self) -> Error {
        match self {
            Self::BeforeCommit(error) | Self::Commit(error) => error,
            Self::TimedOut => Error::Io(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// Whether another attempt may succeed: a lost connection, a deadlock or a failover of PostgreSQL, whose error codes have
/// five characters.
fn is_transient(error: &Error) -> bool {
    match error {
        Error::Io(_) => true,
        _ => error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| {
            code.len() == 5 && ["08", "25006", "40", "57P"].iter().any(|class| code.starts_with(class))
        }),
    }
}
