//! The statements in which the two databases differ.

use sqlx::any::AnyConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, SqlSafeStr as _, SqlStr};

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

    /// Replaces SQLite's names of the binary collation and of binary columns, leaves out `WITHOUT ROWID`, and adds the
    /// statements for PostgreSQL only.
    pub(super) fn translated(self, migration: &'static str) -> SqlStr {
        match self {
            Self::Sqlite => SqlStr::from_static(migration),
            Self::Postgres => {
                let translated = migration
                    .replace(Self::Sqlite.binary_collation(), self.binary_collation())
                    .replace(" BLOB ", " BYTEA ")
                    .replace(" WITHOUT ROWID", "")
                    .replace("-- PostgreSQL only: ", "");
                AssertSqlSafe(translated).into_sql_str()
            }
        }
    }

    pub(super) fn binary_collation(self) -> &'static str {
        match self {
            Self::Sqlite => "COLLATE BINARY",
            Self::Postgres => "COLLATE \"C\"",
        }
    }

    /// Removes the timeouts of a connection, if the database has any.
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

    pub(super) fn size(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
            Self::Postgres => "SELECT pg_database_size(current_database())",
        }
    }

    pub(super) fn analyze(self) -> &'static str {
        match self {
            Self::Sqlite => "PRAGMA wal_checkpoint(TRUNCATE)",
            Self::Postgres => "VACUUM (ANALYZE)",
        }
    }

    /// Empties the write-ahead log, which still has deleted content; gives up after a second.
    pub(super) fn empty_log(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => {
                Some("PRAGMA busy_timeout = 1000; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = 5000")
            }
            Self::Postgres => None,
        }
    }

    /// For what may take longer than a usual request. It also waits for locks until it gets them.
    pub(super) fn begin_long_write(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => {
                "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
                 SET LOCAL idle_in_transaction_session_timeout = 0"
            }
        }
    }

    /// A snapshot may be read for longer than a request.
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

/// The options of a connection whose statements are not logged.
pub(super) fn quiet(options: AnyConnectOptions) -> AnyConnectOptions {
    options.disable_statement_logging()
}
