//! Clock: set by time servers (SNTP) and kept by the crystal in between.

pub mod serial;
pub mod sntp;
pub mod sync;

use wasm_core::schedule::Instant;

/// 2026-01-01T00:00:00Z in milliseconds since 1970. No device existed before this time.
pub const EARLIEST: i64 = 1_767_225_600_000;
/// 2100-01-01T00:00:00Z in milliseconds since 1970. The schedule supports no later dates.
pub const LATEST: i64 = 4_102_444_800_000;

/// Clock based on the chip's uptime. Once set, it runs until power-off, with or without a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    reference: Option<Reference>,
}

/// Pair of a wall-clock time and the uptime at that moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reference {
    unix_ms: i64,
    uptime: u64,
}

impl Clock {
    /// Clock without a time.
    #[must_use]
    pub const fn new() -> Self {
        Self { reference: None }
    }

    /// Sets the clock to `unix_ms` at `uptime` (milliseconds). Rejects a time outside [`EARLIEST`]..[`LATEST`].
    pub fn set(&mut self, unix_ms: i64, uptime: u64) -> Result<(), TimeRangeError> {
        if !(EARLIEST..LATEST).contains(&unix_ms) {
            return Err(TimeRangeError);
        }
        self.reference = Some(Reference { unix_ms, uptime });
        Ok(())
    }

    /// Time at an uptime. None if the clock was never set.
    #[must_use]
    pub fn now(&self, uptime: u64) -> Option<Instant> {
        self.unix_ms(uptime).map(Instant::from_unix_ms)
    }

    /// Milliseconds since 1970 at an uptime.
    #[must_use]
    pub fn unix_ms(&self, uptime: u64) -> Option<i64> {
        let Reference { unix_ms, uptime: since } = self.reference?;
        Some(unix_ms.saturating_add(i64::try_from(uptime.saturating_sub(since)).unwrap_or(i64::MAX)))
    }

    /// Milliseconds since the clock was last set.
    #[must_use]
    pub fn time_since_set(&self, uptime: u64) -> Option<u64> {
        self.reference.map(|reference| uptime.saturating_sub(reference.uptime))
    }
}

/// Time outside the supported range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRangeError;
