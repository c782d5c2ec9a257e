use leptos::prelude::*;

use crate::ui::{Lamp, Part, Scene, drawn_light, part};
use wasm_core::catalogue::LampColor;

/// In place of a product that is not there.
pub fn product_not_found() -> impl Part {
    part(view! {
        <div class="mx-auto grid w-full max-w-2xl justify-items-center gap-5 text-center">
            <div class="aspect-4/3 w-full max-w-sm overflow-hidden rounded-card">
                {drawn_light(Scene::Front, LampColor::Amber, Lamp::Off.still(), None)}
            </div>
            <h1 tabindex="-1" class="text-3xl">
                "Product not found."
            </h1>
            <p class="text-lg text-muted">"It may have been renamed, or it is no longer sold."</p>
            <a href="/products" class="button-primary">
                "See the lights"
            </a>
        </div>
    })
}
