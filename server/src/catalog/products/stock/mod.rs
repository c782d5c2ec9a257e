//! The counters of a product's stock: reserved and sold units.

pub mod store;
