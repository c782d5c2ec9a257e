//! The page of all recipes: a wall of small lamps that follow them.

use std::sync::Arc;

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::schedule::Instant;

use super::lamp::{Clock, OnShelf, recipe_lamp};
use super::recipe::{GROUPS, Group, Recipe};
use crate::schedule::describe;
use crate::schedule::parsed_text::ParsedText;
use crate::schedule::state::Motion;

/// Props of [`recipe_wall`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct WallProps {
    /// IANA name of the browser's time zone.
    pub zone: String,
    pub motion: Motion,
}

const TILES: &str = "grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3 sm:gap-5 lg:grid-cols-4";
const STATE: &str =
    "absolute bottom-2 left-2 rounded-full border border-line bg-card px-2.5 text-sm font-medium tabular-nums";

/// The wall. The lamps follow the clock that they share.
pub fn recipe_wall(zone: &str, clock: Clock) -> AnyView {
    view! {
        <div class="wide">
            <h1 tabindex="-1" class="text-4xl">
                "Schedule Recipes"
            </h1>
            <p class="mt-3 max-w-[60ch] text-lg text-muted">
                "Ready-made schedules for your light. Each lamp below follows its schedule in your local time. Pick one, adjust the times in the "
                <a href="/schedule-lab" class="text-link">
                    "Schedule Lab"
                </a>
                " if you like, and save it to your light."
            </p>
            {controls(zone, clock)}
            {GROUPS.iter().map(|group| section(group, zone, clock)).collect_view()}
        </div>
    }
    .into_any()
}

const BUTTON: &str =
    "min-h-9 rounded-full border border-edge px-4 text-sm font-medium hover:bg-line/50 aria-pressed:bg-line";

/// What moves by itself can be stopped (WCAG 2.2.2). The server renders the buttons, too, so that nothing moves later.
fn controls(zone: &str, clock: Clock) -> AnyView {
    let zone = Arc::new(ParsedText::of(&format!("timezone = {zone}")).schedule);
    let second = clock.second(zone.clone());
    let time = move || {
        let minute = Instant::from_unix_seconds(second.get().unix_seconds().div_euclid(60).saturating_mul(60));
        clock.is_playing().then(|| describe::clock_digits(zone.time_zone().local(minute)))
    };
    let play = (clock.motion == Motion::Full).then(|| {
        view! {
            <button type="button" class=BUTTON on:click=move |_| clock.play_day()>
                "Play a Day in Ten Seconds"
            </button>
        }
    });
    view! {
        <div class="mt-4 flex flex-wrap items-center gap-2 noscript:hidden">
            <button
                type="button"
                class=BUTTON
                aria-pressed=move || clock.is_paused.get().to_string()
                on:click=move |_| clock.is_paused.update(|paused| *paused = !*paused)
            >
                "Pause the Lamps"
            </button>
            {play}
            <span class="font-mono text-sm text-muted tabular-nums" data-testid="recipe-time">
                {time}
            </span>
        </div>
    }
    .into_any()
}

fn section(group: &'static Group, zone: &str, clock: Clock) -> AnyView {
    view! {
        <section class="mt-9 sm:mt-12">
            <h2 class="mb-4 text-2xl">{group.name}</h2>
            <ul class=TILES>{group.recipes.iter().map(|recipe| tile(recipe, zone, clock)).collect_view()}</ul>
        </section>
    }
    .into_any()
}

/// The whole tile is clickable, but its only link is the name.
fn tile(recipe: &'static Recipe, zone: &str, clock: Clock) -> AnyView {
    let schedule = Arc::new(recipe.schedule(zone));
    let second = clock.second(schedule.clone());
    let light = {
        let schedule = schedule.clone();
        Memo::new(move |_| describe::light_until(&schedule, second.get()))
    };
    view! {
        <li>
            <article class="product-card flex-col">
                <div class="relative aspect-4/3 overflow-hidden">
                    {recipe_lamp(schedule, clock, OnShelf::No)}
                    <p class=STATE data-testid="recipe-state">
                        {move || light.get()}
                    </p>
                </div>
                <div class="grow p-3.5 sm:p-4">
                    <h3 class="wrap-anywhere sm:text-lg">
                        <a href=recipe.path class="outline-none after:absolute after:inset-0">
                            {recipe.name()}
                        </a>
                    </h3>
                    <p class="mt-1 text-sm text-muted">{recipe.summary()}</p>
                </div>
            </article>
        </li>
    }
    .into_any()
}
