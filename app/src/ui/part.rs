//! What views are put together from.

use leptos::prelude::*;

/// A part of a view.
///
/// In the browser each is an [`AnyView`]: parts of one type are compiled once, and not anew for each tree of elements,
/// which a visitor would have to download. On the server a part keeps the type it has: an `AnyView` owns a copy of
/// each of its attributes, and making these takes longer than writing them.
pub trait Part: IntoView {
    /// For a place where parts of several types may come.
    fn erased(self) -> AnyView;
}

#[cfg(target_arch = "wasm32")]
impl Part for AnyView {
    fn erased(self) -> AnyView {
        self
    }
}

#[cfg(target_arch = "wasm32")]
impl<P: Part + 'static> Part for Vec<P> {
    fn erased(self) -> AnyView {
        self.into_any()
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<V: IntoView> Part for V {
    fn erased(self) -> AnyView {
        self.into_any()
    }
}

/// Makes a part of what `view!` gives.
#[cfg(target_arch = "wasm32")]
pub fn part(view: View<impl IntoView + 'static>) -> impl Part {
    view.into_any()
}

/// Without its wrapping, which does not say how long the HTML will be: the text it is written to would be moved to a
/// larger place again and again.
#[cfg(not(target_arch = "wasm32"))]
pub fn part(view: View<impl IntoView>) -> impl Part {
    view.into_inner()
}

/// Several parts in a row, or none.
pub fn row<P: Part>(parts: impl IntoIterator<Item = P>) -> Vec<P> {
    parts.into_iter().collect()
}
