//! The database of a command.

use crate::config::Config;
use crate::db::Db;

/// Opens the database, and runs pending migrations.
pub async fn open(config: &Config) -> Result<Db, String> {
    let db = Db::open(&config.database_url).await?;
    db.migrate().await?;
    Ok(db)
}
