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
    static MOST_IN_FRONT: usize;
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
    waiting: Arc<AtomicUsize>,
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
            waiting: Arc::default(),
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
        if let Some(patience) = self.backend.patience() {
            connection.execute(patience).await?;
        }
        let migrations = MIGRATIONS
            .iter()
            .map(|(version, name, sql)| {
                let sql = self.backend.translated(sql);
                Migration::new(*version, (*name).into(), MigrationType::Simple, sql, false)
            })
            .collect();
        Migrator::with_migrations(migrations).run(&mut *connection).await?;
        if self.backend.patience().is_some() {
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
        MOST_IN_FRONT.scope(most_in_front, work).await
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
        let limit = match self.backend {
            Backend::Sqlite => None,
            Backend::Postgres => Some(LONGEST_WRITE),
        };
        self.write_within(self.backend.begin_write(), limit, work).await
    }

    /// Like [`Db::write`], for a command that may take as long as it needs.
    ///
    /// # Errors
    /// What `work` returned, or the database's failure. Either way nothing of it is kept.
    pub async fn write_at_length<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, T> + Send + Sync + 'static,
    {
        self.write_within(self.backend.begin_long_write(), None, work).await
    }

    async fn write_within<T, F>(&self, begin: &'static str, limit: Option<Duration>, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, T> + Send + Sync + 'static,
    {
        let db = self.clone();
        let work = Arc::new(work);
        // Counted before anybody else gets to ask, so that many who come at once do not all find the same few waiting.
        let place = Place::of(&self.waiting);
        if MOST_IN_FRONT.try_with(|most| place.in_front > *most) == Ok(true) {
            return Err(Error::overloaded(TOO_MANY_WRITES));
        }
        let mut place = Some(place);
        let task = async move {
            let mut attempt = 1;
            let result = loop {
                let place = place.take().unwrap_or_else(|| Place::of(&db.waiting));
                match db.write_once(begin, limit, &*work, place).await {
                    Err(failure) if attempt < ATTEMPTS && failure.may_be_tried_again() => {
                        let pause = u64::from(attempt) * 20 + random::below(20);
                        attempt += 1;
                        tokio::time::sleep(Duration::from_millis(pause)).await;
                    }
                    result => break result,
                }
            };
            // A failure may have been a commit whose answer was lost.
            db.writes.fetch_add(1, Ordering::SeqCst);
            result.map_err(Error::from)
        };
        let span = tracing::Span::current();
        let task = tracing::Instrument::instrument(task, span);
        match self.tasks.spawn(task).await {
            Ok(result) => result,
            Err(failure) => Err(Error::internal(failure)),
        }
    }

    async fn write_once<T, F>(
        &self,
        begin: &'static str,
        limit: Option<Duration>,
        work: &F,
        place: Place,
    ) -> Result<T, WriteError>
    where
        F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, T>,
    {
        let acquired = self.writers.acquire().await;
        drop(place);
        let mut connection = acquired.map_err(WriteError::Begin)?;
        let transaction = transact(&mut connection, begin, work);
        let done = match limit {
            None => transaction.await,
            Some(limit) => tokio::time::timeout(limit, transaction).await.unwrap_or(Err(WriteError::Unanswered)),
        };
        if done.as_ref().is_err_and(WriteError::spoils_the_connection) {
            connection.close_on_drop();
        }
        done
    }

    /// How many writes of this process have ended: what was read before the last one may be out of date.
    pub fn writes(&self) -> u64 {
        self.writes.load(Ordering::SeqCst)
    }

    /// How many writes of this process wait for their turn.
    pub fn waiting_writes(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
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
    pub async fn take_stock(&self) -> Result<(), Error> {
        let mut connection = self.writers.acquire().await?;
        if let Some(patience) = self.backend.patience() {
            connection.execute(patience).await?;
        }
        connection.execute(self.backend.take_stock()).await?;
        connection.close().await?;
        Ok(())
    }

    /// The clause behind a text by which every database compares and orders it in one and the same way.
    pub fn by_bytes(&self) -> &'static str {
        self.backend.by_bytes()
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
    waiting: Arc<AtomicUsize>,
    in_front: usize,
}

impl Place {
    fn of(waiting: &Arc<AtomicUsize>) -> Self {
        Self { waiting: waiting.clone(), in_front: waiting.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn transact<T, F>(connection: &mut AnyConnection, begin: &'static str, work: &F) -> Result<T, WriteError>
where
    F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c, T>,
{
    let mut transaction = connection.begin_with(begin).await.map_err(WriteError::Begin)?;
    match work(&mut transaction).await {
        Ok(value) => transaction.commit().await.map(|()| value).map_err(WriteError::Commit),
        Err(error) => match transaction.rollback().await {
            Ok(()) => Err(WriteError::Work(error)),
            Err(failure) => {
                tracing::debug!(%failure, "a rollback failed");
                Err(WriteError::Abandoned(error))
            }
        },
    }
}

enum WriteError {
    Begin(sqlx::Error),
    Work(Error),
    /// The work failed, and then the rollback: the connection is gone, or SQLite has rolled back by itself, as it does
    /// when the disk is full.
    Abandoned(Error),
    Commit(sqlx::Error),
    Unanswered,
}

impl WriteError {
    /// It never goes back to the pool, where it would refuse every transaction from then on: nobody knows whether one
    /// is open on it, the driver takes one for open that is not, or it leads to a node that takes no writes.
    fn spoils_the_connection(&self) -> bool {
        match self {
            Self::Work(error) => error.database_error().is_some_and(error::is_read_only),
            Self::Begin(_) | Self::Abandoned(_) | Self::Commit(_) | Self::Unanswered => true,
        }
    }

    /// Only what was surely not committed.
    fn may_be_tried_again(&self) -> bool {
        match self {
            Self::Begin(error) => error::is_passing(error),
            Self::Work(error) | Self::Abandoned(error) => error.database_error().is_some_and(error::is_passing),
            Self::Commit(error) => error::is_rolled_back(error),
            Self::Unanswered => false,
        }
    }
}

impl From<WriteError> for Error {
    fn from(failure: WriteError) -> Self {
        match failure {
            WriteError::Begin(error) | WriteError::Commit(error) => error.into(),
            WriteError::Work(error) | WriteError::Abandoned(error) => error,
            WriteError::Unanswered => Error::overloaded("the database did not answer in time"),
        }
    }
}

fn quiet(options: AnyConnectOptions) -> AnyConnectOptions {
    options.disable_statement_logging()
}
