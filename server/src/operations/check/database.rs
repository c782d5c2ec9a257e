//! The database: reachable, recent enough, writable, with a compatible schema.

use std::fs;
use std::path::Path;

use sqlx::AnyConnection;

use super::Status;
use crate::config::Config;
use crate::db::inspect::{Inspected, inspect};
use crate::db::{allows_older_programs, schema_version, sqlite_files};
use crate::infra::private_files::{self, find_open_to_others};

/// Free space that a shop needs, in bytes: as much as the write-ahead log of a busy hour.
const ROOM: usize = 4 * 1024 * 1024;

/// Results of the checks of the database.
pub struct Database {
    pub status: Status,
    /// None with SQLite, and without a database.
    pub durability: Option<Status>,
    /// Its clock; none of its own with SQLite.
    pub now_ms: Option<i64>,
    /// For further checks; `None` if the database can't be used or the first start would create it.
    pub connection: Option<AnyConnection>,
}

impl From<Status> for Database {
    fn from(status: Status) -> Self {
        Self { status, durability: None, now_ms: None, connection: None }
    }
}

pub async fn check(config: &Config) -> Database {
    match inspect(&config.database_url).await {
        Ok(None) => Status::Works("not created yet; the first start creates it".to_owned()).into(),
        Ok(Some(inspected)) => {
            let files = sqlite_files(&config.database_url);
            match find_open_to_others(&files).or_else(|| find_full_disk(files.first()?)) {
                None => check_inspected(inspected).await,
                Some(message) => Status::Fails(message).into(),
            }
        }
        Err(reason) => Status::Fails(format!("DATABASE_URL: cannot use it: {reason}")).into(),
    }
}

/// Tries to write a file beside the database. SQLite reuses space within its files, so its own writes succeed for a while on
/// a full disk.
fn find_full_disk(database: &Path) -> Option<String> {
    let probe = database.with_added_extension("check");
    let written = private_files::write(&probe, &"\0".repeat(ROOM));
    // Without it, the error of the attempt to write is the one to report.
    let _ = fs::remove_file(&probe);
    written.err().map(|error| format!("no room for {} more bytes at {}: {error}", ROOM, database.display()))
}

async fn check_inspected(inspected: Inspected) -> Database {
    let Inspected { mut connection, product, schema, obstacle, durability, now_ms } = inspected;
    let durability = durability.map(Status::from);
    if let Some(reason) = obstacle {
        let status = Status::Fails(format!("{product} is reachable, but not writable: {reason}"));
        return Database { durability, now_ms, ..status.into() };
    }
    let (status, is_usable) = status_of_schema(&mut connection, &product, schema).await;
    Database { status, durability, now_ms, connection: is_usable.then_some(connection) }
}

/// Also whether further checks can use the database.
async fn status_of_schema(connection: &mut AnyConnection, product: &str, schema: Option<i64>) -> (Status, bool) {
    let newest = schema_version();
    match schema {
        None => (Status::Works(format!("{product}, empty; the first start creates the schema")), false),
        Some(schema) if schema > newest => {
            let message = format!("{product} has schema {schema}, which is newer than this program's {newest}");
            match allows_older_programs(connection).await {
                Ok(true) => (Status::Works(format!("{message}, but may still be used by it")), true),
                Ok(false) | Err(_) => (Status::Fails(message), false),
            }
        }
        Some(schema) if schema < newest => {
            let message =
                format!("{product} is writable; the next start migrates its schema from {schema} to {newest}");
            (Status::Works(message), false)
        }
        Some(schema) => {
            let message = format!("{product} is writable, and its schema ({schema}) is up to date");
            (Status::Works(message), true)
        }
    }
}
