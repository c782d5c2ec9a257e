use leptos::prelude::*;
use wasm_core::catalog::Product;

use super::picture::Picture;
use super::stock::stock_status;
use crate::ui::Loading;

/// Heading level of the product names in a grid: one below the heading above the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingLevel {
    H2,
    H3,
}

/// Stretches over the card.
pub(super) const NAME_LINK: &str = "outline-none after:absolute after:inset-0";

/// Width of a card's picture.
const SIZES: &str = "(min-width: 1024px) 273px, 47vw";
/// Cards that are visible without scrolling, so their pictures load at once.
const FIRST_ROW: usize = 4;

/// Products as a grid of cards.
pub fn product_grid(products: &[Product], level: HeadingLevel) -> AnyView {
    let cards = products.iter().enumerate().map(|(index, product)| card(index, product, level)).collect_view();
    view! { <ul class="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4">{cards}</ul> }.into_any()
}

/// The whole card is clickable, but its only link is the name, so that a screen reader announces it once.
fn card(index: usize, product: &Product, level: HeadingLevel) -> AnyView {
    let loading = if index < FIRST_ROW { Loading::Eager } else { Loading::Lazy };
    let main = Picture::main(product);
    view! {
        <li>
            <article class="product-card flex-col">
                <div class=picture_class(product)>{main.view(product, String::new(), SIZES, loading)}</div>
                <div class="flex grow flex-col p-3.5 sm:p-5">
                    {heading(product, level)}
                    <p class="mt-1 mb-4 line-clamp-3 text-sm text-muted wrap-anywhere sm:text-base">
                        {product.description.clone()}
                    </p>
                    <p class="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
                        <span class="text-lg font-semibold tabular-nums">{product.price.to_string()}</span>
                        {stock_status(product.available)}
                    </p>
                </div>
            </article>
        </li>
    }
    .into_any()
}

/// A sold-out product's picture is dimmed; its text keeps its contrast.
const fn picture_class(product: &Product) -> &'static str {
    match product.available {
        ..1 => "picture aspect-4/3 overflow-hidden opacity-55 grayscale",
        _ => "picture aspect-4/3 overflow-hidden",
    }
}

fn heading(product: &Product, level: HeadingLevel) -> AnyView {
    let link = view! {
        <a href=format!("/products/{}", product.slug) class=NAME_LINK>
            {product.name.clone()}
        </a>
    };
    match level {
        HeadingLevel::H2 => view! { <h2 class="wrap-anywhere sm:text-lg">{link}</h2> }.into_any(),
        HeadingLevel::H3 => view! { <h3 class="wrap-anywhere sm:text-lg">{link}</h3> }.into_any(),
    }
}
