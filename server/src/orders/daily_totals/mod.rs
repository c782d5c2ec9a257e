//! How many orders each day has of each status, and what they came to: kept in the transaction that changes an
//! order, so that lists and figures over all orders need not read them.

pub mod store;
