use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::{LampColor, Product};
use wasm_core::money::Cents;

use crate::catalog::{HeadingLevel, product_grid};
use crate::ui::{Illustration, Lamp, empty_state, illustration, sample_file};

/// Hour of a working day at which the hero shows the sample schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum HomeHour {
    Morning,
    Noon,
    /// The server renders this one: the light is on.
    #[default]
    Evening,
}

impl HomeHour {
    pub const ALL: [Self; 3] = [Self::Morning, Self::Noon, Self::Evening];

    /// The value in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Morning => "morning",
            Self::Noon => "noon",
            Self::Evening => "evening",
        }
    }

    /// The hour as displayed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Morning => "7 AM",
            Self::Noon => "Noon",
            Self::Evening => "9 PM",
        }
    }
}

/// State of the lamp in the hero, and the schedule rule behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct LampState {
    pub lamp: Lamp,
    /// The rule's line in the schedule.
    pub rule: String,
    /// The rule in words.
    pub meaning: String,
}

impl Default for LampState {
    /// The sample schedule in the evening.
    fn default() -> Self {
        Self { lamp: Lamp::On, rule: "on 18:00-23:00 40%".to_owned(), meaning: "On at 40% until 23:00.".to_owned() }
    }
}

/// Props of [`home_page`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct HomeProps {
    pub shop_name: String,
    /// Active products in the order of the catalog, with the cheapest one. The page features the first ones.
    pub products: Vec<Product>,
    pub hour: HomeHour,
    pub lamp: LampState,
}

/// Callbacks of [`home_page`].
#[derive(Clone, Copy)]
pub struct HomeEvents {
    /// Shows the lamp at another hour.
    pub choose_hour: Callback<HomeHour>,
}

impl Default for HomeEvents {
    /// Ignores every event, as the server does.
    fn default() -> Self {
        Self { choose_hour: Callback::new(|_| ()) }
    }
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
pub fn home_page(props: Signal<HomeProps>, events: HomeEvents) -> AnyView {
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

fn hero(props: Signal<HomeProps>, events: HomeEvents) -> AnyView {
    view! {
        <section class="grid items-center gap-8 lg:grid-cols-[1fr_1.25fr] lg:gap-14">
            <div>
                <h1 tabindex="-1" class="text-4xl sm:text-5xl lg:text-6xl">
                    "Welcome to "
                    {move || props.read().shop_name.clone()}
                </h1>
                <p class="mt-4 max-w-[34ch] text-lg text-muted sm:mt-5 sm:text-xl">
                    "A small light for your USB port. It turns on or blinks on your schedule, so you don’t have to remember."
                </p>
                <p class="mt-6 flex flex-wrap gap-3 sm:mt-7">
                    <a href="/products" class="button-primary">
                        "Shop lights"
                    </a>
                    <a href="/about" class="button-secondary">
                        "How it works"
                    </a>
                </p>
                <p class="mt-4 text-muted">
                    {move || lowest_price(&props.read().products).map(from_price)}
                    "Ships to the US and Canada"
                </p>
            </div>
            <figure class=FIGURE>{move || lamp_at_an_hour(&props.read(), events)}</figure>
        </section>
    }
    .into_any()
}

fn lamp_at_an_hour(HomeProps { hour, lamp, .. }: &HomeProps, events: HomeEvents) -> AnyView {
    let choice = |choice: HomeHour| hour_button(choice, if choice == *hour { "true" } else { "false" }, events);
    let hours = HomeHour::ALL.into_iter().map(choice).collect_view();
    view! {
        <div class="aspect-16/10">{light_on_shelf(lamp.lamp)}</div>
        <figcaption class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line bg-card px-5 py-3">
            <p role="status" class="grid min-w-0 gap-0.5">
                <code class="schedule-line">{lamp.rule.clone()}</code>
                <span class="text-sm text-muted">{lamp.meaning.clone()}</span>
            </p>
            <div role="group" aria-label="Time of day" class="flex rounded-field border border-line p-0.5 noscript:hidden">
                {hours}
            </div>
        </figcaption>
    }
    .into_any()
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

fn hour_button(hour: HomeHour, pressed: &'static str, events: HomeEvents) -> AnyView {
    view! {
        <button type="button" aria-pressed=pressed class="hour-choice" on:click=move |_| events.choose_hour.run(hour)>
            {hour.label()}
        </button>
    }
    .into_any()
}

fn light_on_shelf(lamp: Lamp) -> AnyView {
    let state = match lamp {
        Lamp::Off => "dark",
        Lamp::On => "glowing",
        Lamp::Blink => "blinking",
    };
    let label = format!("A small light, {state}, on a shelf at night");
    illustration(Illustration::Shelf, LampColor::Amber, lamp, Some(label))
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
    view! {
        <ol class="grid gap-x-8 gap-y-6 lg:grid-cols-3 lg:gap-y-4">
            {step("1. Plug it in", "It appears as a USB drive with one text file on it.", BESIDE, picture(plugged_in))}
            {step("2. Write your schedule", "One line for each thing it should do.", BELOW, sample_file())}
            {step("3. Save", "It joins your Wi-Fi, gets the time, and follows your schedule.", BESIDE, picture(running))}
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

/// On a phone a picture is small, and its text is beside it.
const BESIDE: &str = "setup-step max-sm:grid-cols-[8.5rem_1fr] max-sm:items-center";
const BELOW: &str = "setup-step";

fn picture(drawing: AnyView) -> AnyView {
    view! { <div class=format!("max-lg:aspect-4/3 lg:min-h-full {FIGURE}")>{drawing}</div> }.into_any()
}

fn step(title: &'static str, text: &'static str, layout: &'static str, picture: AnyView) -> AnyView {
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
