//! The device as a host meets it: over packets, on a flash that behaves like one.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::disallowed_methods,
    reason = "a test that goes wrong panics, and looks at the machine it runs on"
)]

mod files;
mod power_cuts;
mod random;
mod sessions;
mod settling;
mod status;
mod support;
mod time;
mod time_server;
