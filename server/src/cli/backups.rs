//! The commands that copy, restore and audit the database.

use std::path::Path;

use super::database::open;
use super::output::{message, progress, say};
use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::operations::audit::{self, Audit};
use crate::operations::backup::{self, Purpose};

/// `nudgelight audit`: checks the invariants of the database.
pub async fn run_audit(config: &Config) -> Result<(), String> {
    let db = open(config).await?;
    let audited = audit::audit(&db).await;
    db.close().await;
    report_audit(&audited.map_err(message)?)
}

fn report_audit(audit: &Audit) -> Result<(), String> {
    for result in &audit.findings {
        say(&result.to_string());
    }
    let scope = format!("{} products and {} orders audited", audit.products, audit.orders);
    match audit.findings.len() {
        0 => {
            say(&format!("{scope}: all invariants hold."));
            Ok(())
        }
        found => Err(format!("{scope}: {found} violations")),
    }
}

/// `nudgelight backup`: writes a copy, and deletes all but the newest `keep` of a folder.
pub async fn back_up(config: &Config, path: &Path, keep: Option<u16>) -> Result<(), String> {
    if keep.is_some() && !path.is_dir() {
        return Err(format!("--keep: {} is not a folder", path.display()));
    }
    let db = Db::open(&config.database_url).await?;
    let now = Clock::default().now_ms();
    let file = &backup::folder::path_of_new(path, now);
    let copied = backup::back_up(&db, now, file, progress).await;
    if copied.is_ok()
        && let Err(error) = backup::save_time(&db, now).await
    {
        // A backup of a standby, which takes no writes.
        say(&format!("The time of this backup is not in the metrics: {}", message(error)));
    }
    db.close().await;
    let rows = copied.map_err(message)?.total();
    say(&format!("{rows} rows written to {}. The signing key is not included: back it up separately.", file.display()));
    if let Some(keep) = keep {
        let deleted = backup::folder::delete_older(path, usize::from(keep), file).map_err(message)?;
        say(&format!("{deleted} older backups deleted."));
    }
    Ok(())
}

/// `nudgelight drill`: restores the newest copy beside the shop and audits it.
pub async fn drill(config: &Config, path: &Path) -> Result<(), String> {
    let now = Clock::default().now_ms();
    let db = Db::open(&config.database_url).await?;
    let drilled = drill_and_report(config, &db, path, now).await;
    db.close().await;
    drilled
}

async fn drill_and_report(config: &Config, db: &Db, path: &Path, now: i64) -> Result<(), String> {
    let drill = backup::drill::drill(db, path, &config.data_dir, progress).await.map_err(message)?;
    report_audit(&drill.audit)?;
    backup::drill::save_time(db, now).await.map_err(message)?;
    say(&format!("{} was restored into a copy, which was audited and deleted.", drill.file.display()));
    Ok(())
}

/// `nudgelight restore`: replaces the database with a copy.
pub async fn restore(config: &Config, file: &Path, is_drill: bool) -> Result<(), String> {
    let purpose = if is_drill { Purpose::Drill } else { ask_for_purpose()? };
    let db = open(config).await?;
    let restored = backup::restore(&db, file, purpose, progress).await;
    db.close().await;
    let rows = restored.map_err(message)?.total();
    say(&match purpose {
        Purpose::Shop => format!("{rows} rows restored. Start the shop with its original signing key."),
        Purpose::Drill => format!(
            "{rows} rows restored, as a copy: a shop on it creates no orders for lost payments, makes no \
             automatic refunds, and cancels no expired payments. If it becomes the shop, run nudgelight confirm."
        ),
    });
    Ok(())
}

/// Without an answer, the database is a copy.
fn ask_for_purpose() -> Result<Purpose, String> {
    say("Will this database be the shop from now on, in place of the one in the backup? Answer no for a drill. [y/N]");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).map_err(|error| error.to_string())?;
    let is_yes = matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes");
    Ok(if is_yes { Purpose::Shop } else { Purpose::Drill })
}
