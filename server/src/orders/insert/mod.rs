//! Inserts orders.

pub mod store;
