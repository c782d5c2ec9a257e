//! Daily totals: the number and sales of orders for each day and status, updated in the transaction that changes an
//! order. Lists and statistics read them instead of every order.
//!
//! The days are those of a time zone. A change of the zone recounts them in the background ([`rebuild`]).

pub mod rebuild;
pub mod store;
