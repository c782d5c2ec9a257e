//! Parts of a view that follow signals.
//!
//! Leptos compiles the following of each closure anew. Behind these few types it is compiled once for all of them,
//! which is a third of what a visitor downloads. On the server nothing changes while a page is made, so that a part is
//! read once there, when it is built, and followed by nothing.

use std::borrow::Cow;
#[cfg(target_arch = "wasm32")]
use std::sync::{Arc, Mutex};

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;
#[cfg(target_arch = "wasm32")]
use leptos::tachys::reactive_graph::SharedReactiveFunction;

use super::part::Part;
#[cfg(target_arch = "wasm32")]
use super::part::part;

/// What [`word`] gives.
#[cfg(target_arch = "wasm32")]
pub type Word = SharedReactiveFunction<Option<Cow<'static, str>>>;
#[cfg(not(target_arch = "wasm32"))]
pub type Word = Option<Cow<'static, str>>;

/// A text.
#[cfg(target_arch = "wasm32")]
pub fn text(read: impl Fn() -> String + Send + 'static) -> impl Part {
    changing(move || part(read().into_view()))
}

#[cfg(not(target_arch = "wasm32"))]
pub fn text(read: impl Fn() -> String) -> impl Part {
    read()
}

/// An attribute, which is not there where nothing is read.
#[cfg(target_arch = "wasm32")]
pub fn word<W: Into<Cow<'static, str>>>(read: impl Fn() -> Option<W> + Send + 'static) -> Word {
    Arc::new(Mutex::new(move || read().map(Into::into)))
}

#[cfg(not(target_arch = "wasm32"))]
pub fn word<W: Into<Cow<'static, str>>>(read: impl Fn() -> Option<W>) -> Word {
    read().map(Into::into)
}

/// "true" or "false", for ARIA.
pub fn truth(read: impl Fn() -> bool + Send + 'static) -> Word {
    word(move || Some(if read() { "true" } else { "false" }))
}

/// A part that is built anew when what it reads has changed.
#[cfg(target_arch = "wasm32")]
pub fn changing<P: Part>(build: impl Fn() -> P + Send + 'static) -> impl Part {
    follow(Box::new(move || build().erased()))
}

#[cfg(not(target_arch = "wasm32"))]
pub fn changing<P: Part>(build: impl Fn() -> P) -> impl Part {
    build()
}

#[cfg(target_arch = "wasm32")]
fn follow(build: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
    (move || build()).into_any()
}
