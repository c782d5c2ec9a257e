//! The page of a recipe: its lamp, its week and its file.

use std::sync::Arc;

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::Product;
use wasm_core::schedule::{Instant, Schedule};

use super::lamp::{Clock, OnShelf, recipe_lamp};
use super::recipe::{Recipe, data_url};
use crate::catalog::{HeadingLevel, product_grid};
use crate::schedule::describe;
use crate::schedule::state::Motion;
use crate::schedule::time_range::{Bars, TimeRange, Zoom};
use crate::ui::empty_state;

/// The name of the file on the light's drive.
const FILE_NAME: &str = "SCHEDULE.TXT";

/// Props of [`recipe_page`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct RecipeProps {
    pub slug: String,
    /// IANA name of the browser's time zone.
    pub zone: String,
    pub motion: Motion,
    /// Products to offer.
    pub products: Vec<Product>,
}

/// Days of the week that is drawn.
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const DAY: i64 = 86_400;
const CARD: &str = "overflow-hidden rounded-card border border-line bg-card shadow-card";

/// A recipe's page. `save_to_light` opens the dialog that saves a text to a light; on the server it does nothing.
pub fn recipe_page(
    recipe: &'static Recipe,
    zone: &str,
    products: &[Product],
    clock: Clock,
    save_to_light: Callback<String>,
) -> AnyView {
    let file = recipe.file(zone);
    let schedule = Arc::new(recipe.schedule(zone));
    let second = clock.second(schedule.clone());
    view! {
        <div class="wide">
            <p>
                <a href="/schedules" class="text-link inline-block py-1">
                    "All recipes"
                </a>
            </p>
            <h1 tabindex="-1" class="mt-2 text-4xl wrap-anywhere">
                {recipe.name()}
            </h1>
            <p class="mt-3 max-w-[60ch] text-lg text-muted">{recipe.summary()}</p>
            <div class="mt-6 grid grid-cols-1 items-start gap-x-10 gap-y-6 lg:grid-cols-2">
                <div class="grid min-w-0 gap-6">
                    {figure(schedule.clone(), second, clock)}
                    {week(schedule, second, clock)}
                </div>
                <div class="grid min-w-0 gap-5">{file_view(&file)} {actions(recipe, file, save_to_light)}</div>
            </div>
            {(!products.is_empty()).then(|| shop(products))}
        </div>
    }
    .into_any()
}

/// The page of a recipe that does not exist.
pub fn recipe_not_found() -> AnyView {
    let title = view! {
        <h1 tabindex="-1" class="text-3xl">
            "Recipe not found."
        </h1>
    };
    empty_state(title.into_any(), "It may have been renamed.", ("/schedules", "All recipes"))
}

fn figure(schedule: Arc<Schedule>, second: Memo<Instant>, clock: Clock) -> AnyView {
    let (now, then) = (schedule.clone(), schedule.clone());
    let light = Memo::new(move |_| describe::light(now.light_at(now.time_zone().local(second.get()))));
    let next = Memo::new(move |_| describe::next_change(&then, second.get()));
    view! {
        <figure class=CARD>
            <div class="aspect-16/9">{recipe_lamp(schedule, clock, OnShelf::Yes)}</div>
            <figcaption class="border-t border-line px-5 py-3">
                <strong data-testid="recipe-state">{move || light.get()}</strong>
                // The server does not know the visitor's time.
                <p class="min-h-[1lh] text-muted" data-testid="recipe-next">
                    {move || clock.is_running().then(|| next.get())}
                </p>
            </figcaption>
        </figure>
    }
    .into_any()
}

/// The light from Monday to Sunday, with a line at the present.
fn week(schedule: Arc<Schedule>, second: Memo<Instant>, clock: Clock) -> AnyView {
    let zone = schedule.time_zone();
    let today = second.get_untracked();
    let weekday = i64::from(zone.local(today).weekday());
    let monday = today.plus_seconds(weekday.saturating_mul(DAY).saturating_neg());
    let range = TimeRange::from(zone, monday, Zoom::Week);
    let bars = Bars::of(&schedule, &range);
    let view_box = format!("0 0 {} 100", range.length);
    let lines: String = range.marks.iter().map(|(at, _)| format!("M{at} 0v100")).collect();
    let names =
        DAYS.map(|day| view! { <span class="min-w-0 flex-1 truncate border-l border-line pl-1.5">{day}</span> });
    let present = move || {
        let at = range.position(second.get());
        view! {
            <path d=format!("M{at} 0v100") class="stroke-(--focus)" fill="none" stroke-width="2" vector-effect="non-scaling-stroke" />
        }
    };
    view! {
        <section class=CARD aria-label="The week">
            <svg viewBox=view_box preserveAspectRatio="none" aria-hidden="true" class="mt-2 block h-16 w-full">
                <path d=lines class="stroke-line" fill="none" stroke-width="1" vector-effect="non-scaling-stroke" />
                <path d=bars.on class="fill-glow forced-colors:fill-[Highlight]" />
                <path d=bars.blink class="fill-ink forced-colors:fill-[CanvasText]" />
                {clock.is_running().then_some(present)}
            </svg>
            <div aria-hidden="true" class="flex h-7 border-t border-line text-xs leading-7 text-muted">
                {names.collect_view()}
            </div>
            <p class="border-t border-line px-4 py-2 text-sm text-muted">
                "The week: "
                <span aria-hidden="true" class="lab-swatch bg-glow forced-colors:bg-[Highlight]"></span>
                " on "
                <span aria-hidden="true" class="lab-swatch bg-ink forced-colors:bg-[CanvasText]"></span>
                " blinking"
            </p>
        </section>
    }
    .into_any()
}

fn file_view(file: &str) -> AnyView {
    view! {
        <div class=CARD>
            <p class="flex items-center gap-2 border-b border-line px-4 py-2 font-mono text-sm text-muted">
                <span aria-hidden="true" class="size-2.5 rounded-full bg-glow"></span>
                {FILE_NAME}
            </p>
            <pre role="region" aria-label="The file" class="p-4 font-mono text-sm leading-6 whitespace-pre-wrap wrap-anywhere">
                {file.to_owned()}
            </pre>
        </div>
    }
    .into_any()
}

/// What to do with the file.
fn actions(recipe: &Recipe, file: String, save_to_light: Callback<String>) -> AnyView {
    let download = data_url(&file);
    view! {
        <div class="grid gap-3">
            <p class="flex flex-wrap gap-3">
                <button
                    type="button"
                    class="button-primary noscript:hidden"
                    on:click=move |_| save_to_light.run(file.clone())
                >
                    "Save to My Light"
                </button>
                <a href=recipe.lab_link() class="button-secondary">
                    "Open in the Lab"
                </a>
                <a href=download download=FILE_NAME class="button-secondary">
                    {format!("Download {FILE_NAME}")}
                </a>
            </p>
            <p class="text-sm text-muted">
                "After downloading the file, enter your Wi-Fi in it and copy it to your light’s drive. "
                <a href="/tutorial" class="text-link">
                    "The tutorial"
                </a>
                " shows how."
            </p>
        </div>
    }
    .into_any()
}

fn shop(products: &[Product]) -> AnyView {
    view! {
        <section class="mt-9 sm:mt-16">
            <h2 class="mb-5 text-2xl">"Lights for this schedule"</h2>
            {product_grid(products, HeadingLevel::H3)}
        </section>
    }
    .into_any()
}
