//! Checkout: from the quote to the order.

mod auto_refund;
mod ordering;
mod paying;
mod provider_outage;
mod quote;
mod replaces;
mod reserving;
mod stock_hold_limits;
