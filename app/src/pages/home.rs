use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::{LampColor, Product};

use crate::catalogue::{HeadingLevel, product_grid};
use crate::ui::classes::EYEBROW;
use crate::ui::{Illustration, Lamp, illustration, sample_file};

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
    fn default() -> Self {
        Self { lamp: Lamp::On, rule: "on 00:00-24:00".to_owned(), meaning: "Lit day and night.".to_owned() }
    }
}

/// Props of [`home_page`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct HomeProps {
    pub shop_name: String,
    pub products: Vec<Product>,
    pub lamp: LampState,
}

const HIGHLIGHTS: [(&str, &str, &str); 3] = [
    (
        "schedule.txt",
        "One text file",
        "Write when it should light up, in plain words, with any text editor. Save the file. That’s all there is to learn.",
    ),
    (
        "07:00:00",
        "Always on time",
        "It gets the time over Wi-Fi, so it stays accurate, even when daylight saving time starts or ends.",
    ),
    (
        "0 apps",
        "Nothing else",
        "No app, no account, no sound. Once it’s set up, it needs only a USB port and stays out of your way.",
    ),
];

const FIGURE: &str = "overflow-hidden rounded-card border border-line shadow-card";
const SECTION: &str = "mt-16 sm:mt-20";

/// The home page: the light, its highlights, the products and the setup.
pub fn home_page(props: Signal<HomeProps>) -> AnyView {
    view! {
        <div class="wide">
            {hero(props)}
            <section aria-label="Highlights" class=format!("{SECTION} grid gap-8 border-y border-line py-10 md:grid-cols-3")>
                {HIGHLIGHTS.into_iter().map(highlight).collect_view()}
            </section>
            <section class=SECTION>
                <h2 class="mb-6 text-3xl">"Our lights"</h2>
                {move || props.with(|props| product_grid(&props.products, HeadingLevel::H3))}
            </section>
            <section class=SECTION>
                <h2 class="mb-6 text-3xl">"Set up in three steps"</h2>
                {steps()}
            </section>
        </div>
    }
    .into_any()
}

fn hero(props: Signal<HomeProps>) -> AnyView {
    view! {
        <section class="grid items-center gap-8 lg:grid-cols-[1fr_1.25fr] lg:gap-14">
            <div>
                <h1 tabindex="-1" class="text-4xl sm:text-5xl lg:text-6xl">
                    "Welcome to "
                    {move || props.with(|props| props.shop_name.clone())}
                </h1>
                <p class="mt-5 max-w-[34ch] text-xl text-muted">
                    "A small light for your USB port. It turns on or blinks on your schedule, so you don’t have to remember."
                </p>
                <p class="mt-8 flex flex-wrap gap-3">
                    <a href="/products" class="button-primary">
                        "Shop lights"
                    </a>
                    <a href="/about" class="button-secondary">
                        "How it works"
                    </a>
                </p>
            </div>
            <figure class=FIGURE>
                <div class="aspect-4/3 sm:aspect-16/10">
                    {move || light_on_shelf(props.with(|props| props.lamp.lamp))}
                </div>
                <figcaption class="grid gap-0.5 border-t border-line bg-card px-5 py-3">
                    <code class=EYEBROW>{move || props.with(|props| props.lamp.rule.clone())}</code>
                    <span class="text-sm text-muted">{move || props.with(|props| props.lamp.meaning.clone())}</span>
                </figcaption>
            </figure>
        </section>
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

fn highlight((token, title, text): (&'static str, &'static str, &'static str)) -> AnyView {
    view! {
        <div>
            <p class=EYEBROW>{token}</p>
            <h2 class="mt-2 text-xl">{title}</h2>
            <p class="mt-2 text-muted">{text}</p>
        </div>
    }
    .into_any()
}

fn steps() -> AnyView {
    let plugged_in = illustration(Illustration::Laptop, LampColor::Amber, Lamp::Off, None);
    let running = illustration(Illustration::Front, LampColor::Amber, Lamp::On, None);
    view! {
        <ol class="grid gap-x-8 gap-y-8 lg:grid-cols-3 lg:gap-y-4">
            {step("1. Plug it in", "It appears as a USB drive with one text file on it.", picture(plugged_in))}
            {step("2. Write your schedule", "One line for each thing it should do.", sample_file())}
            {step("3. Save", "It joins your Wi-Fi, gets the time, and follows your schedule.", picture(running))}
        </ol>
        <p class="mt-6 text-lg">
            "Setup takes a few minutes. "
            <a href="/tutorial" class="text-link">
                "The tutorial"
            </a>
            " walks you through it."
        </p>
    }
    .into_any()
}

fn picture(drawing: AnyView) -> AnyView {
    view! { <div class=format!("max-lg:aspect-4/3 lg:min-h-full {FIGURE}")>{drawing}</div> }.into_any()
}

fn step(title: &'static str, text: &'static str, picture: AnyView) -> AnyView {
    view! {
        <li class="grid gap-x-8 gap-y-4 sm:max-lg:grid-cols-2 sm:max-lg:items-center lg:row-span-2 lg:grid-rows-subgrid">
            {picture}
            <div>
                <h3 class="text-xl">{title}</h3>
                <p class="mt-1 text-muted">{text}</p>
            </div>
        </li>
    }
    .into_any()
}
