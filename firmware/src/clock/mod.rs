//! The time: asked of servers on the internet, and kept between the answers by the chip's crystal.

pub mod policy;
pub mod serial;
pub mod sntp;

use wasm_core::schedule::Instant;

/// 2026-01-01T00:00:00Z: the device is younger than any time before that.
pub const EARLIEST: i64 = 1_767_225_600_000;
/// 2100-01-01T00:00:00Z: the schedule knows no later dates.
pub const LATEST: i64 = 4_102_444_800_000;

/// A clock that runs with the chip's uptime. It is right from when it is first set until the plug is drawn, whatever
/// becomes of the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    set: Option<Setting>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Setting {
    unix_ms: i64,
    uptime: u64,
}

impl Clock {
    /// A clock that nobody has set.
    #[must_use]
    pub const fn new() -> Self {
        Self { set: None }
    }

    /// Sets it: it was this time when the uptime in milliseconds was that. An impossible time is refused.
    pub fn set(&mut self, unix_ms: i64, uptime: u64) -> Result<(), Implausible> {
        if !(EARLIEST..LATEST).contains(&unix_ms) {
            return Err(Implausible);
        }
        self.set = Some(Setting { unix_ms, uptime });
        Ok(())
    }

    /// The time at an uptime.
    #[must_use]
    pub fn now(&self, uptime: u64) -> Option<Instant> {
        self.unix_ms(uptime).map(Instant::from_unix_ms)
    }

    /// The same in milliseconds since 1970.
    #[must_use]
    pub fn unix_ms(&self, uptime: u64) -> Option<i64> {
        let Setting { unix_ms, uptime: since } = self.set?;
        Some(unix_ms.saturating_add(i64::try_from(uptime.saturating_sub(since)).unwrap_or(i64::MAX)))
    }

    /// How many milliseconds ago it was last set.
    #[must_use]
    pub fn set_ago(&self, uptime: u64) -> Option<u64> {
        self.set.map(|set| uptime.saturating_sub(set.uptime))
    }
}

/// A time that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Implausible;
