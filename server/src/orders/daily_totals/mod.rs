//! Daily totals: the number and sales of orders for each day and status, updated in the transaction that changes an
//! order. Lists and statistics read them instead of every order.

pub mod store;
