//! Black-box tests: the shop's rules, over HTTP, each against a whole shop of its own in this process.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod accounts;
mod admin;
mod analytics;
mod another_stripe;
mod architecture;
mod attention;
mod audit;
mod backup;
mod catalogue;
mod check;
mod checkout;
mod configuration;
mod downloads;
mod flood;
mod harness;
mod logs;
mod mail;
mod metrics;
mod orders;
mod outbox;
mod past;
mod postgres;
mod private_files;
mod proof;
mod reconcile;
mod retention;
mod scale_out;
mod schedule;
mod smtp;
mod snapshot;
mod stripe_shapes;
mod tax_records;
mod teststripe;
mod webhook;
mod wire;
