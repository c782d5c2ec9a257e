//! The one pattern of an empty page or section: an unlit light, what is missing, and one way on.

use leptos::prelude::*;
use wasm_core::catalog::LampColor;

use super::illustration::{Illustration, Lamp, illustration};

/// An empty state. `title` is the heading or sentence; its level depends on the page.
pub fn empty_state(title: AnyView, text: &'static str, (href, label): (&'static str, &'static str)) -> AnyView {
    view! {
        <div class="empty-state">
            {unlit_light()}
            {title}
            <p class="text-muted">{text}</p>
            <a href=href class="button-primary mt-2">
                {label}
            </a>
        </div>
    }
    .into_any()
}

/// The picture of every empty state.
pub fn unlit_light() -> AnyView {
    view! {
        <div class="mb-2 aspect-4/3 w-60 max-w-full overflow-hidden rounded-card">
            {illustration(Illustration::Front, LampColor::Amber, Lamp::Off, None)}
        </div>
    }
    .into_any()
}
