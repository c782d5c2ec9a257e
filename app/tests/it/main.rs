//! What the views say, read as a customer reads it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod lab;
mod letters;
mod mail;
mod orders;
mod pages;
mod reading;
mod receipt;
mod snapshots;
