//! The database: reachable, recent enough, writable, with a compatible schema.

use std::fs;
use std::path::Path;

use sqlx::AnyConnection;

use super::Status;
use crate::config::Config;
use crate::db::inspect::{Inspected, inspect};
use crate::db::{schema_version, sqlite_files};
use crate::infra::private_files::{self, find_open_to_others};

/// Free space that a shop needs, in bytes: as much as the write-ahead log of a busy hour.
const ROOM: usize = 4 * 1024 * 1024;

/// Also returns a connection for further checks; `None` if the first start would create the database.
pub async fn status(config: &Config) -> (Status, Option<AnyConnection>) {
    match inspect(&config.database_url).await {
        Ok(None) => (Status::Works("not created yet; the first start creates it".to_owned()), None),
        Ok(Some(inspected)) => {
            let files = sqlite_files(&config.database_url);
            match find_open_to_others(&files).or_else(|| find_full_disk(files.first()?)) {
                None => status_of(inspected),
                Some(message) => (Status::Fails(message), None),
            }
        }
        Err(reason) => (Status::Fails(format!("DATABASE_URL: cannot use it: {reason}")), None),
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

fn status_of(inspected: Inspected) -> (Status, Option<AnyConnection>) {
    let Inspected { connection, product, schema, obstacle } = inspected;
    if let Some(reason) = obstacle {
        return (Status::Fails(format!("{product} is reachable, but not writable: {reason}")), None);
    }
    let newest = schema_version();
    match schema {
        None => (Status::Works(format!("{product}, empty; the first start creates the schema")), None),
        Some(schema) if schema > newest => {
            let message = format!("{product} has schema {schema}, which is newer than this program's {newest}");
            (Status::Fails(message), None)
        }
        Some(schema) if schema < newest => {
            let message =
                format!("{product} is writable; the next start migrates its schema from {schema} to {newest}");
            (Status::Works(message), None)
        }
        Some(schema) => {
            let message = format!("{product} is writable, and its schema ({schema}) is up to date");
            (Status::Works(message), Some(connection))
        }
    }
}
