//! The clock of this machine. Codes, sessions, reservations, and the comparison with the provider depend on it.

use super::Status;
use crate::infra::clock::{MAX_CLOCK_SKEW, SECOND};

/// Compares with the database's clock, which all processes of the shop share.
pub fn status(database_now_ms: i64, now_ms: i64) -> Status {
    let ahead_ms = now_ms - database_now_ms;
    if ahead_ms.abs() <= MAX_CLOCK_SKEW {
        return Status::Works("agrees with the database's clock".to_owned());
    }
    let direction = if ahead_ms > 0 { "ahead of" } else { "behind" };
    let seconds = ahead_ms.abs() / SECOND;
    Status::Fails(format!(
        "this machine's clock is {seconds} s {direction} the database's. Synchronize both with NTP, for example with chrony"
    ))
}
