//! The rendered views, as a customer reads them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod emails;
mod html;
mod lab;
mod mail;
mod orders;
mod pages;
mod receipt;
mod snapshots;
