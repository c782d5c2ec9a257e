//! Order administration.

mod editing;
mod export;
mod label_export;
mod listing;
mod overview;
mod packing;
mod partial_refunds;
mod refunding;
mod tax_report;
