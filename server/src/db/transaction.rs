//! One attempt of a write: its place among the pending writes, its transaction, and what a failure means for a retry.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::{AnyConnection, Connection as _};

use crate::error::Error;
use crate::error::database;

/// Future of a transaction, which it borrows.
pub type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'c>>;

/// Counts a write as pending until dropped.
pub(super) struct Place {
    pending: Arc<AtomicUsize>,
    pub in_front: usize,
}

impl Place {
    pub fn of(pending: &Arc<AtomicUsize>) -> Self {
        Self { in_front: pending.fetch_add(1, Ordering::Relaxed), pending: pending.clone() }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.pending.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One transaction: how it begins, how long it may take, and what it does.
pub(super) struct Write<'w, A, F> {
    pub begin: &'static str,
    pub limit: Option<Duration>,
    pub args: &'w A,
    pub work: &'w F,
}

impl<A, F> Write<'_, A, F> {
    pub async fn transact<T>(&self, connection: &mut AnyConnection) -> Result<T, WriteError>
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

pub(super) enum WriteError {
    Begin(sqlx::Error),
    Work(Error),
    /// The work failed, and then the rollback: the connection is broken, or SQLite has already rolled back, as it does on a
    /// full disk.
    Abandoned(Error),
    Commit(sqlx::Error),
    TimedOut,
}

impl WriteError {
    /// Such a connection must not return to the pool: a transaction may still be open on it, the driver may believe so, or it
    /// leads to a read-only node.
    pub fn poisons_connection(&self) -> bool {
        match self {
            Self::Work(error) => error.database_error().is_some_and(database::is_read_only),
            Self::Begin(_) | Self::Abandoned(_) | Self::Commit(_) | Self::TimedOut => true,
        }
    }

    /// Only errors after which certainly nothing was committed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Begin(error) => database::is_passing(error),
            Self::Work(error) | Self::Abandoned(error) => error.database_error().is_some_and(database::is_passing),
            Self::Commit(error) => database::is_rolled_back(error),
            Self::TimedOut => false,
        }
    }
}

impl From<WriteError> for Error {
    fn from(failure: WriteError) -> Self {
        match failure {
            WriteError::Begin(error) | WriteError::Commit(error) => error.into(),
            WriteError::Work(error) | WriteError::Abandoned(error) => error,
            WriteError::TimedOut => Error::overloaded("the database did not respond in time"),
        }
    }
}
