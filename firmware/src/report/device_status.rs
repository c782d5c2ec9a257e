//! Device status: the input of the status report.

use wasm_core::schedule::Instant;
use wasm_core::status::{StartReason, WifiStatus};

/// Clock status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockStatus {
    pub now: Option<Instant>,
    /// Seconds since the clock was last set.
    pub time_since_set: Option<u64>,
}

/// Device status without the schedule's diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct DeviceStatus {
    pub serial: [u8; 16],
    pub start: StartReason,
    pub wifi: WifiStatus,
    pub clock: ClockStatus,
}
