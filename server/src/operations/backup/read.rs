//! Reads and validates a backup line by line.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::format::{Counts, FORMAT, Header, Row, parse_row, seal_line, table_line};
use super::operator_error;
use super::tables::{MOCK_STRIPE, TABLES, Table};
use crate::db;
use crate::error::Error;

pub struct Reader {
    file: BufReader<File>,
    name: String,
    hash: Sha256,
    line: Vec<u8>,
    line_number: u64,
    /// Number of tables begun, of [`possible_tables`].
    begun: usize,
    counts: Counts,
}

/// The part of the header that every format version has.
#[derive(Deserialize)]
struct AnyFormat {
    nudgelight_backup: i64,
    version: String,
}

impl Reader {
    /// Opens a backup and checks its header.
    ///
    /// # Errors
    /// A message for the operator, if this program cannot restore it.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| cannot_read(&name, &error))?;
        let mut reader = Self {
            file: BufReader::new(file),
            name,
            hash: Sha256::new(),
            line: Vec::new(),
            line_number: 0,
            begun: 0,
            counts: Counts::default(),
        };
        reader.check_header()?;
        Ok(reader)
    }

    fn check_header(&mut self) -> Result<(), Error> {
        self.next_line()?;
        let Ok(AnyFormat { nudgelight_backup: format, version }) = serde_json::from_slice(&self.line) else {
            return Err(operator_error(format!("{} is not a backup of this shop.", self.name)));
        };
        if format != FORMAT {
            return Err(operator_error(format!(
                "{} has backup format {format} and this program reads format {FORMAT}: restore it with the program that \
                 wrote it, version {version} of Nudgelight.",
                self.name
            )));
        }
        let header: Header = serde_json::from_slice(&self.line).map_err(|_| self.damaged())?;
        let own = db::schema_version();
        if header.schema == own {
            return Ok(());
        }
        Err(operator_error(format!(
            "{} is of schema version {} and this program's is {own}: restore it with version {} of Nudgelight.",
            self.name, header.schema, header.version
        )))
    }

    /// The next row and its table; `None` at the end of an intact file.
    ///
    /// # Errors
    /// A message for the operator, if the file is truncated or damaged.
    pub fn next_row(&mut self) -> Result<Option<(&'static Table, Row)>, Error> {
        loop {
            self.next_line()?;
            if self.line.starts_with(b"[") {
                return self.row().map(Some).ok_or_else(|| self.damaged());
            }
            match possible_tables().nth(self.begun) {
                Some(next) if self.line == table_line(next).as_bytes() => {
                    self.begun += 1;
                    self.counts.begin(next);
                }
                _ if self.is_end_possible() => {
                    self.check_end()?;
                    return Ok(None);
                }
                _ => return Err(self.damaged()),
            }
        }
    }

    /// Whether the shop's tables are complete, and those of the mock Stripe too if there are any.
    fn is_end_possible(&self) -> bool {
        [TABLES.len(), possible_tables().count()].contains(&self.begun)
    }

    /// The tables begun so far.
    pub fn tables(&self) -> impl Iterator<Item = &'static Table> {
        possible_tables().take(self.begun)
    }

    pub fn has_mock_stripe(&self) -> bool {
        self.begun > TABLES.len()
    }

    fn row(&mut self) -> Option<(&'static Table, Row)> {
        let table = possible_tables().nth(self.begun.checked_sub(1)?)?;
        let row = parse_row(table, &self.line)?;
        self.counts.add_row(table);
        Some((table, row))
    }

    /// Verifies the checksum in the last line.
    fn check_end(&mut self) -> Result<(), Error> {
        if self.line != self.counts.line().as_bytes() {
            return Err(self.damaged());
        }
        let checksum = seal_line(&self.hash.clone().finalize());
        self.next_line()?;
        let has_more = !self.file.fill_buf().map_err(|error| cannot_read(&self.name, &error))?.is_empty();
        if self.line != checksum.as_bytes() || has_more {
            return Err(operator_error(format!("{} is damaged: its checksum is wrong.", self.name)));
        }
        Ok(())
    }

    /// Reads the next line into `line`, without its line ending.
    fn next_line(&mut self) -> Result<(), Error> {
        self.line.clear();
        self.file.read_until(b'\n', &mut self.line).map_err(|error| cannot_read(&self.name, &error))?;
        self.hash.update(&self.line);
        self.line_number += 1;
        match self.line.pop() {
            Some(b'\n') => Ok(()),
            _ => Err(operator_error(format!("{} ends too early: it was not written to its end.", self.name))),
        }
    }

    fn damaged(&self) -> Error {
        operator_error(format!("{} is damaged in line {}.", self.name, self.line_number))
    }

    pub fn into_counts(self) -> Counts {
        self.counts
    }
}

fn possible_tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().chain(MOCK_STRIPE)
}

fn cannot_read(name: &str, error: &io::Error) -> Error {
    operator_error(format!("{name} cannot be read: {error}."))
}
