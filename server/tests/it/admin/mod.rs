//! What administrators do with orders.

mod editing;
mod listing;
mod refunding;
