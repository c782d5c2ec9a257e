//! One way to read, one way to write, and, with the files beside it, the only place that knows which database it is.
//!
//! Writes run in tasks of their own: a request that is dropped half-way cannot leave a transaction open
//! or work half done. On SQLite one connection writes, with `BEGIN IMMEDIATE`. On either database the connections
//! for reading refuse to write.

mod backend;
mod error;
mod indexes;
pub mod inspect;
mod postgres;
mod sqlite;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AnyPool, ConnectOptions as _, Connection as _, Executor as _};
use tokio_util::task::TaskTracker;

use self::backend::Backend;
pub use self::error::{is_unavailable, is_unique_violation};
use crate::http::error::Error;
use crate::infra::random;

tokio::task_local! {
    /// How many writes may be in front of one that this task begins.
    static MOST_PENDING: usize;
}

/// What a write closure returns: a future that borrows the transaction.
pub type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'c>>;

const ATTEMPTS: u32 = 3;
/// What the log has as the reason.
pub const TOO_MANY_WRITES: &str = "too many writes wait";
/// Of a write for a request, on a server that may vanish without a word: no statement and no lock may take so long.
const LONGEST_WRITE: Duration = Duration::from_secs(20);

const MIGRATIONS: &[(i64, &str, &str)] = &[(1, "schema", include_str!("../../../migrations/0001_schema.sql"))];

/// The files of an SQLite database; none where a server keeps it.
pub fn sqlite_files(url: &str) -> Vec<std::path::PathBuf> {
    match Backend::of(url) {
        Ok(Backend::Sqlite) => sqlite::files(url),
        Ok(Backend::Postgres) | Err(_) => Vec::new(),
    }
}

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

#[derive(Clone, Debug)]
pub struct Db {
    backend: Backend,
    readers: AnyPool,
    writers: AnyPool,
    tasks: TaskTracker,
    /// How many writes have ended.
    writes: Arc<AtomicU64>,
    /// How many writes wait for a connection.
    pending: Arc<AtomicUsize>,
}

impl Db {
    /// Opens the database, making the SQLite file when there is none.
    ///
    /// # Errors
    /// A sentence for the operator: what could not be opened and why.
    pub async fn open(url: &str) -> Result<Self, String> {
        sqlx::any::install_default_drivers();
        let backend = Backend::of(url)?;
        let pools = match backend {
            Backend::Sqlite => sqlite::open(url).await,
            Backend::Postgres => postgres::open(url).await,
        };
        let (readers, writers) =
            pools.map_err(|error| format!("DATABASE_URL: the database cannot be opened: {error}"))?;
        Ok(Self {
            backend,
            readers,
            writers,
            tasks: TaskTracker::new(),
            writes: Arc::default(),
            pending: Arc::default(),
        })
    }

    /// Brings the schema up to this binary's version. Running it again changes nothing.
    ///
    /// # Errors
    /// When a migration fails, when one that was applied has since been altered, or when a newer program was here.
    pub async fn migrate(&self) -> Result<(), String> {
        self.apply_migrations().await.map_err(|error| match error {
            MigrateError::VersionMissing(found) if found > schema_version() => {
                let newest = schema_version();
                format!("DATABASE_URL: the database has schema {found}, which is newer than this program's {newest}")
            }
            error => format!("DATABASE_URL: the schema cannot be brought up to date: {error}"),
        })
    }

    /// However many processes start at once, one applies what is missing, and the others wait for it: as long as it
    /// takes, for which this connection is set up and then thrown away.
    async fn apply_migrations(&self) -> Result<(), MigrateError> {
        let mut connection = self.writers.acquire().await?;
        if let Some(busy_timeout) = self.backend.busy_timeout() {
            connection.execute(busy_timeout).await?;
        }
        let migrations = MIGRATIONS
            .iter()
            .map(|(version, name, sql)| {
                let sql = self.backend.translated(sql);
                Migration::new(*version, (*name).into(), MigrationType::Simple, sql, false)
            })
            .collect();
        Migrator::with_migrations(migrations).run(&mut *connection).await?;
        if self.backend.busy_timeout().is_some() {
            connection.close().await?;
        }
        Ok(())
    }

    /// For `SELECT` alone: these connections refuse to write.
    pub fn read(&self) -> &AnyPool {
        &self.readers
    }

