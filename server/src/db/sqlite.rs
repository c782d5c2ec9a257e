//! SQLite: a single write connection and a read pool.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::percent_decode_str;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool, Executor as _};

use super::backend::{Backend, quiet};
use crate::infra::private_files;

const READERS: u32 = 8;
/// The first SQLite release without the bug that could lose a write-ahead log on reset.
const OLDEST: [u32; 3] = [3, 51, 3];

/// Deleted content is overwritten with zeros: a copy of the file has none of it.
const WRITER: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
    PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864; \
    PRAGMA secure_delete = ON;";
/// Readers keep SQLite's default of 2 MB of cached pages each. With 8 MB, lists of a million orders were not faster: the
/// operating system caches the file.
const READER: &str = "PRAGMA busy_timeout = 5000; PRAGMA query_only = ON;";

/// Path of the database file.
pub fn path(url: &str) -> &str {
    url.trim_start_matches("sqlite:").trim_start_matches("//")
}

/// The files of an SQLite database; empty for PostgreSQL.
pub fn sqlite_files(url: &str) -> Vec<PathBuf> {
    match Backend::of(url) {
        Ok(Backend::Sqlite) => files(url),
        Ok(Backend::Postgres) | Err(_) => Vec::new(),
    }
}

/// The database file, its write-ahead log and shared-memory file; empty for an in-memory database.
fn files(url: &str) -> Vec<PathBuf> {
    // The driver percent-decodes the path as well.
    let path: Cow<'_, str> = percent_decode_str(path(url)).decode_utf8_lossy();
    if path == ":memory:" {
        return Vec::new();
    }
    ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{path}{end}"))).into()
}

/// Opens the read pool and the writer; creates a missing file.
pub async fn open(url: &str) -> Result<(AnyPool, AnyPool), sqlx::Error> {
    let path = path(url);
    secure(&files(url)).map_err(sqlx::Error::Io)?;
    let options = quiet(format!("sqlite:{path}?mode=rwc").parse()?);
    let writers = pool(1, WRITER).connect_with(options.clone()).await?;
    product(&mut *writers.acquire().await?).await?;
    let readers = pool(READERS, READER).connect_with(options).await?;
    Ok((readers, writers))
}

/// SQLite copies the mode of the file to the log, so only files of an earlier start may need a change.
fn secure(files: &[PathBuf]) -> std::io::Result<()> {
    let Some((file, others)) = files.split_first() else {
        return Ok(());
    };
    if let Some(folder) = file.parent().filter(|folder| *folder != Path::new("")) {
        private_files::create_folder(folder)?;
    }
    private_files::secure_file(file)?;
    others.iter().for_each(|other| private_files::narrow(other));
    Ok(())
}

/// Name and version; an error if it is too old.
pub async fn product(connection: &mut AnyConnection) -> Result<String, sqlx::Error> {
    let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(connection).await?;
    require_fixed_version(&version)?;
    Ok(format!("SQLite {version}"))
}

fn pool(connections: u32, pragmas: &'static str) -> AnyPoolOptions {
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

fn require_fixed_version(version: &str) -> Result<(), sqlx::Error> {
    let parts: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
    if parts.as_slice() >= OLDEST.as_slice() {
        return Ok(());
    }
    let needed = OLDEST.map(|part| part.to_string()).join(".");
    Err(sqlx::Error::Configuration(format!("SQLite {version} is older than {needed}").into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    // invariant: sqlite-configuration
    #[test]
    fn an_sqlite_with_the_log_reset_bug_is_too_old() {
        for (version, is_taken) in [("3.51.3", true), ("3.52.0", true), ("3.51.2", false), ("3.9.9", false)] {
            assert_eq!(require_fixed_version(version).is_ok(), is_taken, "{version}");
        }
    }
}
