//! Props of the product page and its parts.

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::Product;

/// Props of [`product_page`](super::product_page).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ProductProps {
    pub product: Product,
}

/// Callbacks of [`product_page`](super::product_page).
#[derive(Clone, Copy)]
pub struct ProductEvents {
    /// Adds the quantity that was typed to the cart, or returns the error message.
    pub add_to_cart: Callback<String, Option<String>>,
}

impl Default for ProductEvents {
    /// Ignores every event, as the server does.
    fn default() -> Self {
        Self { add_to_cart: Callback::new(|_| None) }
    }
}

pub(super) fn name(props: Signal<ProductProps>) -> String {
    props.with(|props| props.product.name.clone())
}
