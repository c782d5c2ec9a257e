//! HTTP conventions of all endpoints: headers, bodies, errors, connections and pages.

mod access;
mod bodies;
mod connections;
mod cors;
mod description;
mod fields;
mod first_paint;
mod headers;
mod hostile;
mod memory;
mod pages;
mod raw;
mod slow_bodies;
mod table;

pub use table::{Call, Who, calls};
