//! Daily product totals: units sold of a product on a day, updated in the transaction of a sale.

pub mod store;
