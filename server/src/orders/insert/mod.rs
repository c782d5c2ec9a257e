//! An order comes to be.

pub mod store;
