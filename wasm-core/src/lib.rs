//! The shop's rules, written once.
//!
//! The server runs this crate natively and the browser runs it as WASM, so a cart, a form and a receipt come to the
//! same answer on both sides. Nothing here reads a clock, a file or the network; whatever a rule depends on is an
//! argument.
//!
//! | feature | what it adds |
//! |---|---|
//! | none | [`schedule`] alone, for the device: no `std` and no allocator |
//! | `shop` | every rule of the shop; needs an allocator, still no `std` |
//! | `border` | in a browser: values that cross as JavaScript's own instead of JSON text |
//! | `js` | the browser's bindings and their TypeScript types |
//! | `schedule-js` | the schedule's bindings, for integrators; the shop's package has none of them |
//! | `openapi` | schemas of the wire types, for the server's description of its calls |
// The derives of schemas expect the names that `std` brings along; only the server asks for them.
#![cfg_attr(not(feature = "openapi"), no_std)]

#[cfg(feature = "shop")]
extern crate alloc;
// Nothing here uses `std`, but a library that stands alone, as the browser's does, takes its allocator and its way to
// panic from it. The device brings its own.
#[cfg(not(any(target_os = "none", feature = "openapi")))]
extern crate std;

#[cfg(all(feature = "js", target_arch = "wasm32"))]
pub mod bindings;
#[cfg(all(feature = "border", target_arch = "wasm32"))]
pub mod border;
#[cfg(feature = "shop")]
pub mod cart;
#[cfg(feature = "shop")]
pub mod catalogue;
#[cfg(feature = "shop")]
mod decimal;
#[cfg(all(feature = "shop", not(all(feature = "border", target_arch = "wasm32"))))]
mod json;
#[cfg(feature = "shop")]
pub mod money;
#[cfg(feature = "openapi")]
mod openapi;
#[cfg(feature = "shop")]
pub mod orders;
#[cfg(feature = "js")]
pub mod outcome;
#[cfg(feature = "shop")]
pub mod pricing;
pub mod schedule;
#[cfg(all(feature = "schedule-js", target_arch = "wasm32"))]
pub mod schedule_bindings;
#[cfg(feature = "shop")]
pub mod validation;
#[cfg(feature = "shop")]
pub mod weight;
#[cfg(feature = "shop")]
pub mod wire;

/// What carries values between the crate and its callers: a browser's objects, or JSON text everywhere else.
#[cfg(all(feature = "border", target_arch = "wasm32"))]
use border as carrier;
#[cfg(all(feature = "shop", not(all(feature = "border", target_arch = "wasm32"))))]
use json as carrier;
