//! Writes a backup to a temporary file, which is renamed when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;

use super::format::{Counts, FORMAT, Header, seal_line, table_line};
use super::tables::{MOCK_STRIPE, TABLES, Table};
use super::{Progress, operator_error, store};
use crate::db::{self, Db};
use crate::error::Error;
use crate::infra::clock::rfc3339;

/// Writes a consistent backup to `path` while the shop keeps running.
///
/// # Errors
/// A message for the operator; an existing file at `path` is unchanged.
pub async fn back_up(db: &Db, now_ms: i64, path: &Path, progress: Progress) -> Result<Counts, Error> {
    let draft = Draft::new(path).map_err(|error| cannot_write(path, &error))?;
    let of_mock_stripe = if has_mock_stripe(db).await? { MOCK_STRIPE } else { &[] };
    let source = Source { tables: [TABLES, of_mock_stripe], binary_collation: db.binary_collation() };
    let (draft, counts) =
        db.snapshot(move |connection| Box::pin(copy(connection, source, draft, now_ms, progress))).await?;
    draft.publish(path).map_err(|error| cannot_write(path, &error))?;
    Ok(counts)
}

/// Whether this database has ever been used in test mode.
async fn has_mock_stripe(db: &Db) -> Result<bool, Error> {
    let mut connection = db.read().acquire().await?;
    Ok(db::find_newest_migration(&mut connection, mock_stripe::MIGRATIONS_TABLE).await?.is_some())
}

struct Source {
    tables: [&'static [Table]; 2],
    binary_collation: &'static str,
}

async fn copy(
    connection: &mut AnyConnection,
    source: Source,
    mut draft: Draft,
    now_ms: i64,
    progress: Progress,
) -> Result<(Draft, Counts), Error> {
    require_same_schema(connection).await?;
    let header = Header {
        nudgelight_backup: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        schema: db::schema_version(),
        taken_at: rfc3339(now_ms),
    };
    draft.json(&header)?;
    let mut counts = Counts::default();
    for table in source.tables.into_iter().flatten() {
        draft.line(&table_line(table))?;
        counts.begin(table);
        store::each_row(connection, table, source.binary_collation, |row| {
            counts.add_row(table);
            draft.json(&row)
        })
        .await?;
        progress(&format!("{}: {} rows copied", table.name, counts.of(table)));
    }
    draft.line(&counts.line())?;
    Ok((draft, counts))
}

/// A backup never migrates the schema: the running version of the shop may still need the old one.
async fn require_same_schema(connection: &mut AnyConnection) -> Result<(), Error> {
    let (applied, own) = (db::find_applied_schema(connection).await?, db::schema_version());
    match applied {
        Some(applied) if applied == own => Ok(()),
        Some(applied) if applied > own => Err(operator_error(format!(
            "The database's schema is version {applied}, which is newer than this program's {own}: back it up with the \
             newer program."
        ))),
        Some(applied) => Err(operator_error(format!(
            "The database's schema is version {applied} and this program's is {own}: \
             back it up with the version that serves the shop, or run `nudgelight migrate` first."
        ))),
        None => Err(operator_error("There is no shop in this database.")),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Error {
    operator_error(format!("{} cannot be written: {error}.", path.display()))
}

/// A temporary file that is removed unless it is published: an interrupted backup leaves no file that looks complete.
struct Draft {
    file: BufWriter<File>,
    path: PathBuf,
    hash: Sha256,
}

impl Draft {
    /// Rejects a second backup to the same path.
    fn new(wanted: &Path) -> io::Result<Self> {
        let mut path = wanted.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(|error| {
            if error.kind() != io::ErrorKind::AlreadyExists {
                return error;
            }
            io::Error::other(format!(
                "{} is there, so another backup is being written or has broken off; if it has, remove that file",
                path.display()
            ))
        })?;
        Ok(Self { file: BufWriter::new(file), path, hash: Sha256::new() })
    }

    fn json(&mut self, value: &impl Serialize) -> Result<(), Error> {
        self.line(&serde_json::to_string(value).map_err(Error::internal)?)
    }

    /// Blocks the thread, which is acceptable in a command.
    fn line(&mut self, line: &str) -> Result<(), Error> {
        self.hash.update(line);
        self.hash.update("\n");
        writeln!(self.file, "{line}").map_err(|error| cannot_write(&self.path, &error))
    }

    /// Writes the checksum, syncs the file and renames it, and syncs the folder.
    fn publish(mut self, wanted: &Path) -> io::Result<()> {
        let checksum = seal_line(&self.hash.clone().finalize());
        writeln!(self.file, "{checksum}")?;
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, wanted)?;
        let folder = wanted.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After `publish` no file of this name exists.
        let _ = fs::remove_file(&self.path);
    }
}
