//! The form of every call and answer, whatever it is about.

mod access;
mod bodies;
mod connections;
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
