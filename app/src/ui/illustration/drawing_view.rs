//! Views in which a product is drawn, each in an SVG file of its own.

use wasm_core::catalog::Product;

/// View of a product's drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingView {
    Front,
    /// In a port; a halo on its hook.
    InUse,
    /// On a shelf, at night.
    Shelf,
    /// Beside a hand, to scale.
    Hand,
    /// Technical drawing with measurements.
    Dimensions,
}

impl DrawingView {
    pub const ALL: [Self; 5] = [Self::Front, Self::InUse, Self::Shelf, Self::Hand, Self::Dimensions];

    /// The views of this product. Nothing is drawn to scale without dimensions.
    #[must_use]
    pub fn of(product: &Product) -> Vec<Self> {
        Self::ALL.into_iter().filter(|view| !view.is_to_scale() || product.dimensions.is_some()).collect()
    }

    const fn is_to_scale(self) -> bool {
        matches!(self, Self::Hand | Self::Dimensions)
    }

    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Front => "The light",
            Self::InUse => "In use",
            Self::Shelf => "On a shelf at night",
            Self::Hand => "Beside a hand",
            Self::Dimensions => "Dimensions",
        }
    }

    /// What follows the product's slug in the file name.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Front => "",
            Self::InUse => "-in-use",
            Self::Shelf => "-shelf",
            Self::Hand => "-hand",
            Self::Dimensions => "-dimensions",
        }
    }
}

/// URL of a product's drawing, for `<img>`. Its lamp is lit, whatever the stock. The drawing is 480 by 360 units.
#[must_use]
pub fn drawing_src(product: &Product, view: DrawingView) -> String {
    format!("/images/{}{}.svg", product.slug, view.suffix())
}
