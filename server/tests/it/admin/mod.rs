//! Order administration.

mod editing;
mod export;
mod label_export;
mod listing;
mod order_status;
mod overview;
mod packing;
mod refunding;
mod tracking_import;
