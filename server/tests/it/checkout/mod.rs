//! From a cart to an order.

mod money_back;
mod ordering;
mod paying;
mod quote;
mod replaces;
mod reserving;
