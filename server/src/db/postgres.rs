//! PostgreSQL: two pools, of which one refuses to write, and neither keeps a connection to the wrong node.
//!
//! After a failover an old connection may stay alive on what is now a read-only node. It would pass any test
//! that only asks whether it answers, so each connection is asked what it may do before it is used; one for writing only
//! after a pause, because its write cannot be mistaken.

use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool, Executor as _, Row as _};
use tokio::time::timeout;

use super::quiet;

const CONNECTIONS: u32 = 8;
/// In `server_version_num`'s form.
const OLDEST: u32 = 150_000;
/// How long a request waits for a connection, also while the database starts again.
const ACQUIRE: Duration = Duration::from_secs(3);
/// How long a connection may take to say what it may do, before another one is made in its place.
const ANSWER: Duration = Duration::from_secs(1);
/// A writer that was at work so short a time ago is not asked: its write says what is wrong, within a limit of its own.
const TRUSTED: Duration = Duration::from_millis(100);
/// The settings of a session follow the server's, and an address may have come to mean another node.
const LIFETIME: Duration = Duration::from_secs(600);

const WRITER: &str = "SET statement_timeout = '5s'; SET lock_timeout = '2s'; \
    SET idle_in_transaction_session_timeout = '10s'";
/// What the shop asks for a page is over before a second process that helped with it would have begun.
const READER: &str = "SET statement_timeout = '5s'; SET lock_timeout = '2s'; \
    SET idle_in_transaction_session_timeout = '10s'; SET default_transaction_read_only = on; \
    SET max_parallel_workers_per_gather = 0";

/// The readers and the writers.
pub async fn open(url: &str) -> Result<(AnyPool, AnyPool), sqlx::Error> {
    let options = quiet(url.parse()?);
    let writers = pool(WRITER, "SHOW transaction_read_only", TRUSTED).connect_with(options.clone()).await?;
    product(&mut *writers.acquire().await?).await?;
    let readers = pool(READER, "SHOW in_hot_standby", Duration::ZERO).connect_with(options).await?;
    Ok((readers, writers))
}

/// `unfit` is a question that a connection which may stay in the pool answers with `off`. A new connection is not
/// asked: while all nodes are read-only, what can be read is read, and a write is told at once that it cannot be.
fn pool(session: &'static str, unfit: &'static str, trusted: Duration) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(ACQUIRE)
        .max_lifetime(LIFETIME)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                connection.execute(session).await?;
                Ok(())
            })
        })
        .before_acquire(move |connection, use_so_far| {
            Box::pin(async move {
                if use_so_far.idle_for < trusted {
                    return Ok(true);
                }
                match timeout(ANSWER, connection.fetch_one(unfit)).await {
                    Ok(row) => Ok(row?.try_get::<String, _>(0)? == "off"),
                    Err(_) => Err(sqlx::Error::PoolTimedOut),
                }
            })
        })
}

/// Its name and version, which must be new enough.
pub async fn product(connection: &mut AnyConnection) -> Result<String, sqlx::Error> {
    let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut *connection).await?;
    let number: String = sqlx::query_scalar("SHOW server_version_num").fetch_one(connection).await?;
    match number.parse::<u32>() {
        Ok(number) if number >= OLDEST => Ok(format!("PostgreSQL {version}")),
        _ => Err(sqlx::Error::Configuration(format!("PostgreSQL {version} is older than {}", OLDEST / 10_000).into())),
    }
}
