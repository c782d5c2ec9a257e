//! Props of the product page and its parts.

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::Product;
use wasm_core::delivery::{DeliveryTimes, ReturnShipping};
use wasm_core::pricing::ShippingRates;

/// The request for a back-in-stock email, which the shell sends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct BackInStock {
    pub state: BackInStockState,
    /// The confirmation or the error; empty before the response.
    pub message: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum BackInStockState {
    #[default]
    Idle,
    Sending,
    Sent,
    Failed,
}

/// When an order that is placed now arrives, as the shell estimates it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ArrivalEstimate {
    /// In the United States: `Nov 30 – Dec 3`.
    pub us: String,
    /// In Canada.
    pub ca: String,
    /// Minutes left to order for it, if the day has a cutoff.
    pub minutes_left: Option<u32>,
}

/// Props of [`product_page`](super::product_page).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ProductProps {
    pub product: Product,
    /// Other products, shown below it.
    pub related: Vec<Product>,
    /// Units of the product in the customer's cart.
    pub in_cart: i64,
    pub shipping_rates: ShippingRates,
    pub delivery: DeliveryTimes,
    /// None until the shell has estimated it.
    pub arrival: Option<ArrivalEstimate>,
    /// Days within which a light can be returned, if the shop has the standard return policy.
    pub return_days: Option<u32>,
    pub return_shipping: ReturnShipping,
    pub back_in_stock: BackInStock,
}

/// Callbacks of [`product_page`](super::product_page).
#[derive(Clone, Copy)]
pub struct ProductEvents {
    /// Adds the quantity that was typed to the cart, or returns the error message.
    pub add_to_cart: Callback<String, Option<String>>,
    /// Asks for an email to this address when the product is back in stock.
    pub email_when_back: Callback<String>,
}

impl Default for ProductEvents {
    /// Ignores every event, as the server does.
    fn default() -> Self {
        Self { add_to_cart: Callback::new(|_| None), email_when_back: Callback::new(|_| ()) }
    }
}

pub(super) fn name(props: Signal<ProductProps>) -> String {
    props.read().product.name.clone()
}
