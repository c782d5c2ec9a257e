use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::{LampColor, Product};

use crate::catalogue::{NameIs, product_grid};
use crate::ui::classes::EYEBROW;
use crate::ui::{Lamp, Part, Props, Scene, changing, drawn_light, part, row, sample_file, still, text};

/// The lamp of the drawing, and the line of a schedule that makes it do so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct LampShown {
    pub lamp: Lamp,
    /// As it stands in the file.
    pub rule: String,
    /// What that means, in words.
    pub meaning: String,
}

impl Default for LampShown {
    fn default() -> Self {
        Self { lamp: Lamp::On, rule: "on 00:00-24:00".to_owned(), meaning: "Lit day and night.".to_owned() }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct HomeProps {
    pub shop_name: String,
    pub products: Vec<Product>,
    pub shown: LampShown,
}

const FACTS: [(&str, &str, &str); 3] = [
    (
        "schedule.txt",
        "One text file",
        "Write when it should light up, in plain words, with any editor, and save. There is nothing else to learn.",
    ),
    (
        "07:00:00",
        "On time by itself",
        "It asks for the time over wifi, so it stays exact, also on the two nights a year when the clocks change.",
    ),
    (
        "0 apps",
        "And nothing else",
        "No app, no account, no sound. After the setup it needs a USB port and is quiet until it has something to say.",
    ),
];

const FIGURE: &str = "overflow-hidden rounded-card border border-line shadow-card";
const SECTION: &str = "mt-16 sm:mt-20";

/// The first page: the light, what it does, what is for sale, how it is set up.
pub fn home_page(props: Props<HomeProps>) -> impl Part {
    let shop_name = text(move || props.with(|props| props.shop_name.clone()));
    let rule = text(move || props.with(|props| props.shown.rule.clone()));
    let meaning = text(move || props.with(|props| props.shown.meaning.clone()));
    let products = move || props.with(|props| product_grid(&props.products, NameIs::H3));
    part(view! {
        <div class="wide">
            <section class="grid items-center gap-8 lg:grid-cols-[1fr_1.25fr] lg:gap-14">
                <div>
                    <h1 tabindex="-1" class="text-4xl sm:text-5xl lg:text-6xl">
                        "Welcome to "
                        {shop_name}
                    </h1>
                    <p class="mt-5 max-w-[34ch] text-xl text-muted">
                        "A small light for your USB port. It turns on or blinks when you asked it to, so that you don’t have to remember."
                    </p>
                    <p class="mt-8 flex flex-wrap gap-3">
                        <a href="/products" class="button-primary">
                            "See the lights"
                        </a>
                        <a href="/about" class="button-secondary">
                            "How it works"
                        </a>
                    </p>
                </div>
                <figure class=FIGURE>
                    <div class="aspect-4/3 sm:aspect-16/10">
                        {changing(move || light_on_shelf(props.with(|props| props.shown.lamp)))}
                    </div>
                    <figcaption class="grid gap-0.5 border-t border-line bg-card px-5 py-3">
                        <code class=EYEBROW>{rule}</code>
                        <span class="text-sm text-muted">{meaning}</span>
                    </figcaption>
                </figure>
            </section>
            <section aria-label="Three facts" class=format!("{SECTION} grid gap-8 border-y border-line py-10 md:grid-cols-3")>
                {row(FACTS.map(fact))}
            </section>
            <section class=SECTION>
                <h2 class="mb-6 text-3xl">"The lights"</h2>
                {changing(products)}
            </section>
            <section class=SECTION>
                <h2 class="mb-6 text-3xl">"Set up in three steps"</h2>
                {steps()}
            </section>
        </div>
    })
}

/// The drawing and its name are of the same lamp.
fn light_on_shelf(lamp: Lamp) -> impl Part + use<> {
    let doing = match lamp {
        Lamp::Off => "dark",
        Lamp::On => "glowing",
        Lamp::Blink => "blinking",
    };
    drawn_light(
        Scene::Shelf,
        LampColor::Amber,
        lamp.still(),
        Some(format!("A small light, {doing}, on a shelf at night")),
    )
}

fn fact((token, title, text): (&str, &str, &str)) -> impl Part + use<> {
    still(format!(
        r#"<div><p class="{EYEBROW}">{token}</p><h2 class="mt-2 text-xl">{title}</h2><p class="mt-2 text-muted">{text}</p></div>"#
    ))
}

fn steps() -> impl Part {
    let plugged_in = drawn_light(Scene::Laptop, LampColor::Amber, Lamp::Off.still(), None);
    let at_work = drawn_light(Scene::Front, LampColor::Amber, Lamp::On.still(), None);
    part(view! {
        <ol class="grid gap-x-8 gap-y-8 lg:grid-cols-3 lg:gap-y-4">
            {step("1. Plug it in", "It appears as a USB drive with one text file on it.", picture(plugged_in))}
            {step("2. Write your times", "One line for each thing it should do.", sample_file())}
            {step("3. Save", "It joins your wifi, asks for the time, and does what the file says.", picture(at_work))}
        </ol>
        <p class="mt-6 text-lg">
            "A few minutes, once. "
            <a href="/tutorial" class="text-link">
                "The tutorial"
            </a>
            " shows each step."
        </p>
    })
}

fn picture(drawing: impl Part) -> impl Part {
    part(view! { <div class=format!("max-lg:aspect-4/3 lg:min-h-full {FIGURE}")>{drawing}</div> })
}

fn step(title: &'static str, text: &'static str, picture: impl Part) -> impl Part {
    part(view! {
        <li class="grid gap-x-8 gap-y-4 sm:max-lg:grid-cols-2 sm:max-lg:items-center lg:row-span-2 lg:grid-rows-subgrid">
            {picture}
            {still(format!(r#"<div><h3 class="text-xl">{title}</h3><p class="mt-1 text-muted">{text}</p></div>"#))}
        </li>
    })
}
