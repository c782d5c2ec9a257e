use leptos::prelude::*;

use crate::ui::empty_state;

/// The page of a product that does not exist.
pub fn product_not_found() -> AnyView {
    let title = view! {
        <h1 tabindex="-1" class="text-3xl">
            "Product not found."
        </h1>
    };
    empty_state(title.into_any(), "It may have been renamed or discontinued.", ("/products", "Shop Lights"))
}
