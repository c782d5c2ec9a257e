use leptos::either::Either;
use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::Product;

use super::card::{NameIs, product_grid};
use crate::ui::{Part, Props, changing, part};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ProductListProps {
    pub products: Vec<Product>,
}

/// Everything that is for sale.
pub fn product_list(props: Props<ProductListProps>) -> impl Part {
    let nothing = || part(view! { <p class="text-lg text-muted">"There is nothing on sale at the moment."</p> });
    let content = move || {
        props.with(|ProductListProps { products }| {
            let content = match products.as_slice() {
                [] => Either::Left(nothing()),
                products => Either::Right(product_grid(products, NameIs::H2)),
            };
            part(content.into_view())
        })
    };
    part(view! {
        <div class="wide">
            <h1 tabindex="-1" class="mb-6 text-4xl">
                "Products"
            </h1>
            {changing(content)}
        </div>
    })
}
