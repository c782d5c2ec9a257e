//! The shop's server: one binary, one database, everything the browser needs.
//!
//! `router.rs` lists the features, `shop.rs` is the application state, `db/` the database access. Rules about money, stock
//! and input live in `wasm_core`, views in `app`.

pub mod admin;
pub mod analytics;
pub mod audit;
pub mod auth;
pub mod back_in_stock;
pub mod backup;
pub mod botcheck;
pub mod catalogue;
pub mod check;
pub mod checkout;
pub mod cli;
pub mod config;
pub mod db;
pub mod feeds;
mod health;
pub mod http;
mod images;
pub mod infra;
pub mod limits;
pub mod low_stock;
pub mod mail;
pub mod metrics;
pub mod openapi;
pub mod orders;
pub mod pages;
pub mod payouts;
pub mod photos;
mod policies;
mod public_config;
pub mod retention;
pub mod router;
pub mod sample_data;
mod schedule;
mod sdk;
pub mod seed;
pub mod settings;
pub mod shop;
pub mod shop_metadata;
pub mod start;
pub mod test_mode;
pub mod time_zone;

/// Faster than the system's allocator for the many small allocations of a page.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