    /// Runs `work`, which begins no write behind more than so many others: it is told that there is too much instead.
    pub async fn giving_way<F: Future>(most_in_front: usize, work: F) -> F::Output {
        MOST_PENDING.scope(most_in_front, work).await
    }

    /// Runs `work` as one transaction in a task that a dropped request cannot cancel, and commits if it returns `Ok`.
    ///
    /// `work` borrows `args` and runs again on a serialization failure: it has no side effects besides its statements,
    /// and no network request.
    ///
    /// # Errors
    /// The error of `work`, or the database's. The transaction is rolled back.
    pub async fn write<A, T, F>(&self, args: A, work: F) -> Result<T, Error>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T> + Send + Sync + 'static,
    {
        let limit = match self.backend {
            Backend::Sqlite => None,
            Backend::Postgres => Some(LONGEST_WRITE),
        };
        self.write_within(self.backend.begin_write(), limit, args, work).await
    }

    /// [`Db::write`] without arguments.
    ///
    /// # Errors
    /// The error of `work`, or the database's. The transaction is rolled back.
    pub async fn write_closure<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, T> + Send + Sync + 'static,
    {
        self.write(work, |tx, work| work(tx)).await
    }

    /// [`Db::write`] without a time limit, for commands.
    ///
    /// # Errors
    /// The error of `work`, or the database's. The transaction is rolled back.
    pub async fn write_long<A, T, F>(&self, args: A, work: F) -> Result<T, Error>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T> + Send + Sync + 'static,
    {
        self.write_within(self.backend.begin_long_write(), None, args, work).await
    }

    async fn write_within<A, T, F>(
        &self,
        begin: &'static str,
        limit: Option<Duration>,
        args: A,
        work: F,
    ) -> Result<T, Error>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T> + Send + Sync + 'static,
    {
        let db = self.clone();
        // Counted before the first await: of many concurrent writes each sees those before it.
        let place = Place::of(&self.pending);
        if MOST_PENDING.try_with(|most| place.in_front > *most) == Ok(true) {
            return Err(Error::overloaded(TOO_MANY_WRITES));
        }
        let task = async move {
            let result = db.retry(Write { begin, limit, args: &args, work: &work }, place).await;
            // After an error too: the commit may have succeeded and only its response was lost.
            db.writes.fetch_add(1, Ordering::SeqCst);
            result.map_err(Error::from)
        };
        let task = tracing::Instrument::instrument(task, tracing::Span::current());
        match self.tasks.spawn(task).await {
            Ok(result) => result,
            Err(failure) => Err(Error::internal(failure)),
        }
    }

    /// Retries with backoff what was certainly not committed.
    async fn retry<A, T, F>(&self, write: Write<'_, A, F>, place: Place) -> Result<T, WriteError>
    where
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T>,
    {
        let mut place = Some(place);
        let mut attempt = 1;
        loop {
            let place = place.take().unwrap_or_else(|| Place::of(&self.pending));
            match self.write_once(&write, place).await {
                Err(failure) if attempt < ATTEMPTS && failure.is_retryable() => {
                    let pause = u64::from(attempt) * 20 + random::below(20);
                    attempt += 1;
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                }
                result => return result,
            }
        }
    }

    async fn write_once<A, T, F>(&self, write: &Write<'_, A, F>, place: Place) -> Result<T, WriteError>
    where
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T>,
    {
        let acquired = self.writers.acquire().await;
        drop(place);
        let mut connection = acquired.map_err(WriteError::Begin)?;
        let transaction = write.transact(&mut connection);
        let done = match write.limit {
            None => transaction.await,
            Some(limit) => tokio::time::timeout(limit, transaction).await.unwrap_or(Err(WriteError::TimedOut)),
        };
        if done.as_ref().is_err_and(WriteError::poisons_connection) {
            connection.close_on_drop();
        }
        done
    }

    /// How many writes of this process have ended: what was read before the last one may be out of date.
    pub fn writes(&self) -> u64 {
        self.writes.load(Ordering::SeqCst)
    }

    /// How many writes of this process wait for their turn.
    pub fn pending_writes(&self) -> usize {
        self.pending.load(Ordering::Relaxed)
    }

    /// The connections for reading and for writing: how many there are, and how many of them nobody uses.
    pub fn connections(&self) -> [(&'static str, u32, usize); 2] {
        [("read", &self.readers), ("write", &self.writers)].map(|(name, pool)| (name, pool.size(), pool.num_idle()))
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
            let mut connection = readers.acquire().await?;
            let mut transaction = connection.begin_with(begin).await?;
            let result = work(&mut transaction).await;
            if let Err(failure) = transaction.rollback().await {
                connection.close_on_drop();
                return result.and(Err(failure.into()));
            }
            result
        };
        self.tasks.spawn(task).await.unwrap_or_else(|failure| Err(Error::internal(failure)))
    }

    /// Where a great many rows have been written: has the database find out what it has now, as it otherwise does in
    /// time, so that it plans its queries by that.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn analyze(&self) -> Result<(), Error> {
        let mut connection = self.writers.acquire().await?;
        if let Some(busy_timeout) = self.backend.busy_timeout() {
            connection.execute(busy_timeout).await?;
        }
        connection.execute(self.backend.analyze()).await?;
        connection.close().await?;
        Ok(())
    }

    /// The clause behind a text by which every database compares and orders it in one and the same way.
    pub fn binary_collation(&self) -> &'static str {
        self.backend.binary_collation()
    }

