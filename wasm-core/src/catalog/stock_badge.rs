//! Stock badge of a product.

use serde::{Deserialize, Serialize};

/// Stock below this number is low.
const LOW: i64 = 5;

/// Stock level of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum StockBadge {
    /// Five or more units available.
    InStock,
    /// One to four units available.
    LowStock,
    /// No units available.
    OutOfStock,
}

impl StockBadge {
    /// The label of the badge.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::InStock => "In Stock",
            Self::LowStock => "Low Stock",
            Self::OutOfStock => "Out of Stock",
        }
    }
}

/// The badge for a number of available units.
///
/// ```
/// use wasm_core::catalog::stock_badge;
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
