//! The shop's server: one binary, one database, everything the browser needs.
//!
//! `router.rs` lists the features, `shop.rs` is the application state, `db/` the database access. Rules about money, stock
//! and input live in `wasm_core`, views in `app`.

// The platform.
pub mod config;
pub mod db;
pub mod error;
pub(crate) mod http;
pub mod infra;
pub(crate) mod limits;
pub mod mail;
pub(crate) mod platform;
pub(crate) mod time_zone;

// The domains.
pub mod accounts;
pub mod catalog;
pub mod checkout;
pub(crate) mod fulfillment;
pub mod money;
pub mod operations;
pub mod orders;
pub(crate) mod settings;
pub mod storefront;

// Composition.
pub mod cli;
pub(crate) mod openapi;
pub(crate) mod router;
pub mod shop;
pub mod start;
pub(crate) mod test_mode;

/// Faster than the system's allocator for the many small allocations of a page.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
