//! What a purchase costs.

mod price_summary;

pub use price_summary::{PriceSummaryProps, Sum, price_summary};
