//! Order administration.

mod editing;
mod export;
mod journal;
mod label_export;
mod listing;
mod overview;
mod packing;
mod refunding;
