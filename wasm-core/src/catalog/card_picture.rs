//! Which of a product's pictures stands for it on cards.

use serde::{Deserialize, Serialize};

/// The picture that stands for a product on cards and in the cart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum CardPicture {
    /// The first photo; the drawing while there are no photos.
    #[default]
    Photo,
    /// The drawing of the light.
    Drawing,
}

impl CardPicture {
    /// Every choice, in the order of the form's select box.
    pub const ALL: [Self; 2] = [Self::Photo, Self::Drawing];

    /// The choice in JSON and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Photo => "photo",
            Self::Drawing => "drawing",
        }
    }

    /// Parses the choice of [`CardPicture::as_str`].
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.as_str() == text)
    }
}
