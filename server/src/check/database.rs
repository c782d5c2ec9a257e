//! The database: there, new enough, writable, and with a schema that this program understands.

use sqlx::AnyConnection;

use super::Verdict;
use crate::config::Config;
use crate::db::inspect::{Inspected, inspect};
use crate::db::{schema_version, sqlite_files};
use crate::infra::private_files::find_open_to_others;

/// With a connection for whoever wants to know more of it; none where the first start would make it all.
pub async fn verdict(config: &Config) -> (Verdict, Option<AnyConnection>) {
    match inspect(&config.database_url).await {
        Ok(None) => (Verdict::Works("there is none yet; the first start makes it".to_owned()), None),
        Ok(Some(inspected)) => match find_open_to_others(&sqlite_files(&config.database_url)) {
            None => judged(inspected),
            Some(sentence) => (Verdict::Fails(sentence), None),
        },
        Err(reason) => (Verdict::Fails(format!("DATABASE_URL: it cannot be used: {reason}")), None),
    }
}

fn judged(inspected: Inspected) -> (Verdict, Option<AnyConnection>) {
    let Inspected { connection, product, schema, obstacle } = inspected;
    if let Some(reason) = obstacle {
        return (Verdict::Fails(format!("{product} answers, but cannot be written to: {reason}")), None);
    }
    let newest = schema_version();
    match schema {
        None => (Verdict::Works(format!("{product}, empty; the first start fills it")), None),
        Some(schema) if schema > newest => {
            let sentence = format!("{product} has schema {schema}, which is newer than this program's {newest}");
            (Verdict::Fails(sentence), None)
        }
        Some(schema) if schema < newest => {
            let sentence =
                format!("{product} can be written to; the next start takes its schema from {schema} to {newest}");
            (Verdict::Works(sentence), None)
        }
        Some(schema) => {
            let sentence = format!("{product} can be written to, and its schema ({schema}) is up to date");
            (Verdict::Works(sentence), Some(connection))
        }
    }
}
