use leptos::prelude::*;
use wasm_core::catalogue::lamp_color;

use super::order_form::order_form;
use super::product_props::{ProductEvents, ProductProps, name};
use super::specs::specs;
use super::stock::stock_status;
use crate::ui::{Illustration, Lamp, illustration};

const PICTURE: &str = "aspect-4/3 overflow-hidden rounded-card border border-line shadow-card";

/// The product page.
pub fn product_page(props: Signal<ProductProps>, events: ProductEvents) -> AnyView {
    view! {
        <div class="wide">
            <nav aria-label="Breadcrumb" class="mb-5 flex flex-wrap gap-x-2 text-sm text-muted">
                <a href="/products" class="hover:text-ink hover:underline">
                    "Products"
                </a>
                <span aria-hidden="true">"/"</span>
                <span class="wrap-anywhere">{move || name(props)}</span>
            </nav>
            <div class="grid items-start gap-8 lg:grid-cols-[1.2fr_1fr] lg:gap-12">
                {pictures(props)}
                <div class="grid gap-5 lg:pt-2">
                    <h1 tabindex="-1" class="text-4xl wrap-anywhere">
                        {move || name(props)}
                    </h1>
                    <p class="flex flex-wrap items-center gap-x-4 gap-y-2">
                        <span class="text-2xl font-semibold tabular-nums">
                            {move || props.with(|props| props.product.price.to_string())}
                        </span>
                        {move || stock_status(props.with(|props| props.product.available))}
                    </p>
                    <p class="text-lg whitespace-pre-line text-muted wrap-anywhere">
                        {move || props.with(|props| props.product.description.clone())}
                    </p>
                    {order_form(props, events)}
                    <p class="border-t border-line pt-4 text-sm text-muted">
                        "Ships to the United States and Canada. 30-day returns. "
                        <a href="/shipping-and-returns" class="text-link">
                            "Shipping and returns"
                        </a>
                    </p>
                </div>
            </div>
            {specs(props)}
        </div>
    }
    .into_any()
}

/// The picture and its thumbnails. The selected picture survives an update of the props.
fn pictures(props: Signal<ProductProps>) -> AnyView {
    let selected = RwSignal::new(Illustration::Front);
    view! {
        <div class="grid gap-3">
            <div class=PICTURE>
                {move || drawn(props, selected.get(), Some(format!("Illustration of {}", name(props))))}
            </div>
            <div role="group" aria-label="Pictures" class="flex gap-3 noscript:hidden">
                {Illustration::ALL.into_iter().map(|picture| thumbnail(props, selected, picture)).collect_view()}
            </div>
        </div>
    }
    .into_any()
}

fn thumbnail(props: Signal<ProductProps>, selected: RwSignal<Illustration>, picture: Illustration) -> AnyView {
    view! {
        <button
            type="button"
            title=picture.label()
            aria-label=picture.label()
            aria-pressed=move || (selected.get() == picture).to_string()
            class="thumbnail"
            on:click=move |_| selected.set(picture)
        >
            {move || drawn(props, picture, None)}
        </button>
    }
    .into_any()
}

fn drawn(props: Signal<ProductProps>, picture: Illustration, label: Option<String>) -> AnyView {
    props.with(|ProductProps { product }| {
        let lamp = if product.available > 0 { Lamp::On } else { Lamp::Off };
        illustration(picture, lamp_color(&product.id), lamp, label)
    })
}
