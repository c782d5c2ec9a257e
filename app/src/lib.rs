//! The shop's views: functions of their props, without database and network.
//!
//! The server renders them into pages and mail (feature `ssr`); the shell mounts the same ones into its pages (on
//! `wasm32`).

pub mod cart;
pub mod catalogue;
pub mod frame;
#[cfg(feature = "ssr")]
pub mod mail;
#[cfg(target_arch = "wasm32")]
pub mod mount;
pub mod orders;
pub mod pages;
pub mod ui;
