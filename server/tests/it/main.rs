//! Black-box tests over HTTP. Each test has its own shop, which runs in this process.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod accounts;
mod admin;
mod alerts;
mod analytics;
mod architecture;
mod audit;
mod backup;
mod catalogue;
mod check;
mod checkout;
mod configuration;
mod downloads;
mod harness;
mod invariants;
mod logs;
mod mail;
mod metrics;
mod mock_stripe;
mod orders;
mod other_provider;
mod outbox;
mod overload;
mod postgres;
mod private_files;
mod reconcile;
mod response_cache;
mod retention;
mod sample_data;
mod scale_out;
mod schedule;
mod smtp;
mod stripe_shapes;
mod tax_records;
mod webhook;
mod wire;
