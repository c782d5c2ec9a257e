use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::Product;

use super::card::{HeadingLevel, product_grid};

/// Props of [`product_list`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ProductListProps {
    pub products: Vec<Product>,
}

/// The list of active products.
pub fn product_list(props: Signal<ProductListProps>) -> AnyView {
    view! {
        <div class="wide">
            <h1 tabindex="-1" class="mb-6 text-4xl">
                "Products"
            </h1>
            {move || props.with(|props| list(&props.products))}
        </div>
    }
    .into_any()
}

fn list(products: &[Product]) -> AnyView {
    match products {
        [] => view! { <p class="text-lg text-muted">"No products yet."</p> }.into_any(),
        products => product_grid(products, HeadingLevel::H2),
    }
}
