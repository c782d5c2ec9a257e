//! The receipt of an order.

mod receipt;
mod styles;
mod text;
mod view;

pub use receipt::{Receipt, ReceiptLine, Sum, Tracking, address_lines, picture_id};
pub use view::{ReceiptProps, order_receipt, receipt_view};
