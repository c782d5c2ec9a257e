//! Order administration.

mod customers;
mod editing;
mod export;
mod journal;
mod label_export;
mod listing;
mod low_stock;
mod order_notes;
mod order_status;
mod overview;
mod packing;
mod partial_refunds;
mod products;
mod refunding;
mod stock_ledger;
mod tax_report;
mod tracking_import;
