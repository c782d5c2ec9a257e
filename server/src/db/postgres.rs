//! PostgreSQL: a read pool, a write pool, and failover detection.
//!
//! After a failover an old connection may stay alive on a node that is now read-only, and would pass a plain ping. So each
//! connection is checked for read-only mode before use; a write connection only after a pause, because its writes fail
//! clearly.

use std::fs::File;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Connection as _, Executor as _, Row as _};
use tokio::time::timeout;
use url::Url;

use super::backend::quiet;
use crate::infra::random;

const CONNECTIONS: u32 = 8;
/// In the format of `server_version_num`.
const OLDEST: u32 = 150_000;
/// Maximum wait for a connection, also while the database restarts.
const ACQUIRE: Duration = Duration::from_secs(3);
/// Timeout of the check, after which the connection is replaced.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(1);
/// A write connection used this recently is not checked: its write has its own timeout and error.
const TRUSTED: Duration = Duration::from_millis(100);
/// Maximum lifetime of a connection: server settings change, and the address may lead to another node.
const LIFETIME: Duration = Duration::from_secs(600);

const WRITER: &str = "SET statement_timeout = '5s'; SET lock_timeout = '2s'; \
    SET idle_in_transaction_session_timeout = '10s'";
/// No parallel queries: a page's queries finish before a second worker would have started.
const READER: &str = "SET statement_timeout = '5s'; SET lock_timeout = '2s'; \
    SET idle_in_transaction_session_timeout = '10s'; SET default_transaction_read_only = on; \
    SET max_parallel_workers_per_gather = 0";

const SHARED_SESSIONS: &str = "a connection pooler lets connections share sessions; set its pool_mode to session";

const NO_ANSWER: &str = "the server does not answer within 3 seconds";

/// Parameters of a URL that the driver uses.
const PARAMETERS: [&str; 17] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
];

/// Parameters whose value is a PEM file, or its content.
const FILES: [&str; 7] = ["sslrootcert", "ssl-root-cert", "ssl-ca", "sslcert", "ssl-cert", "sslkey", "ssl-key"];

/// Rejects parameters that can't work.
///
/// # Errors
/// A message that names the parameter.
pub fn check_parameters(url: &str) -> Result<(), String> {
    reject_unknown_parameters(url)?;
    reject_unreadable_files(url)
}

/// Rejects a file that can't be read. The driver's error wouldn't name it.
fn reject_unreadable_files(url: &str) -> Result<(), String> {
    let Ok(url) = Url::parse(url) else { return Ok(()) };
    let is_path = |name: &str, value: &str| FILES.contains(&name) && !value.contains("-----BEGIN");
    for (name, path) in url.query_pairs().filter(|(name, value)| is_path(name, value)) {
        File::open(&*path).map_err(|error| format!("its parameter `{name}`: cannot read {path}: {error}"))?;
    }
    Ok(())
}

/// Rejects a parameter that the driver would ignore, such as `connect_timeout` or a misspelled `sslmode`.
///
/// # Errors
/// A message that names it.
fn reject_unknown_parameters(url: &str) -> Result<(), String> {
    // The driver's error says what else is wrong with the URL.
    let Ok(url) = Url::parse(url) else { return Ok(()) };
    let is_known = |name: &str| PARAMETERS.contains(&name) || name == "options" || name.starts_with("options[");
    match url.query_pairs().map(|(name, _)| name).find(|name| !is_known(name)) {
        Some(name) => Err(format!("its parameter `{name}` is unknown")),
        None => Ok(()),
    }
}

/// Rejects a connection pooler that lets clients share a session, such as PgBouncer with `pool_mode = transaction`: a
/// parameter that one connection sets is then seen by the other.
pub async fn reject_shared_sessions(one: &mut AnyConnection, other: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // Without prepared statements, which such a pooler may lose.
    let own = random::new_id();
    one.execute(AssertSqlSafe(format!("SET nudgelight.session = '{own}'"))).await?;
    let seen = other.fetch_one("SELECT coalesce(current_setting('nudgelight.session', true), '')").await?;
    if seen.try_get::<String, _>(0)? != own {
        return Ok(());
    }
    Err(sqlx::Error::Configuration(SHARED_SESSIONS.into()))
}

/// Opens the read and the write pool.
pub async fn open(url: &str) -> Result<(AnyPool, AnyPool), sqlx::Error> {
    let options = quiet(url.parse()?);
    let writers = connect(pool(WRITER, "SHOW transaction_read_only", TRUSTED), WRITER, &options).await?;
    reject_shared_sessions(&mut *writers.acquire().await?, &mut *writers.acquire().await?).await?;
    product(&mut *writers.acquire().await?).await?;
    let readers = connect(pool(READER, "SHOW in_hot_standby", Duration::ZERO), READER, &options).await?;
    Ok((readers, writers))
}

