//! The shop's server: one binary, one database, everything the browser needs.
//!
//! `router.rs` lists the features, `shop.rs` is the application state, `db/` the database access. Rules about money, stock
//! and input live in `wasm_core`, views in `app`.

// The platform.
pub mod config;
pub mod db;
pub mod error;
pub mod http;
pub mod infra;
pub mod limits;
pub mod mail;
pub mod platform;
pub mod time_zone;

// The domains.
pub mod accounts;
pub mod catalog;
pub mod checkout;
pub mod fulfillment;
pub mod money;
pub mod operations;
pub mod orders;
pub mod settings;
pub mod storefront;

// Composition.
pub mod cli;
pub mod openapi;
pub mod router;
pub mod shop;
pub mod start;
pub mod test_mode;

/// Faster than the system's allocator for the many small allocations of a page.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
