use leptos::prelude::*;
use wasm_core::catalogue::{Product, lamp_color};

use super::stock::stock_status;
use crate::ui::{Illustration, Lamp, illustration};

/// Heading level of the product names in a grid: one below the heading above the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingLevel {
    H2,
    H3,
}

const CARD: &str = "group relative flex h-full flex-col overflow-hidden rounded-card border border-line bg-card shadow-card transition-[border-color,translate] focus-within:border-edge hover:-translate-y-0.5 hover:border-edge has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)";
/// Stretches over the card. The card shows the focus outline instead, because it clips its content.
const NAME_LINK: &str = "outline-none after:absolute after:inset-0";

/// Products as a grid of cards.
pub fn product_grid(products: &[Product], level: HeadingLevel) -> AnyView {
    let cards = products.iter().map(|product| card(product, level)).collect_view();
    view! { <ul class="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">{cards}</ul> }.into_any()
}

/// The whole card is clickable, but its only link is the name, so that a screen reader announces it once.
fn card(product: &Product, level: HeadingLevel) -> AnyView {
    let lamp = if product.available > 0 { Lamp::On } else { Lamp::Off };
    view! {
        <li>
            <article class=CARD>
                <div class="aspect-4/3 overflow-hidden">
                    {illustration(Illustration::Front, lamp_color(&product.id), lamp, None)}
                </div>
                <div class="flex grow flex-col p-5">
                    {heading(product, level)}
                    <p class="mt-1.5 mb-5 line-clamp-3 text-muted wrap-anywhere">{product.description.clone()}</p>
                    <p class="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
                        <span class="text-lg font-semibold tabular-nums">{product.price.to_string()}</span>
                        {stock_status(product.available)}
                    </p>
                </div>
            </article>
        </li>
    }
    .into_any()
}

fn heading(product: &Product, level: HeadingLevel) -> AnyView {
    let link = view! {
        <a href=format!("/products/{}", product.slug) class=NAME_LINK>
            {product.name.clone()}
        </a>
    };
    match level {
        HeadingLevel::H2 => view! { <h2 class="text-lg wrap-anywhere">{link}</h2> }.into_any(),
        HeadingLevel::H3 => view! { <h3 class="text-lg wrap-anywhere">{link}</h3> }.into_any(),
    }
}
