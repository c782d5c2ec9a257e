//! What the badge beside a product says.

use serde::{Deserialize, Serialize};

/// Below this many, the badge says so.
const LOW: i64 = 5;

/// Modifiers much of a product can be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub enum StockBadge {
    /// Five or more.
    InStock,
    /// One to four.
    LowStock,
    /// None.
    OutOfStock,
}

impl StockBadge {
    /// The badge's words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::InStock => "In Stock",
            Self::LowStock => "Low Stock",
            Self::OutOfStock => "Out of Stock",
        }
    }
}

/// The badge for a number of pieces that can be bought now.
///
/// ```
/// use wasm_core::catalogue::stock_badge;
///
/// assert_eq!(stock_badge(4).label(), "Low Stock");
/// ```
#[must_use]
pub const fn stock_badge(available: i64) -> StockBadge {
    match available {
        ..1 => StockBadge::OutOfStock,
        1..LOW => StockBadge::LowStock,
        LOW.. => StockBadge::InStock,
    }
}
