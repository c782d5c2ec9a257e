//! The database: reachable, recent enough, writable, with a compatible schema.

use sqlx::AnyConnection;

use super::Status;
use crate::config::Config;
use crate::db::inspect::{Inspected, inspect};
use crate::db::{schema_version, sqlite_files};
use crate::infra::private_files::find_open_to_others;

/// Also returns a connection for further checks; `None` if the first start would create the database.
pub async fn status(config: &Config) -> (Status, Option<AnyConnection>) {
    match inspect(&config.database_url).await {
        Ok(None) => (Status::Works("not created yet; the first start creates it".to_owned()), None),
        Ok(Some(inspected)) => match find_open_to_others(&sqlite_files(&config.database_url)) {
            None => status_of(inspected),
            Some(message) => (Status::Fails(message), None),
        },
        Err(reason) => (Status::Fails(format!("DATABASE_URL: cannot use it: {reason}")), None),
    }
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
