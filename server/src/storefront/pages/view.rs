//! The view of a page.

use app::catalog::{ProductEvents, ProductListProps, ProductProps, product_list, product_not_found, product_page};
use app::pages::{HeroEvents, HomeProps, TextPageProps, home_page, text_page};
use app::schedule::{Clock, recipe_not_found, recipe_page, recipe_wall};
use leptos::prelude::*;
use wasm_core::catalog::Product;

use super::data::PageData;
use super::page::Page;

/// The time zone of a recipe until the shell knows the visitor's.
const RECIPE_ZONE: &str = "America/New_York";

/// The view, the same one that the shell mounts.
pub fn view(page: &Page, data: &PageData) -> AnyView {
    match page {
        Page::Home => {
            let products = data.products.clone();
            let props = HomeProps { shop_name: data.shop_name.clone(), products, ..HomeProps::default() };
            home_page(Signal::stored(props), HeroEvents::default())
        }
        Page::Products(list) => product_list(Signal::stored(ProductListProps { list: list.clone() })),
        Page::Product(product) => {
            let props = ProductProps {
                product: Product::clone(product),
                related: data.products.clone(),
                shipping_rates: data.shipping_rates,
                delivery: data.delivery_times,
                return_days: data.return_days,
                return_shipping: data.return_shipping,
                ..ProductProps::default()
            };
            product_page(Signal::stored(props), ProductEvents::default())
        }
        Page::ProductNotFound => product_not_found(),
        Page::Text(text) => {
            let (shop_name, firmware) = (data.shop_name.clone(), data.firmware.clone());
            let props = TextPageProps { text: *text, shop_name, policy: data.policy.clone(), firmware };
            text_page(Signal::stored(props))
        }
        Page::Recipes => recipe_wall(RECIPE_ZONE, Clock::stopped()),
        Page::Recipe(recipe) => {
            recipe_page(recipe, RECIPE_ZONE, &data.products, Clock::stopped(), Callback::new(|_| ()))
        }
        Page::RecipeNotFound => recipe_not_found(),
        Page::Personal => view! {
            <p role="status" class="mx-auto w-full max-w-6xl text-muted noscript:hidden">
                "One moment…"
            </p>
            <noscript>
                <p class="mx-auto w-full max-w-6xl">
                    "This page needs JavaScript for your cart, your login and payments."
                </p>
            </noscript>
        }
        .into_any(),
    }
}
