//! The photos of products, as the catalog shows them. Feature `photos` stores them.

pub(super) mod store;
