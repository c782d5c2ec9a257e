//! Color of the lamp in a product's drawings.

use serde::{Deserialize, Serialize};

/// Color of the lamp in a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum LampColor {
    /// Warm yellow.
    #[default]
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
    /// Every color, in the order of the form's select box.
    pub const ALL: [Self; 8] =
        [Self::Amber, Self::Coral, Self::Rose, Self::Violet, Self::Azure, Self::Teal, Self::Green, Self::Ivory];

    /// The color in JSON and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Amber => "amber",
            Self::Coral => "coral",
            Self::Rose => "rose",
            Self::Violet => "violet",
            Self::Azure => "azure",
            Self::Teal => "teal",
            Self::Green => "green",
            Self::Ivory => "ivory",
        }
    }

    /// Parses the color of [`LampColor::as_str`].
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|color| color.as_str() == text)
    }

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
