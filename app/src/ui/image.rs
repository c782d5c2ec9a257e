//! An image that has its place on the page before it loads.

use leptos::prelude::*;

/// When the browser loads an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    /// At once and before other images: the page's main image.
    First,
    /// At once.
    Eager,
    /// When it is about to be visible.
    Lazy,
}

/// An image. Width and height keep its place free while it loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub src: String,
    /// The same image in other sizes, and its width on the page: as in HTML.
    pub srcset: Option<(String, &'static str)>,
    pub width: i64,
    pub height: i64,
    /// Empty for a decorative image.
    pub alt: String,
    pub loading: Loading,
}

/// An image that is as wide as its container.
pub fn image(Image { src, srcset, width, height, alt, loading }: Image) -> AnyView {
    let (loading, priority) = match loading {
        Loading::First => ("eager", "high"),
        Loading::Eager => ("eager", "auto"),
        Loading::Lazy => ("lazy", "auto"),
    };
    let (srcset, sizes) = srcset.unzip();
    view! {
        <img
            src=src
            srcset=srcset
            sizes=sizes
            width=width.to_string()
            height=height.to_string()
            alt=alt
            loading=loading
            fetchpriority=priority
            class="h-auto w-full"
        />
    }
    .into_any()
}
