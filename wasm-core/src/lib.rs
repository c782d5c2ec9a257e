//! Business rules of the shop: money, validation, catalog, cart, pricing, orders and the schedule file.
//!
//! The server runs this crate natively and the browser runs it as WASM, so both compute the same cart, form errors and
//! receipt. It does no I/O and reads no clock: a rule's inputs are its arguments.
//!
//! | feature | contents |
//! |---|---|
//! | none | [`schedule`], [`status`] and [`uf2`] alone, for the device: no `std` and no allocator |
//! | `shop` | every rule of the shop; needs an allocator, still no `std` |
//! | `js-values` | conversion of JavaScript values on WASM targets, instead of JSON text |
//! | `js-types` | the TypeScript types of arguments and results |
//! | `js` | the exported JavaScript functions of the shop's pages |
//! | `package-js` | besides, those that only the npm package exports |
//! | `tax-js` | the exported functions that quote with the tax table, an entry of the npm package |
//! | `schedule-js` | the exported functions of the schedule, an entry of the npm package |
//! | `estimates-js` | the exported functions that estimate tax and arrival, a package of their own |
//! | `openapi` | JSON Schemas of the wire types, for the server's OpenAPI document |
// utoipa's derives expect the names of `std`. Only the server enables them.
#![cfg_attr(not(feature = "openapi"), no_std)]

#[cfg(feature = "shop")]
extern crate alloc;
// A WASM module gets its allocator and panic handler from `std`. The device brings its own.
#[cfg(not(any(target_os = "none", feature = "openapi")))]
extern crate std;

#[cfg(all(feature = "js", target_arch = "wasm32"))]
pub mod bindings;
#[cfg(feature = "shop")]
pub mod cart;
#[cfg(feature = "shop")]
pub mod catalog;
#[cfg(feature = "shop")]
mod codec;
#[cfg(feature = "shop")]
mod decimal;
#[cfg(feature = "shop")]
pub mod delivery;
#[cfg(all(feature = "estimates-js", target_arch = "wasm32"))]
pub mod estimate_bindings;
#[cfg(all(feature = "js-values", target_arch = "wasm32"))]
pub mod js;
#[cfg(feature = "shop")]
pub mod money;
#[cfg(feature = "openapi")]
mod openapi;
#[cfg(feature = "shop")]
pub mod orders;
#[cfg(feature = "shop")]
pub mod pricing;
#[cfg(feature = "js-types")]
pub mod results;
pub mod schedule;
#[cfg(all(feature = "schedule-js", target_arch = "wasm32"))]
pub mod schedule_bindings;
pub mod status;
#[cfg(all(feature = "tax-js", target_arch = "wasm32"))]
pub mod tax_bindings;
#[cfg(feature = "js-types")]
pub mod tax_requests;
pub mod uf2;
#[cfg(feature = "shop")]
pub mod validation;
#[cfg(feature = "shop")]
pub mod weight;
#[cfg(feature = "shop")]
pub mod wire;