    /// Waits until every write that has begun is done, then closes the database.
    pub async fn close(&self) {
        self.tasks.close();
        self.tasks.wait().await;
        self.readers.close().await;
        self.writers.close().await;
    }
}

/// A place among the writes that wait for a connection.
struct Place {
    pending: Arc<AtomicUsize>,
    in_front: usize,
}

impl Place {
    fn of(pending: &Arc<AtomicUsize>) -> Self {
        Self { in_front: pending.fetch_add(1, Ordering::Relaxed), pending: pending.clone() }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.pending.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One transaction: how it begins, how long it may take, and what it does.
struct Write<'w, A, F> {
    begin: &'static str,
    limit: Option<Duration>,
    args: &'w A,
    work: &'w F,
}

impl<A, F> Write<'_, A, F> {
    async fn transact<T>(&self, connection: &mut AnyConnection) -> Result<T, WriteError>
    where
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T>,
    {
        let mut transaction = connection.begin_with(self.begin).await.map_err(WriteError::Begin)?;
        match (self.work)(&mut transaction, self.args).await {
            Ok(value) => transaction.commit().await.map(|()| value).map_err(WriteError::Commit),
            Err(error) => match transaction.rollback().await {
                Ok(()) => Err(WriteError::Work(error)),
                Err(failure) => {
                    tracing::debug!(%failure, "rollback failed");
                    Err(WriteError::Abandoned(error))
                }
            },
        }
    }
}

enum WriteError {
    Begin(sqlx::Error),
    Work(Error),
    /// The work failed, and then the rollback: the connection is gone, or SQLite has rolled back by itself, as it does
    /// when the disk is full.
    Abandoned(Error),
    Commit(sqlx::Error),
    TimedOut,
}

impl WriteError {
    /// It never goes back to the pool, where it would refuse every transaction from then on: nobody knows whether one
    /// is open on it, the driver takes one for open that is not, or it leads to a node that takes no writes.
    fn poisons_connection(&self) -> bool {
        match self {
            Self::Work(error) => error.database_error().is_some_and(error::is_read_only),
            Self::Begin(_) | Self::Abandoned(_) | Self::Commit(_) | Self::TimedOut => true,
        }
    }

    /// Only what was surely not committed.
    fn is_retryable(&self) -> bool {
        match self {
            Self::Begin(error) => error::is_passing(error),
            Self::Work(error) | Self::Abandoned(error) => error.database_error().is_some_and(error::is_passing),
            Self::Commit(error) => error::is_rolled_back(error),
            Self::TimedOut => false,
        }
    }
}

impl From<WriteError> for Error {
    fn from(failure: WriteError) -> Self {
        match failure {
            WriteError::Begin(error) | WriteError::Commit(error) => error.into(),
            WriteError::Work(error) | WriteError::Abandoned(error) => error,
            WriteError::TimedOut => Error::overloaded("the database did not answer in time"),
        }
    }
}

fn quiet(options: AnyConnectOptions) -> AnyConnectOptions {
    options.disable_statement_logging()
}
