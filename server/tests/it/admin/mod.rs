//! Order administration.

mod books;
mod customers;
mod editing;
mod export;
mod failed_refunds;
mod health;
mod holds;
mod journal;
mod label_export;
mod listing;
mod low_stock;
mod order_notes;
mod order_status;
mod overview;
mod owed;
mod packing;
mod packing_day;
mod partial_refunds;
mod products;
mod refunding;
mod rejected_refunds;
mod stock_ledger;
mod tax_report;
mod tracking_import;
