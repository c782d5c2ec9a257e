//! Changes of many orders with few statements: a batch holds the database's write lock only briefly.

pub mod store;
