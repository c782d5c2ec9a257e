//! Classification of database errors: unavailable, retryable, read-only.
//!
//! PostgreSQL's codes have five characters (SQLSTATE). SQLite's are numbers whose lowest byte is the primary code.

use std::borrow::Cow;

/// Whether a unique constraint was violated.
pub fn is_unique_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}

/// Whether the database is unreachable, full, read-only or too busy: the request may succeed later.
pub fn is_unavailable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => true,
        _ => is_lost_connection(error) || code(error).is_some_and(|code| is_unavailable_code(&code)),
    }
}

/// Whether certainly nothing was committed and a retry on another connection may succeed.
pub fn is_passing(error: &sqlx::Error) -> bool {
    is_lost_connection(error) || code(error).is_some_and(|code| is_transient_code(&code))
}

/// Whether the connection ended, or something that is no database responded, such as a proxy without a server behind it.
fn is_lost_connection(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_))
}

/// Whether the node is read-only, like an old primary after a failover.
pub fn is_read_only(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == "25006")
}

/// Whether a commit certainly failed. After a broken connection the result is unknown.
pub fn is_rolled_back(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| matches!(code.as_ref(), "40001" | "40P01"))
}

fn code(error: &sqlx::Error) -> Option<Cow<'_, str>> {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code)
}

fn is_unavailable_code(code: &str) -> bool {
    if let Some(kind) = sqlite_kind(code) {
        // Busy, locked, read-only, I/O error, disk full, cannot open.
        return matches!(kind, 5 | 6 | 8 | 10 | 13 | 14);
    }
    // Lock or statement timeout, insufficient resources, system error.
    is_transient_code(code)
        || matches!(code, "55P03" | "57014" | "25P03")
        || code.starts_with("53")
        || code.starts_with("58")
}

/// Serialization failure, deadlock, read-only after a failover, lost connection or server.
fn is_transient_code(code: &str) -> bool {
    matches!(code, "40001" | "40P01" | "25006" | "57P01" | "57P02" | "57P03") || code.starts_with("08")
}

fn sqlite_kind(code: &str) -> Option<u32> {
    if code.len() >= 5 {
        return None;
    }
    code.parse::<u32>().ok().map(|number| number & 0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    // invariant: full-disk
    #[test]
    fn what_passes_is_told_from_what_stays_wrong_on_either_database() {
        // SQLite: busy and its snapshot kind, full, read-only. PostgreSQL: lock, statement, connections, disk, failover.
        for code in ["5", "517", "13", "8", "1032", "55P03", "57014", "53300", "53100", "25006", "08006", "57P02"] {
            assert!(is_unavailable_code(code), "{code}");
        }
        // Constraint, syntax error, corrupt file; unique violation, undefined table, division by zero.
        for code in ["19", "2067", "1", "11", "23505", "42P01", "22012"] {
            assert!(!is_unavailable_code(code), "{code}");
        }
    }

    #[test]
    fn a_connection_that_ends_while_it_begins_may_be_tried_again() {
        for error in [
            sqlx::Error::Protocol("unexpected response from SSLRequest: 0x48 (H)".to_owned()),
            sqlx::Error::Tls("the handshake ended early".into()),
            sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into()),
        ] {
            assert!(is_unavailable(&error) && is_passing(&error), "{error}");
        }
        assert!(!is_unavailable(&sqlx::Error::RowNotFound));
    }

    #[test]
    fn only_what_is_over_soon_is_tried_again_at_once() {
        for code in ["40001", "40P01", "25006", "08006", "57P01"] {
            assert!(is_transient_code(code), "{code}");
        }
        for code in ["55P03", "57014", "53100", "23505", "5", "8"] {
            assert!(!is_transient_code(code), "{code}");
        }
    }
}
