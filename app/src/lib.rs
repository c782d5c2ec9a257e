//! The shop's views: Leptos functions of their props, without database and network.
//!
//! The server renders them into pages and emails (feature `ssr`). The React shell mounts the same views into its pages
//! (target `wasm32`).

pub mod catalog;
#[cfg(feature = "ssr")]
pub mod evidence;
pub mod frame;
#[cfg(any(not(target_arch = "wasm32"), feature = "lab"))]
pub mod light;
#[cfg(feature = "ssr")]
pub mod mail;
// In the browser the Schedule Lab is a package of its own, loaded on demand.
#[cfg(all(target_arch = "wasm32", not(feature = "lab")))]
pub mod mount;
pub mod orders;
#[cfg(feature = "ssr")]
pub mod packing;
pub mod pages;
#[cfg(any(not(target_arch = "wasm32"), feature = "lab"))]
pub mod schedule;
pub mod ui;
