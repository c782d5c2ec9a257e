//! Color of the lamp in a product's image.

use serde::{Deserialize, Serialize};

/// Color of the lamp in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub enum LampColor {
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

impl LampColor {
    /// Every color. [`lamp_color`] depends on the order: another order changes the images of existing products.
    pub const ALL: [Self; 8] =
        [Self::Amber, Self::Coral, Self::Rose, Self::Violet, Self::Azure, Self::Teal, Self::Green, Self::Ivory];

    /// CSS color of the lit lamp.
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

/// Lamp color of a product, by a hash of its id: stable for an id, and evenly distributed.
///
/// ```
/// use wasm_core::catalogue::lamp_color;
///
/// assert_eq!(lamp_color("p1"), lamp_color("p1"));
/// ```
#[must_use]
pub fn lamp_color(product_id: &str) -> LampColor {
    // FNV-1a with 32 bits. Its upper bits are distributed better than its lowest ones.
    let hash =
        product_id.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    match (hash >> 16) & 7 {
        0 => LampColor::Amber,
        1 => LampColor::Coral,
        2 => LampColor::Rose,
        3 => LampColor::Violet,
        4 => LampColor::Azure,
        5 => LampColor::Teal,
        6 => LampColor::Green,
        _ => LampColor::Ivory,
    }
}
