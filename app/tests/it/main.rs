//! The rendered views, as a customer reads them.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod emails;
mod lab;
mod mail;
mod orders;
mod pages;
mod reading;
mod receipt;
mod snapshots;
