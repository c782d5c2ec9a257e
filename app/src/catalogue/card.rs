use leptos::either::Either;
use leptos::prelude::*;
use wasm_core::catalogue::{Product, lamp_color};

use super::stock::stock_sign;
use crate::ui::{Lamp, Part, Scene, drawn_light, part, row};

/// Which heading a card's name is: one below what stands over the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameIs {
    H2,
    H3,
}

const CARD: &str = "group relative flex h-full flex-col overflow-hidden rounded-card border border-line bg-card shadow-card transition-[border-color,translate] focus-within:border-edge hover:-translate-y-0.5 hover:border-edge has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)";
/// Covers the card, which shows the focus in its place: what is inside the card is cut off at its edge.
const NAME_LINK: &str = "outline-none after:absolute after:inset-0";

/// What is for sale, as cards.
pub fn product_grid(products: &[Product], name_is: NameIs) -> impl Part + use<> {
    let cards = row(products.iter().map(|product| part(view! { <li>{card(product, name_is)}</li> })));
    part(view! { <ul class="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">{cards}</ul> })
}

/// The whole card leads to the product; its only link is the name, so that it is read out once.
fn card(product: &Product, name_is: NameIs) -> impl Part + use<> {
    let name = part(view! {
        <a href=format!("/products/{}", product.slug) class=NAME_LINK>
            {product.name.clone()}
        </a>
    });
    let name = match name_is {
        NameIs::H2 => Either::Left(part(view! { <h2 class="text-lg wrap-anywhere">{name}</h2> })),
        NameIs::H3 => Either::Right(part(view! { <h3 class="text-lg wrap-anywhere">{name}</h3> })),
    };
    let lamp = if product.available > 0 { Lamp::On } else { Lamp::Off };
    part(view! {
        <article class=CARD>
            <div class="aspect-4/3 overflow-hidden">
                {drawn_light(Scene::Front, lamp_color(&product.id), lamp.still(), None)}
            </div>
            <div class="flex grow flex-col p-5">
                {name} <p class="mt-1.5 mb-5 line-clamp-3 text-muted wrap-anywhere">{product.description.clone()}</p>
                <p class="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
                    <span class="text-lg font-semibold tabular-nums">{product.price.to_string()}</span>
                    {stock_sign(product.available)}
                </p>
            </div>
        </article>
    })
}
