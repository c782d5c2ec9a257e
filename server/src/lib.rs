//! The shop's server: one binary, one database, everything the browser needs.
//!
//! `router.rs` lists the features, `shop.rs` is what every handler may use, `db.rs` is the only way to the
//! database. Rules about money, stock and input live in `wasm_core`, views in `app`.

pub mod admin;
mod admission;
pub mod analytics;
pub mod audit;
pub mod auth;
pub mod backup;
pub mod botcheck;
mod breaker;
pub mod catalogue;
pub mod chance;
pub mod check;
pub mod checkout;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
pub mod docs;
pub mod error;
pub mod error_details;
pub mod extract;
pub mod facts;
mod health;
pub mod kept;
pub mod limits;
pub mod mail;
pub mod metrics;
pub mod orders;
pub mod pages;
pub mod past;
mod private_files;
mod public_config;
pub mod refusals;
pub mod refused;
mod request_id;
pub mod retention;
pub mod router;
mod safe_headers;
mod schedule;
pub mod seed;
mod serve;
pub mod shop;
pub mod start;
mod strict_http;
pub mod teststripe;

/// Takes and gives back small pieces in a fraction of the system's time: most of what a page costs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
