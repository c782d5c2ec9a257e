//! The two databases, and the few words in which they differ.

use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    pub(super) fn of(url: &str) -> Result<Self, String> {
        if url.starts_with("sqlite:") {
            Ok(Self::Sqlite)
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Ok(Self::Postgres)
        } else {
            Err("DATABASE_URL must begin with sqlite: or postgres://".to_owned())
        }
    }

    /// Puts this database's word for the order of bytes in the place of SQLite's.
    pub(super) fn translated(self, migration: &'static str) -> SqlStr {
        match self {
            Self::Sqlite => SqlStr::from_static(migration),
            Self::Postgres => {
                AssertSqlSafe(migration.replace(Self::Sqlite.binary_collation(), self.binary_collation()))
                    .into_sql_str()
            }
        }
    }

    pub(super) fn binary_collation(self) -> &'static str {
        match self {
            Self::Sqlite => "COLLATE BINARY",
            Self::Postgres => "COLLATE \"C\"",
        }
    }

    /// Takes every limit of time off a connection, where there are any.
    pub(super) fn busy_timeout(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some("SET statement_timeout = 0; SET lock_timeout = 0"),
        }
    }

    pub(super) fn begin_write(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    pub(super) fn analyze(self) -> &'static str {
        match self {
            Self::Sqlite => "PRAGMA wal_checkpoint(TRUNCATE)",
            Self::Postgres => "VACUUM (ANALYZE)",
        }
    }

    /// For a command that may take longer than any call of the shop is given.
    pub(super) fn begin_long_write(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => {
                "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0"
            }
        }
    }

    /// A snapshot may be read for longer than any call of the shop is given.
    pub(super) fn begin_snapshot(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN",
            Self::Postgres => {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
                 SET LOCAL idle_in_transaction_session_timeout = 0; \
                 SET LOCAL max_parallel_workers_per_gather TO DEFAULT"
            }
        }
    }
}
