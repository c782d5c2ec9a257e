//! A product's photograph: WebP or JPEG, in the size that the page needs.

use leptos::prelude::*;
use wasm_core::catalog::Photo;

use super::image::{Image, Loading, image};

/// A responsive picture that fills its container's width, with the photo's average color as placeholder. `sizes` is its
/// width on the page, as in HTML.
pub fn photo(photo: &Photo, sizes: &'static str, loading: Loading) -> AnyView {
    let image = image(Image {
        src: photo.preview(),
        srcset: Some((photo.srcset("jpg"), sizes)),
        width: photo.width,
        height: photo.height,
        alt: photo.alt.clone(),
        loading,
    });
    view! {
        <picture style=format!("background-color:{}", photo.color)>
            <source type="image/webp" srcset=Some(photo.srcset("webp")) sizes=Some(sizes) />
            {image}
        </picture>
    }
    .into_any()
}
