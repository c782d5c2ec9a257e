use leptos::prelude::*;
use wasm_core::catalogue::LampColor;

use crate::ui::{Illustration, Lamp, illustration};

/// The page of a product that does not exist.
pub fn product_not_found() -> AnyView {
    view! {
        <div class="mx-auto grid w-full max-w-2xl justify-items-center gap-5 text-center">
            <div class="aspect-4/3 w-full max-w-sm overflow-hidden rounded-card">
                {illustration(Illustration::Front, LampColor::Amber, Lamp::Off, None)}
            </div>
            <h1 tabindex="-1" class="text-3xl">
                "Product not found."
            </h1>
            <p class="text-lg text-muted">"It may have been renamed or discontinued."</p>
            <a href="/products" class="button-primary">
                "Shop lights"
            </a>
        </div>
    }
    .into_any()
}
