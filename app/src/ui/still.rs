//! Parts of a view in which nothing ever changes.

use std::borrow::Cow;

use leptos::prelude::*;
use leptos::tachys::html::InertElement;

use super::part::{Part, part};

/// One element as it stands: the server copies it and the browser parses it, where another one is put together from its
/// attributes and children. Nothing is escaped, so nothing that people typed may be in it; and no attribute can be
/// spread onto it.
pub fn still(element: impl Into<Cow<'static, str>>) -> impl Part {
    part(InertElement::new(element).into_view())
}
