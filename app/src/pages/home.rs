use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::{LampColor, Product};
use wasm_core::money::Cents;

use super::hero::{HERO_EXAMPLES, HeroEvents, LampState, hero_lamp_figure};
use crate::catalog::{HeadingLevel, product_grid};
use crate::ui::{Illustration, Lamp, empty_state, illustration, sample_file};

/// Props of [`home_page`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct HomeProps {
    pub shop_name: String,
    /// Active products in the order of the catalog, with the cheapest one. The page features the first ones.
    pub products: Vec<Product>,
    /// The line in the hero's editor; by default the first example.
    pub line: Option<String>,
    /// By default that of the first example.
    pub lamp: Option<LampState>,
}

/// What people use the light for: a title, the line of the schedule that does it, and what happens.
pub const USES: [(&str, &str, &str); 3] = [
    ("Take your pills at 8", "blink 08:00 for 10m", "Ten minutes of blinking, every morning."),
    ("Kids’ bedtime light", "on 19:30-20:30 20%", "Dim while you read. Dark means sleep."),
    ("Stand up every 30 minutes", "blink every 30m 09:00-17:00 for 10s", "A silent nudge, and no notification."),
];

/// Number of featured products.
const FEATURED: usize = 4;
const FIGURE: &str = "overflow-hidden rounded-card border border-line shadow-card";
const SECTION: &str = "mt-9 sm:mt-20";

/// The home page: the light, what it is good for, featured products and the setup.
pub fn home_page(props: Signal<HomeProps>, events: HeroEvents) -> AnyView {
    view! {
        <div class="wide">
            {hero(props, events)}
            <section class="mt-9 border-y border-line py-6 sm:mt-20 sm:py-10">
                <h2 class="sr-only">"What people use it for"</h2>
                <ul class="grid gap-5 md:grid-cols-3 md:gap-8">{USES.into_iter().map(use_case).collect_view()}</ul>
            </section>
            <section class=SECTION>
                <div class="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 sm:mb-6">
                    <h2 class="text-2xl sm:text-3xl">"Our lights"</h2>
                    <a href="/products" class="text-link inline-block py-1">
                        "All products"
                    </a>
                </div>
                {move || products(featured(&props.read().products))}
            </section>
            <section class=SECTION>
                <h2 class="mb-5 text-2xl sm:mb-6 sm:text-3xl">"Set up in three steps"</h2>
                {steps()}
            </section>
        </div>
    }
    .into_any()
}

fn featured(products: &[Product]) -> &[Product] {
    products.get(..FEATURED).unwrap_or(products)
}

fn products(featured: &[Product]) -> AnyView {
    if featured.is_empty() {
        let title = view! { <p class="text-xl font-semibold">"No products yet."</p> };
        return empty_state(
            title.into_any(),
            "Until then, see how the light works.",
            ("/tutorial", "Open the tutorial"),
        );
    }
    product_grid(featured, HeadingLevel::H3)
}

fn hero(props: Signal<HomeProps>, events: HeroEvents) -> AnyView {
    // Memos: what is typed must not be drawn anew with each answer.
    let line = Memo::new(move |_| props.with(|props| props.line.clone().unwrap_or_else(first_example)));
    let lamp = Memo::new(move |_| props.with(|props| props.lamp.clone().unwrap_or_default()));
    let shop = Memo::new(move |_| props.with(|props| first_product(&props.products)));
    view! {
        <section class="grid items-center gap-8 lg:grid-cols-[1fr_1.25fr] lg:gap-14">
            <div>
                <h1 tabindex="-1" class="text-4xl sm:text-5xl lg:text-6xl">
                    "Welcome to "
                    {move || props.read().shop_name.clone()}
                </h1>
                <p class="mt-4 max-w-[34ch] text-lg text-muted sm:mt-5 sm:text-xl">
                    "The USB light that keeps your schedule. Write it in plain text once; it never forgets."
                </p>
                <p class="mt-6 flex flex-wrap gap-3 sm:mt-7">
                    <a href="/products" class="button-primary">
                        "Shop Lights"
                    </a>
                    <a href="/about" class="button-secondary">
                        "How It Works"
                    </a>
                </p>
                <p class="mt-4 text-muted">
                    {move || lowest_price(&props.read().products).map(from_price)}
                    "Ships to the US and Canada"
                </p>
            </div>
            {hero_lamp_figure(line, lamp, shop, events)}
        </section>
    }
    .into_any()
}

fn first_example() -> String {
    HERO_EXAMPLES.first().map(|(_, line)| (*line).to_owned()).unwrap_or_default()
}

/// The page of the first product, or of all.
fn first_product(products: &[Product]) -> String {
    products.first().map_or_else(|| "/products".to_owned(), |product| format!("/products/{}", product.slug))
}

fn lowest_price(products: &[Product]) -> Option<Cents> {
    products.iter().map(|product| product.price).min()
}

fn from_price(price: Cents) -> AnyView {
    view! {
        <strong class="font-semibold text-ink">{format!("From {price}")}</strong>
        " · "
    }
    .into_any()
}

fn use_case((title, line, text): (&'static str, &'static str, &'static str)) -> AnyView {
    view! {
        <li>
            <h3 class="text-xl">{title}</h3>
            <p class="mt-1 text-muted">{text}</p>
            <code class="schedule-line mt-2 block">{line}</code>
        </li>
    }
    .into_any()
}

fn steps() -> AnyView {
    let plugged_in = illustration(Illustration::Laptop, LampColor::Amber, Lamp::Off, None);
    let running = illustration(Illustration::Front, LampColor::Amber, Lamp::On, None);
    let over_wifi =
        view! { "It gets the time over " <span class="whitespace-nowrap">"Wi-Fi"</span> " and takes it from there." }
            .into_any();
    view! {
        <ol class="grid gap-x-8 gap-y-6 lg:grid-cols-3 lg:gap-y-4">
            {step(
                "1. Plug it in",
                "It appears as a USB drive with one text file on it.".into_any(),
                BESIDE,
                picture(plugged_in),
            )}
            {step("2. Write your schedule", "One line per reminder.".into_any(), BELOW, sample_file())}
            {step("3. Save", over_wifi, BESIDE, picture(running))}
        </ol>
        <p class="mt-6 sm:text-lg">
            "Setup takes a few minutes. "
            <a href="/tutorial" class="text-link">
                "The tutorial"
            </a>
            " walks you through it."
        </p>
    }
    .into_any()
}

/// On a phone a picture is small, and its text is beside it; the sample file is below its text.
const BESIDE: &str = "setup-step max-sm:grid-cols-[8.5rem_1fr] max-sm:items-center";
const BELOW: &str = "setup-step max-sm:[&>:last-child]:order-first";

fn picture(drawing: AnyView) -> AnyView {
    view! { <div class=format!("max-lg:aspect-4/3 lg:min-h-full {FIGURE}")>{drawing}</div> }.into_any()
}

fn step(title: &'static str, text: AnyView, layout: &'static str, picture: AnyView) -> AnyView {
    view! {
        <li class=layout>
            {picture}
            <div>
                <h3 class="text-xl">{title}</h3>
                <p class="mt-1 text-muted">{text}</p>
            </div>
        </li>
    }
    .into_any()
}
