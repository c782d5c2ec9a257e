//! Photograph of a product.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// Photograph of a product. Its files are `/images/photos/{id}-{width}.webp` and `.jpg`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "id": "9f86d081884c7d659a2feaa0c55ad015",
    "alt": "A small light glowing in a laptop's USB port",
    "width": 2400,
    "height": 1600,
    "color": "#3b2f4a",
}))))]
pub struct Photo {
    /// Hash of the uploaded file, in hexadecimal digits.
    pub id: String,
    /// Alternative text; empty for a decorative photograph.
    pub alt: String,
    /// Width in pixels, upright.
    pub width: i64,
    /// Height in pixels, upright.
    pub height: i64,
    /// Average color as `#rrggbb`, a placeholder while the photograph loads.
    pub color: String,
}
