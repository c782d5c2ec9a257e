//! Pictures of a product: its photographs, or its drawings, each in a file of its own.

use leptos::prelude::*;
use wasm_core::catalog::{CardPicture, Photo, Product, dimensions_text};

use crate::ui::{DrawingView, Image, Loading, drawing_src, image, photo};

/// A picture of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Picture {
    Photo(Photo),
    Drawing(DrawingView),
}

impl Picture {
    /// The photographs, then the drawings.
    pub(super) fn all(product: &Product) -> Vec<Self> {
        let photos = product.photos.iter().cloned().map(Self::Photo);
        photos.chain(DrawingView::of(product).into_iter().map(Self::Drawing)).collect()
    }

    /// The picture for cards.
    pub(super) fn main(product: &Product) -> Self {
        match (product.card_picture, product.photos.first()) {
            (CardPicture::Photo, Some(photo)) => Self::Photo(photo.clone()),
            _ => Self::Drawing(DrawingView::Front),
        }
    }

    pub(super) fn label(&self, product: &Product) -> String {
        match self {
            Self::Photo(_) => self.alt(product),
            Self::Drawing(view) => view.label().to_owned(),
        }
    }

    /// The alternative text.
    pub(super) fn alt(&self, product: &Product) -> String {
        let name = &product.name;
        match self {
            Self::Photo(photo) if photo.alt.is_empty() => numbered(photo, product),
            Self::Photo(photo) => photo.alt.clone(),
            Self::Drawing(DrawingView::Front) => format!("Illustration of {name}"),
            Self::Drawing(DrawingView::InUse) => format!("Illustration of {name} in use"),
            Self::Drawing(DrawingView::Shelf) => format!("Illustration of {name} on a shelf at night"),
            Self::Drawing(DrawingView::Hand) => format!("Drawing of {name} beside a hand, to scale"),
            Self::Drawing(DrawingView::Dimensions) => {
                let size = product.dimensions.map(dimensions_text).unwrap_or_default();
                format!("Drawing of {name} with its dimensions: {size}")
            }
        }
    }

    /// The picture, which fills its box. `sizes` is the width of the box, as in HTML. Without alternative text the picture
    /// is decorative.
    pub(super) fn view(&self, product: &Product, alt: String, sizes: &'static str, loading: Loading) -> AnyView {
        match self {
            Self::Photo(shown) => photo(&Photo { alt, ..shown.clone() }, sizes, loading),
            Self::Drawing(view) => {
                image(Image { src: drawing_src(product, *view), srcset: None, width: 480, height: 360, alt, loading })
            }
        }
    }
}

/// "Nudgelight One, photo 1 of 3"
fn numbered(photo: &Photo, product: &Product) -> String {
    let position = product.photos.iter().position(|other| other.id == photo.id).unwrap_or_default();
    format!("{}, photo {} of {}", product.name, position.saturating_add(1), product.photos.len())
}
