//! The rendered views, as a customer reads them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

mod emails;
mod html;
mod lab;
mod mail;
mod orders;
mod pages;
mod receipt;
mod snapshots;
