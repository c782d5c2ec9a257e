//! The hero of the home page: a lamp that follows a line of text.

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::LampColor;

use crate::ui::{Daypart, Illustration, Lamp, Level, illustration};

/// How fast the lamp of the hero blinks: a stylesheet has few speeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum BlinkSpeed {
    #[default]
    Slow,
    Fast,
}

impl BlinkSpeed {
    /// The value of `data-speed`, which the stylesheet selects by.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Slow => "slow",
            Self::Fast => "fast",
        }
    }
}

/// The line that the hero's lamp follows, and the part of the day that the visitor chose. Without it, the lamp is shown
/// when the line lights it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct HeroLine {
    pub line: String,
    pub daypart: Option<Daypart>,
}

/// State of the lamp in the hero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct LampState {
    /// The part of the day that is shown.
    pub daypart: Daypart,
    pub lamp: Lamp,
    pub level: Level,
    pub speed: BlinkSpeed,
    /// What the light does, in words.
    pub meaning: String,
    /// Why a light would skip the line as it was typed.
    pub problem: Option<String>,
    /// The line that the lamp follows in its place.
    pub fix: Option<String>,
}

impl Default for LampState {
    /// The first example.
    fn default() -> Self {
        Self {
            daypart: Daypart::Dusk,
            lamp: Lamp::On,
            level: Level::Middle,
            speed: BlinkSpeed::Slow,
            meaning: "On at 40% until 11 PM.".to_owned(),
            problem: None,
            fix: None,
        }
    }
}

/// Lines to try in the hero. The server renders the first one.
pub const HERO_EXAMPLES: [(&str, &str); 4] = [
    ("Cozy evening", "on 18:00-23:00 40%"),
    ("Stand up", "blink every 30m 09:00-17:00 for 10s"),
    ("Take a pill", "blink 08:00 for 5m fast"),
    ("Wake up", "on 06:30-07:00 weekdays"),
];

/// Longest line that can be typed in the hero, in characters.
const MAX_LINE: &str = "120";

/// Callbacks of [`hero_lamp_figure`].
#[derive(Clone, Copy)]
pub struct HeroEvents {
    /// Shows the room at a part of the day.
    pub choose_daypart: Callback<Daypart>,
    /// The line in the editor was changed, or an example was chosen.
    pub change_line: Callback<String>,
    /// The visitor goes on to the products with this line.
    pub take_home: Callback<String>,
}

impl Default for HeroEvents {
    /// Ignores every event, as the server does.
    fn default() -> Self {
        Self {
            choose_daypart: Callback::new(|_| ()),
            change_line: Callback::new(|_| ()),
            take_home: Callback::new(|_| ()),
        }
    }
}

const FIGURE: &str = "overflow-hidden rounded-card border border-line bg-card shadow-card";
const FIELD: &str = "min-h-12 w-full rounded-field border border-edge bg-card px-3 font-mono text-base";
const EXAMPLE: &str =
    "min-h-9 rounded-full border border-edge px-3 text-sm font-medium hover:bg-line/50 aria-pressed:bg-line";

/// The lamp in its room, with the line that it follows. `shop` is where the light can be bought.
pub fn hero_lamp_figure(line: Memo<String>, lamp: Memo<LampState>, shop: Memo<String>, events: HeroEvents) -> AnyView {
    let picture = Memo::new(move |_| lamp.with(|state| (state.daypart, state.lamp)));
    view! {
        <figure class=FIGURE>
            <div
                class="relative aspect-16/10 lab-lamp"
                data-level=move || lamp.with(|state| state.level.as_str())
                data-speed=move || lamp.with(|state| state.speed.as_str())
            >
                {move || light_on_shelf(picture.get())}
            </div>
            <figcaption class="grid gap-3 border-t border-line px-4 py-4 sm:px-5">
                <div class="grid gap-1.5 noscript:hidden">
                    <label for="hero-line" class="text-sm font-medium">
                        "Write a line. The light obeys."
                    </label>
                    <input
                        id="hero-line"
                        name="line"
                        class=FIELD
                        maxlength=MAX_LINE
                        spellcheck="false"
                        autocomplete="off"
                        autocapitalize="off"
                        enterkeyhint="done"
                        aria-describedby="hero-meaning"
                        value=line.get_untracked()
                        prop:value=move || line.get()
                        on:input=move |event| events.change_line.run(event_target_value(&event))
                    />
                </div>
                <code class="schedule-line hidden noscript:block">{line.get_untracked()}</code>
                <div id="hero-meaning" role="status" class="grid gap-1">
                    <p class="font-medium">{move || lamp.with(|state| state.meaning.clone())}</p>
                    {move || lamp.with(|state| advice(state, events))}
                </div>
                <div role="group" aria-label="Examples" class="flex flex-wrap gap-2 noscript:hidden">
                    {HERO_EXAMPLES.into_iter().map(|(name, example)| example_button(name, example, line, events)).collect_view()}
                </div>
                <div class="flex flex-wrap items-center justify-between gap-3">
                    <div role="group" aria-label="Time of day" class="flex rounded-field border border-line p-0.5 noscript:hidden">
                        {Daypart::ALL.into_iter().map(|daypart| daypart_button(daypart, lamp, events)).collect_view()}
                    </div>
                    <a href=move || shop.get() class="button-secondary max-sm:w-full" on:click=move |_| events.take_home.run(kept(line, lamp))>
                        "Take this light home"
                    </a>
                </div>
            </figcaption>
        </figure>
    }
    .into_any()
}

/// The line that goes home: what the lamp follows.
fn kept(line: Memo<String>, lamp: Memo<LampState>) -> String {
    lamp.with_untracked(|state| state.fix.clone()).unwrap_or_else(|| line.get_untracked())
}

fn light_on_shelf((daypart, lamp): (Daypart, Lamp)) -> AnyView {
    let state = match lamp {
        Lamp::Off => "dark",
        Lamp::On => "glowing",
        Lamp::Blink => "blinking",
    };
    let setting = Illustration::Shelf(daypart);
    let label = format!("A small light, {state}. {}.", setting.label());
    illustration(setting, LampColor::Amber, lamp, Some(label))
}

/// What is wrong with the line, and the line that the lamp follows in its place.
fn advice(state: &LampState, events: HeroEvents) -> Option<AnyView> {
    let problem = state.problem.clone()?;
    let Some(fix) = state.fix.clone() else {
        return Some(view! { <p class="text-sm text-bad">{problem}</p> }.into_any());
    };
    let line = fix.clone();
    let view = view! {
        <p class="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            "In your file: "
            <code class="schedule-line">{fix}</code>
            <button type="button" class="text-link min-h-6" on:click=move |_| events.change_line.run(line.clone())>
                "Use it"
            </button>
        </p>
    };
    Some(view.into_any())
}

fn example_button(name: &'static str, example: &'static str, line: Memo<String>, events: HeroEvents) -> AnyView {
    view! {
        <button
            type="button"
            class=EXAMPLE
            aria-pressed=move || line.with(|line| line == example).to_string()
            on:click=move |_| events.change_line.run(example.to_owned())
        >
            {name}
        </button>
    }
    .into_any()
}

fn daypart_button(daypart: Daypart, lamp: Memo<LampState>, events: HeroEvents) -> AnyView {
    view! {
        <button
            type="button"
            class="hour-choice"
            aria-pressed=move || lamp.with(|state| state.daypart == daypart).to_string()
            on:click=move |_| events.choose_daypart.run(daypart)
        >
            {daypart.label()}
        </button>
    }
    .into_any()
}
