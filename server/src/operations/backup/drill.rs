//! A restore drill: the newest backup is restored beside the shop, audited and deleted again.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{Progress, Purpose, folder, operator_error, restore};
use crate::db::{Db, shop_metadata, sqlite_files};
use crate::error::Error;
use crate::infra::private_files;
use crate::operations::audit::{self, Audit};
use crate::operations::metrics::free_bytes;

/// Free space that a drill needs, as a multiple of the backup's size.
const SPACE: u64 = 4;

/// Result of a drill.
pub struct Drill {
    pub file: PathBuf,
    pub audit: Audit,
}

/// Restores a backup, or the newest one of a folder, into an SQLite database in `data_dir`, audits it and deletes it.
///
/// # Errors
/// A message for the operator: the file cannot be restored, or is a backup of another shop than that of `db`.
pub async fn drill(db: &Db, path: &Path, data_dir: &Path, progress: Progress) -> Result<Drill, Error> {
    let file = folder::newest(path)?;
    let copy = data_dir.join("restore-drill");
    let cannot = |error: io::Error| operator_error(format!("{} can't be used: {error}.", copy.display()));
    private_files::secure_folder(&copy).map_err(cannot)?;
    let lock = File::create(copy.join("lock")).map_err(cannot)?;
    lock.try_lock().map_err(|_| operator_error("Another drill is running."))?;
    let database = copy.join("shop.db");
    // Of a drill that was killed.
    delete(&database).map_err(cannot)?;
    require_space(&file, &copy)?;
    let audited = restore_and_audit(db, &file, &database, progress).await;
    fs::remove_dir_all(&copy).map_err(cannot)?;
    Ok(Drill { file, audit: audited? })
}

fn delete(database: &Path) -> io::Result<()> {
    for path in sqlite_files(&url_of(database)) {
        if path.exists() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The live shop's disk must not fill up: SQLite writes the copy into its log first.
fn require_space(file: &Path, folder: &Path) -> Result<(), Error> {
    let size = file.metadata().map(|metadata| metadata.len()).unwrap_or_default();
    let needed = i64::try_from(size.saturating_mul(SPACE)).unwrap_or(i64::MAX);
    match free_bytes(folder) {
        Some(free) if free < needed => Err(operator_error(format!(
            "A drill with {} needs {needed} free bytes at {}, and there are {free}.",
            file.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

async fn restore_and_audit(live: &Db, file: &Path, database: &Path, progress: Progress) -> Result<Audit, Error> {
    let copy = Db::open(&url_of(database)).await.map_err(operator_error)?;
    let audited = async {
        copy.migrate().await.map_err(operator_error)?;
        restore(&copy, file, Purpose::Drill, progress).await?;
        let [own, restored] = [live, &copy].map(|db| shop_metadata::find(db.read(), shop_metadata::SHOP_ID));
        if own.await? != restored.await? {
            return Err(operator_error(format!("{} is a backup of another shop.", file.display())));
        }
        audit::audit(&copy).await
    };
    let audited = audited.await;
    copy.close().await;
    audited
}

fn url_of(database: &Path) -> String {
    format!("sqlite:{}", database.display())
}

/// Stores when a drill succeeded, for the metrics.
///
/// # Errors
/// If the database cannot be written.
pub async fn save_time(db: &Db, now: i64) -> Result<(), Error> {
    db.write(now.to_string(), |tx, at| Box::pin(shop_metadata::set(tx, shop_metadata::DRILLED, at))).await
}
