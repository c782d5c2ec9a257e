//! The shop's views: functions of their props, without database and network.
//!
//! The server renders them into pages and mail (feature `ssr`); the shell mounts the same ones into its pages (on
//! `wasm32`).

pub mod cart;
pub mod catalogue;
pub mod frame;
#[cfg(feature = "ssr")]
pub mod mail;
// In the browser the Lab is a package of its own, so that nobody else loads it.
#[cfg(all(target_arch = "wasm32", not(feature = "lab")))]
pub mod mount;
pub mod orders;
pub mod pages;
#[cfg(any(not(target_arch = "wasm32"), feature = "lab"))]
pub mod schedule;
pub mod ui;
