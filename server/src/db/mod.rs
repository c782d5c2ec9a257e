//! Database access for SQLite and PostgreSQL: connection pools, transactions, migrations. No other module knows which
//! database it is.
//!
//! Writes run in their own tasks, so a dropped request cannot leave a transaction open or half done. SQLite has a single
//! writer with `BEGIN IMMEDIATE`. The read pool's connections reject writes on both databases.

mod backend;
pub mod counters;
mod indexes;
pub mod inspect;
pub mod json;
mod pool_metrics;
mod postgres;
pub mod prefix;
pub mod rows;
mod schema;
pub mod shop_metadata;
mod sqlite;
pub mod tagged;
mod transaction;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use prometheus::Histogram;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AnyConnection, AnyPool, Connection as _, Executor as _};
use tokio_util::task::TaskTracker;

use self::backend::Backend;
pub use self::pool_metrics::Connections;
use self::pool_metrics::write_wait;
pub use self::schema::{allows_older_programs, find_applied_schema, find_newest_migration, schema_version};
pub use self::sqlite::sqlite_files;
pub use self::transaction::Work;
use self::transaction::{Place, Write, WriteError};
use crate::error::Error;
use crate::infra::random;

tokio::task_local! {
    /// Load shedding: the number of pending writes at which this task's writes are rejected.
    static MOST_PENDING: usize;
}

const ATTEMPTS: u32 = 3;
/// Reason in the overload log.
pub const TOO_MANY_WRITES: &str = "too many writes wait";
/// Timeout of a request's write on a server that may disappear without a reset; longer than every statement timeout.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Clone, Debug)]
pub struct Db {
    backend: Backend,
    readers: AnyPool,
    writers: AnyPool,
    tasks: TaskTracker,
    /// Number of finished writes.
    writes: Arc<AtomicU64>,
    /// Number of successful writes.
    commits: Arc<AtomicU64>,
    /// Number of writes that wait for a connection.
    pending: Arc<AtomicUsize>,
    /// Number of writes with a time limit of their own.
    long: Arc<AtomicUsize>,
    write_wait: Histogram,
}

impl Db {
    /// Opens the database; creates a missing SQLite file.
    ///
    /// # Errors
    /// A message for the operator.
    pub async fn open(url: &str) -> Result<Self, String> {
        sqlx::any::install_default_drivers();
        let backend = Backend::of(url)?;
        let pools = match backend {
            Backend::Sqlite => sqlite::open(url).await,
            Backend::Postgres => {
                postgres::check_parameters(url).map_err(|error| format!("DATABASE_URL: {error}"))?;
                postgres::open(url).await
            }
        };
        let (readers, writers) = pools.map_err(|error| format!("DATABASE_URL: cannot open the database: {error}"))?;
        Ok(Self {
            backend,
            readers,
            writers,
            tasks: TaskTracker::new(),
            writes: Arc::default(),
            commits: Arc::default(),
            pending: Arc::default(),
            long: Arc::default(),
            write_wait: write_wait().map_err(|error| error.to_string())?,
        })
    }

    /// Runs pending migrations of the shop's schema. Idempotent. A newer schema stays as it is.
    ///
    /// # Errors
    /// If a migration fails, an applied one was altered, or this program may not use a newer schema.
    pub async fn migrate(&self) -> Result<(), String> {
        if let Some(newer) = self.find_newer_schema().await? {
            let own = schema_version();
            tracing::warn!(schema = newer, own, "the database has a newer schema, which this version may still use");
            return Ok(());
        }
        let Err(failure) = self.apply(&schema::migrator(self.backend)).await else {
            return Ok(());
        };
        // A newer process may have migrated meanwhile.
        self.find_newer_schema().await?.map(drop).ok_or(failure)
    }

    /// The database's schema, if it is newer than this program's and this program may use it.
    ///
    /// # Errors
    /// If this program may not use it.
    pub async fn find_newer_schema(&self) -> Result<Option<i64>, String> {
        let mut connection = self.readers.acquire().await.map_err(|error| format!("DATABASE_URL: {error}"))?;
        schema::find_newer(&mut connection).await
    }

    /// Runs pending migrations. Idempotent.
    ///
    /// # Errors
    /// As for [`Db::migrate`].
    pub async fn apply(&self, migrator: &Migrator) -> Result<(), String> {
        let newest = migrator.iter().map(|migration| migration.version).max().unwrap_or(0);
        self.run_migrator(migrator).await.map_err(|error| match error {
            MigrateError::VersionMissing(found) if found > newest => {
                format!("DATABASE_URL: the database has schema {found}, which is newer than this program's {newest}")
            }
            error => format!("DATABASE_URL: migrating the schema failed: {error}"),
        })
    }

    /// Of several processes that start at once, one migrates and the others wait, without a lock timeout: this
    /// connection is configured for that and closed afterward.
    async fn run_migrator(&self, migrator: &Migrator) -> Result<(), MigrateError> {
        let mut connection = self.writers.acquire().await?;
        if let Some(busy_timeout) = self.backend.busy_timeout() {
            connection.execute(busy_timeout).await?;
        }
        migrator.run(&mut *connection).await?;
        if self.backend.busy_timeout().is_some() {
            connection.close().await?;
        }
        Ok(())
    }

