//! A restore drill: the newest backup is restored beside the shop, audited and deleted again.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Progress, Purpose, folder, operator_error, restore};
use crate::db::{Db, shop_metadata};
use crate::error::Error;
use crate::infra::private_files;
use crate::operations::audit::{self, Audit};

/// Result of a drill.
pub struct Drill {
    pub file: PathBuf,
    pub audit: Audit,
}

/// Restores a backup, or the newest one of a folder, into an SQLite database in `data_dir`, audits it and deletes it.
///
/// # Errors
/// A message for the operator: the file cannot be restored.
pub async fn drill(path: &Path, data_dir: &Path, progress: Progress) -> Result<Drill, Error> {
    let file = folder::newest(path)?;
    let copy = data_dir.join("drill");
    let cannot = |error: std::io::Error| operator_error(format!("{} can't be used: {error}.", copy.display()));
    // Of a drill that was killed.
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(cannot)?;
    }
    private_files::secure_folder(&copy).map_err(cannot)?;
    let audited = restore_and_audit(&file, &copy, progress).await;
    fs::remove_dir_all(&copy).map_err(cannot)?;
    Ok(Drill { file, audit: audited? })
}

async fn restore_and_audit(file: &Path, copy: &Path, progress: Progress) -> Result<Audit, Error> {
    let db = Db::open(&format!("sqlite:{}", copy.join("shop.db").display())).await.map_err(operator_error)?;
    let audited = async {
        db.migrate().await.map_err(operator_error)?;
        restore(&db, file, Purpose::Drill, progress).await?;
        audit::audit(&db).await
    };
    let audited = audited.await;
    db.close().await;
    audited
}

/// Stores when a drill succeeded, for the metrics.
///
/// # Errors
/// If the database cannot be written.
pub async fn save_time(db: &Db, now: i64) -> Result<(), Error> {
    db.write(now.to_string(), |tx, at| Box::pin(shop_metadata::set(tx, shop_metadata::DRILLED, at))).await
}
