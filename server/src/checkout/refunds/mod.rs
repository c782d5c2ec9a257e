//! Refunds of orders, in full or in parts: those that an administrator makes, and those made at the provider.
//!
//! - [`balance`]: what is left to refund of an order, and the plan of a refund.
//! - [`make`](mod@make): makes a refund at the provider. It is written down first, one at a time for each order.
//! - [`request`]: what an administrator wants to refund.
//! - [`record`]: records a refund that the provider made, in one transaction.
//! - [`fail`]: records that the customer's bank returned a refund.
//! - [`sync`]: finds refunds that were made at the provider, whose response was lost, or that failed.
//! - [`without_order`]: tells of a failed refund of a payment that became no order.
//! - [`restock`]: returns items to stock.

pub mod balance;
mod fail;
mod make;
mod record;
mod request;
pub mod restock;
pub mod store;
mod sync;
mod without_order;

pub use self::make::{Wanted, make, preview};
pub use self::request::RefundRequest;
pub(super) use self::sync::sync_failed;
pub use self::sync::sync_refund;
