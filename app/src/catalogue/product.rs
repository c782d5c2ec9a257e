use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::{Product, lamp_color};

use super::facts::product_facts;
use super::order_form::order_form;
use super::stock::stock_sign;
use crate::ui::{Lamp, Listener, Part, Props, Scene, State, changing, drawn_light, part, row, text, truth, word};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ProductProps {
    pub product: Product,
}

#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Default))]
pub struct ProductEvents {
    /// Puts as many as were typed into the cart; gives the sentence that says why not.
    pub add_to_cart: Listener<String, Option<String>>,
}

const PICTURE: &str = "aspect-4/3 overflow-hidden rounded-card border border-line shadow-card";

/// A product: its drawing, what it costs, how many there are, and the way into the cart.
pub fn product_page(props: Props<ProductProps>, events: ProductEvents) -> impl Part {
    let available = move || props.with(|props| props.product.available);
    let price = move || props.with(|props| props.product.price.to_string());
    let description = move || props.with(|props| props.product.description.clone());
    part(view! {
        <div class="wide">
            <nav aria-label="Breadcrumb" class="mb-5 flex flex-wrap gap-x-2 text-sm text-muted">
                <a href="/products" class="hover:text-ink hover:underline">
                    "Products"
                </a>
                <span aria-hidden="true">"/"</span>
                <span class="wrap-anywhere">{text(move || name(props))}</span>
            </nav>
            <div class="grid items-start gap-8 lg:grid-cols-[1.2fr_1fr] lg:gap-12">
                {pictures(props)}
                <div class="grid gap-5 lg:pt-2">
                    <h1 tabindex="-1" class="text-4xl wrap-anywhere">
                        {text(move || name(props))}
                    </h1>
                    <p class="flex flex-wrap items-center gap-x-4 gap-y-2">
                        <span class="text-2xl font-semibold tabular-nums">{text(price)}</span>
                        {changing(move || stock_sign(available()))}
                    </p>
                    <p class="text-lg whitespace-pre-line text-muted wrap-anywhere">{text(description)}</p>
                    {order_form(props, events)}
                    <p class="border-t border-line pt-4 text-sm text-muted">
                        "We ship to the United States and Canada, and take a light back within 30 days. "
                        <a href="/shipping-and-returns" class="text-link">
                            "Shipping and returns"
                        </a>
                    </p>
                </div>
            </div>
            {product_facts(props)}
        </div>
    })
}

pub(super) fn name(props: Props<ProductProps>) -> String {
    props.with(|props| props.product.name.clone())
}

/// The drawing, and a choice of where it is seen. What was chosen stays when the product's price or stock changes.
fn pictures(props: Props<ProductProps>) -> impl Part {
    let shown = State::new(|| Scene::Front);
    let colour = move || props.with(|props| lamp_color(&props.product.id));
    let lamp = move || {
        word(move || {
            let lamp = props.with(|props| if props.product.available > 0 { Lamp::On } else { Lamp::Off });
            Some(lamp.word())
        })
    };
    let choices = Scene::ALL.map(|scene| {
        part(view! {
            <button
                type="button"
                title=scene.label()
                aria-label=scene.label()
                aria-pressed=truth(move || shown.get() == scene)
                class="scene-choice"
                on:click=move |_| shown.set(scene)
            >
                {changing(move || drawn_light(scene, colour(), lamp(), None))}
            </button>
        })
    });
    part(view! {
        <div class="grid gap-3">
            <div class=PICTURE>
                {changing(move || drawn_light(shown.get(), colour(), lamp(), Some(format!("Drawing of {}", name(props)))))}
            </div>
            <div role="group" aria-label="Pictures" class="flex gap-3 noscript:hidden">
                {row(choices)}
            </div>
        </div>
    })
}
