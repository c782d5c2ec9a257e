//! What an order looks like.

mod dress;
mod facts;
mod text;
mod view;

pub use facts::{Receipt, ReceiptLine, Sum, Tracking};
pub use view::{ReceiptProps, order_receipt, receipt_view};
