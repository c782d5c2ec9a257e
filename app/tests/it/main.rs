//! What the views say, read as a customer reads it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod emails;
mod lab;
mod mail;
mod orders;
mod pages;
mod reading;
mod receipt;
mod snapshots;