async fn connect(
    pool: AnyPoolOptions,
    session: &'static str,
    options: &AnyConnectOptions,
) -> Result<AnyPool, sqlx::Error> {
    match pool.connect_with(options.clone()).await {
        // This error doesn't say why the pool's attempts failed.
        Err(sqlx::Error::PoolTimedOut) => Err(connection_error(session, options).await),
        opened => opened,
    }
}

/// The error of one more attempt.
async fn connection_error(session: &'static str, options: &AnyConnectOptions) -> sqlx::Error {
    let attempt = async {
        let mut connection = AnyConnection::connect_with(options).await?;
        connection.execute(session).await
    };
    match timeout(RESPONSE_TIMEOUT, attempt).await {
        Ok(Err(error)) => error,
        Ok(Ok(_)) => sqlx::Error::PoolTimedOut,
        Err(_) => sqlx::Error::Configuration(NO_ANSWER.into()),
    }
}

/// `unfit` is a query that returns `off` for a usable connection. New connections are not checked: while all nodes are
/// read-only, reads still work and writes fail immediately.
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
                match timeout(RESPONSE_TIMEOUT, connection.fetch_one(unfit)).await {
                    Ok(row) => Ok(row?.try_get::<String, _>(0)? == "off"),
                    Err(_) => Err(sqlx::Error::PoolTimedOut),
                }
            })
        })
}

/// The time of the server's clock in milliseconds.
pub async fn now_ms(connection: &mut AnyConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)")
        .fetch_one(connection)
        .await
}

/// What becomes of confirmed transactions in a crash and in a failover; an error message if a crash can lose some.
pub async fn durability(connection: &mut AnyConnection) -> Result<Result<String, String>, sqlx::Error> {
    for setting in ["fsync", "synchronous_commit"] {
        if show(connection, setting).await? == "off" {
            return Ok(Err(format!("PostgreSQL's {setting} is off: a crash of its machine can lose orders")));
        }
    }
    // Every role sees these rows; some columns are null for a role without the right to see them.
    let standbys = "SELECT COUNT(*) FROM pg_stat_replication \
                    WHERE coalesce(application_name, '') NOT IN ('pg_receivewal', 'pg_basebackup')";
    let standbys: i64 = sqlx::query_scalar(standbys).fetch_one(&mut *connection).await?;
    let waits_for_standby = !show(connection, "synchronous_standby_names").await?.is_empty()
        && show(connection, "synchronous_commit").await? != "local";
    Ok(Ok(match (standbys, waits_for_standby) {
        (0, _) => "a crash of PostgreSQL loses no order; no standby is connected".to_owned(),
        (_, true) => "neither a crash of PostgreSQL nor a failover loses an order".to_owned(),
        (_, false) => {
            "a crash of PostgreSQL loses no order, but a failover can: replication to the standby is asynchronous"
                .to_owned()
        }
    }))
}

async fn show(connection: &mut AnyConnection, setting: &str) -> Result<String, sqlx::Error> {
    sqlx::query_scalar(AssertSqlSafe(format!("SHOW {setting}"))).fetch_one(connection).await
}

/// Name and version; an error if it is too old.
pub async fn product(connection: &mut AnyConnection) -> Result<String, sqlx::Error> {
    let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut *connection).await?;
    let number: String = sqlx::query_scalar("SHOW server_version_num").fetch_one(connection).await?;
    match number.parse::<u32>() {
        Ok(number) if number >= OLDEST => Ok(format!("PostgreSQL {version}")),
        _ => Err(sqlx::Error::Configuration(format!("PostgreSQL {version} is older than {}", OLDEST / 10_000).into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_that_the_driver_would_ignore_is_named() {
        let rejected = |query: &str| reject_unknown_parameters(&format!("postgres://shop@db/shop{query}")).err();
        for query in ["", "?sslmode=require&sslrootcert=/ca.pem", "?options[search_path]=shop", "?host=/run/postgresql"]
        {
            assert_eq!(rejected(query), None, "{query}");
        }
        for (query, name) in [("?sslmod=require", "sslmod"), ("?sslmode=require&connect_timeout=3", "connect_timeout")]
        {
            assert_eq!(rejected(query), Some(format!("its parameter `{name}` is unknown")));
        }
    }
}
