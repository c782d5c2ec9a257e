//! Parts of a view that follow signals.
//!
//! Leptos compiles the following of each closure anew. Behind these few types it is compiled once for all of them,
//! which is a third of what a visitor downloads. On the server nothing changes while a page is made, so that a part is
//! read once there and followed by nothing.

use leptos::prelude::*;

/// What [`word`] gives.
#[cfg(target_arch = "wasm32")]
pub type Word = Signal<Option<&'static str>>;
#[cfg(not(target_arch = "wasm32"))]
pub type Word = Option<&'static str>;

/// A text, or an attribute that is one.
pub fn text(read: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(read)
}

/// An attribute that is one of a few words, or not there.
#[cfg(target_arch = "wasm32")]
pub fn word(read: impl Fn() -> Option<&'static str> + Send + Sync + 'static) -> Word {
    Signal::derive(read)
}

#[cfg(not(target_arch = "wasm32"))]
pub fn word(read: impl Fn() -> Option<&'static str> + Send + Sync + 'static) -> Word {
    read()
}

/// "true" or "false", for ARIA.
pub fn truth(read: impl Fn() -> bool + Send + Sync + 'static) -> Word {
    word(move || Some(if read() { "true" } else { "false" }))
}

/// "page" on the link to the page that is shown, for ARIA.
pub fn here(path: Signal<String>, href: String) -> Word {
    word(move || path.with(|path| *path == href).then_some("page"))
}

/// A part that is built anew when what it reads has changed.
#[cfg(target_arch = "wasm32")]
pub fn changing(build: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    follow(Box::new(build))
}

#[cfg(not(target_arch = "wasm32"))]
pub fn changing(build: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    build()
}

#[cfg(target_arch = "wasm32")]
fn follow(build: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
    (move || build()).into_any()
}

/// Several parts in a row.
pub fn row(parts: impl IntoIterator<Item = AnyView>) -> AnyView {
    parts.into_iter().collect::<Vec<AnyView>>().into_any()
}
