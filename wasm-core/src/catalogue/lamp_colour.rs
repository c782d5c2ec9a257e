//! Which colour a product's lamp is drawn in.

use serde::{Deserialize, Serialize};

/// The colour of a drawn lamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub enum LampColour {
    /// Warm yellow.
    Amber,
    /// Light red.
    Coral,
    /// Pink.
    Rose,
    /// Purple.
    Violet,
    /// Sky blue.
    Azure,
    /// Blue-green.
    Teal,
    /// Leaf green.
    Green,
    /// Pale, like daylight.
    Ivory,
}

impl LampColour {
    /// All eight. The order is part of [`lamp_colour`]: changing it repaints products.
    pub const ALL: [Self; 8] =
        [Self::Amber, Self::Coral, Self::Rose, Self::Violet, Self::Azure, Self::Teal, Self::Green, Self::Ivory];

    /// The colour of the lit lamp, as CSS writes it.
    #[must_use]
    pub const fn css(self) -> &'static str {
        match self {
            Self::Amber => "#ffb020",
            Self::Coral => "#ff6b5e",
            Self::Rose => "#ff7eb6",
            Self::Violet => "#a982ff",
            Self::Azure => "#4aa8ff",
            Self::Teal => "#2fd1c5",
            Self::Green => "#6fdc5a",
            Self::Ivory => "#fff1cf",
        }
    }
}

/// The colour of a product's lamp: always the same for the same id, spread evenly over the eight.
///
/// ```
/// use wasm_core::catalogue::lamp_colour;
///
/// assert_eq!(lamp_colour("p1"), lamp_colour("p1"));
/// ```
#[must_use]
pub fn lamp_colour(product_id: &str) -> LampColour {
    // FNV-1a, 32 bits; its upper bits are mixed better than its lowest ones.
    let hash =
        product_id.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    match (hash >> 16) & 7 {
        0 => LampColour::Amber,
        1 => LampColour::Coral,
        2 => LampColour::Rose,
        3 => LampColour::Violet,
        4 => LampColour::Azure,
        5 => LampColour::Teal,
        6 => LampColour::Green,
        _ => LampColour::Ivory,
    }
}