    /// The read and the write pool, for the mock Stripe. SQLite has a single writer, so both share it.
    pub fn pools(&self) -> (AnyPool, AnyPool) {
        (self.readers.clone(), self.writers.clone())
    }

    /// The read pool: its connections reject writes.
    pub fn read(&self) -> &AnyPool {
        &self.readers
    }

    /// Runs `work` with load shedding: its writes fail with 503 if more than this number of writes are pending.
    pub async fn shedding_writes<F: Future>(max_pending: usize, work: F) -> F::Output {
        MOST_PENDING.scope(max_pending, work).await
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
            Backend::Postgres => Some(WRITE_TIMEOUT),
        };
        self.write_in(self.backend.begin_write(), limit, args, work).await
    }

    /// [`Db::write`] with this time limit, for a request that changes a whole table.
    ///
    /// # Errors
    /// The error of `work`, or the database's. The transaction is rolled back.
    pub async fn write_within<A, T, F>(&self, limit: Duration, args: A, work: F) -> Result<T, Error>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c, T> + Send + Sync + 'static,
    {
        let limit = match self.backend {
            Backend::Sqlite => None,
            Backend::Postgres => Some(limit),
        };
        let running = Place::of(&self.long);
        self.write_in(self.backend.begin_long_write(), limit, (args, running), move |tx, (args, _)| work(tx, args))
            .await
    }

    /// Whether this process is at a write with a time limit of its own. Other writes to SQLite fail meanwhile.
    pub fn has_long_write(&self) -> bool {
        self.long.load(Ordering::Relaxed) > 0
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
        self.write_in(self.backend.begin_long_write(), None, args, work).await
    }

    async fn write_in<A, T, F>(
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
            if result.is_ok() {
                db.commits.fetch_add(1, Ordering::SeqCst);
            }
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
        let waited = self.write_wait.start_timer();
        let acquired = self.writers.acquire().await;
        waited.observe_duration();
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

    /// Number of finished writes of this process: data read before the last one may be stale.
    pub fn writes(&self) -> u64 {
        self.writes.load(Ordering::SeqCst)
    }

    /// Number of writes of this process that certainly succeeded.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::SeqCst)
    }

    /// Number of pending writes of this process.
    pub fn pending_writes(&self) -> usize {
        self.pending.load(Ordering::Relaxed)
    }

    /// The read and the write pool.
    pub fn connections(&self) -> [Connections; 2] {
        [("read", &self.readers), ("write", &self.writers)].map(|(pool, connections)| Connections {
            pool,
            open: connections.size(),
            idle: connections.num_idle(),
            most: connections.options().get_max_connections(),
        })
    }

    /// How long writes wait for a connection.
    pub fn write_wait(&self) -> &Histogram {
        &self.write_wait
    }

    /// Size of the database in bytes. With SQLite without its write-ahead log.
    ///
    /// # Errors
    /// The database's error.
    pub async fn size(&self) -> Result<i64, Error> {
        Ok(sqlx::query_scalar(self.backend.size()).fetch_one(&self.readers).await?)
    }

    /// The time of the database server's clock in milliseconds; `None` with SQLite, which has no clock of its own.
    ///
    /// # Errors
    /// The database's error.
    pub async fn server_now_ms(&self) -> Result<Option<i64>, Error> {
        match self.backend {
            Backend::Sqlite => Ok(None),
            Backend::Postgres => Ok(Some(postgres::now_ms(&mut *self.readers.acquire().await?).await?)),
        }
    }

    /// Runs `work` on a consistent snapshot, unaffected by concurrent writes. Runs in its own task, like a write; `work`
    /// only reads.
    ///
    /// # Errors
    /// The error of `work`, or the database's.
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

    /// Updates the query planner's statistics after a bulk insert.
    ///
    /// # Errors
    /// The database's error.
    pub async fn analyze(&self) -> Result<(), Error> {
        let mut connection = self.writers.acquire().await?;
        if let Some(busy_timeout) = self.backend.busy_timeout() {
            connection.execute(busy_timeout).await?;
        }
        connection.execute(self.backend.analyze()).await?;
        connection.close().await?;
        Ok(())
    }

    /// Empties SQLite's write-ahead log, unless readers need it.
    ///
    /// # Errors
    /// The database's error.
    pub async fn empty_log(&self) -> Result<(), Error> {
        if let Some(sql) = self.backend.empty_log() {
            // A connection of the read pool, because writes would wait for the only writer.
            self.readers.acquire().await?.execute(sql).await?;
        }
        Ok(())
    }

    /// `COLLATE` clause for byte order, which is the same on both databases.
    pub fn binary_collation(&self) -> &'static str {
        self.backend.binary_collation()
    }

    /// Waits for running writes, then closes the database.
    pub async fn close(&self) {
        self.tasks.close();
        self.tasks.wait().await;
        self.readers.close().await;
        self.writers.close().await;
    }
}
