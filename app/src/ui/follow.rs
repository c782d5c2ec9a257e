//! Parts of a view that follow signals.
//!
//! Leptos compiles the following of each closure anew. Behind these few types it is compiled once for all of them,
//! which is a third of what a visitor downloads.

use leptos::prelude::*;

/// A text, or an attribute that is one.
pub fn text(read: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(read)
}

/// An attribute that is one of a few words, or not there.
pub fn word(read: impl Fn() -> Option<&'static str> + Send + Sync + 'static) -> Signal<Option<&'static str>> {
    Signal::derive(read)
}

/// "true" or "false", for ARIA.
pub fn truth(read: impl Fn() -> bool + Send + Sync + 'static) -> Signal<Option<&'static str>> {
    word(move || Some(if read() { "true" } else { "false" }))
}

/// "page" on the link to the page that is shown, for ARIA.
pub fn here(path: Signal<String>, href: String) -> Signal<Option<&'static str>> {
    word(move || path.with(|path| *path == href).then_some("page"))
}

/// A part that is built anew when what it reads has changed.
pub fn changing(build: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    follow(Box::new(build))
}

fn follow(build: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
    (move || build()).into_any()
}

/// Several parts in a row.
pub fn row(parts: impl IntoIterator<Item = AnyView>) -> AnyView {
    parts.into_iter().collect::<Vec<AnyView>>().into_any()
}
