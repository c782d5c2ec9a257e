//! What administrators do with orders.

mod editing;
mod export;
mod listing;
mod overview;
mod refunding;
