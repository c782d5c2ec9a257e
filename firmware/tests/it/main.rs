//! Black-box tests of the device logic: USB packets in and out, on simulated NOR flash.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::disallowed_methods,
    reason = "tests panic on failure and read the environment"
)]

mod debounce;
mod files;
mod fuzz;
mod power_cuts;
mod scsi;
mod sntp;
mod status;
mod support;
mod time_sync;
