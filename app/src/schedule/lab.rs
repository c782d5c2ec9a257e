//! The Lab as a whole, and what its parts share.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::schedule::{Instant, TimeZone};

use super::editor::{Field, editor};
use super::examples::EXAMPLES;
use super::lamp::running_lamp;
use super::problems::problems;
use super::reading::Reading;
use super::reference::reference;
use super::rule_form::rule_form;
use super::timeline::timeline;
use super::week::{Stretch, Zoom};
use super::{say, share};
use crate::ui::{changing, row};

/// How often the lamp is looked at, in milliseconds: the fastest blink that is drawn has halves of 167.
const TICK: i64 = 50;

/// How much may move on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Motion {
    Full,
    /// Nothing blinks.
    Reduced,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct LabProps {
    /// The fragment of the page's address, in which rules may have been shared.
    pub fragment: String,
    /// The browser's time zone, by its IANA name.
    pub zone: String,
    pub motion: Motion,
}

#[derive(Clone, Copy)]
pub struct LabEvents {
    /// The time, in milliseconds since 1970.
    pub now: Callback<(), i64>,
    /// Saves a text as `schedule.txt`.
    pub download: Callback<String>,
    /// Puts the rules, a fragment, into the page's address and the clipboard; gives the whole link.
    pub share: Callback<String, String>,
}

/// What the parts of the Lab look at.
#[derive(Clone, Copy)]
pub(super) struct Lab {
    pub text: RwSignal<String>,
    pub reading: Memo<Arc<Reading>>,
    pub zoom: RwSignal<Zoom>,
    pub stretch: Memo<Stretch>,
    /// The moment that is looked at, to the second.
    pub second: Memo<Instant>,
    pub motion: Motion,
    /// The same in milliseconds; it goes on as time does.
    now_ms: RwSignal<i64>,
    /// A moment of the first day of the week that is shown, or of the day.
    day: RwSignal<Instant>,
    clock: Callback<(), i64>,
}

impl Lab {
    fn new(props: &LabProps, events: LabEvents) -> Self {
        let zone = if TimeZone::parse(&props.zone).is_some() { props.zone.as_str() } else { "UTC" };
        let first = EXAMPLES.first().map(|example| example.file(zone)).unwrap_or_default();
        let text = RwSignal::new(share::rules_in(&props.fragment).unwrap_or(first));
        let reading = Memo::new(move |_| Arc::new(text.with(|text| Reading::of(text))));
        let zoom = RwSignal::new(Zoom::Week);
        let now_ms = RwSignal::new(events.now.run(()));
        let day = RwSignal::new(Instant::from_unix_ms(now_ms.get_untracked()));
        let stretch = Memo::new(move |_| {
            reading.with(|reading| Stretch::from(reading.schedule.time_zone(), day.get(), zoom.get()))
        });
        let second = Memo::new(move |_| Instant::from_unix_seconds(now_ms.get().div_euclid(1000)));
        Self { text, reading, zoom, stretch, second, motion: props.motion, now_ms, day, clock: events.now }
    }

    pub fn now(self) -> Instant {
        Instant::from_unix_ms(self.now_ms.get())
    }

    /// `Fri 27 Nov, 14:30`
    pub fn moment(self) -> String {
        let local = self.reading.with(|reading| reading.schedule.time_zone().local(self.second.get()));
        let day = say::weekday(local).get(..3).unwrap_or_default();
        format!("{day} {}, {}", say::date(local), say::clock(local))
    }

    pub fn state(self) -> String {
        let second = self.second.get();
        self.reading.with(|reading| say::state(reading.schedule.light_at(reading.schedule.time_zone().local(second))))
    }

    /// Where the moment is in what is shown, in seconds.
    pub fn place(self) -> i64 {
        let second = self.second.get();
        self.stretch.with(|stretch| stretch.place(second))
    }

    pub fn move_to(self, place: i64) {
        let start = self.stretch.with_untracked(|stretch| stretch.start);
        self.now_ms.set(start.plus_seconds(place).unix_ms());
    }

    /// Later or earlier by seconds, up to the ends of what is shown.
    pub fn move_by(self, seconds: i64) {
        let second = self.second.get_untracked();
        let place = self.stretch.with_untracked(|stretch| {
            // The end is the next day already.
            let last = stretch.length.saturating_sub(1);
            stretch.place(second).saturating_add(seconds).clamp(0, last)
        });
        self.move_to(place);
    }

    pub fn zoom_to(self, zoom: Zoom) {
        let today = Instant::from_unix_ms(self.clock.run(()));
        let looked_at = self.second.get_untracked();
        self.zoom.set(zoom);
        match zoom {
            Zoom::Day => self.day.set(looked_at),
            Zoom::Week => self.day.set(today),
        }
        self.keep_in_sight(looked_at);
    }

    pub fn go_to_now(self) {
        self.go_to(self.clock.run(()));
    }

    pub fn go_to_next_change(self) {
        let second = self.second.get_untracked();
        let next = self.reading.with_untracked(|reading| reading.schedule.next_change(second));
        if let Some(next) = next {
            self.go_to(next.at.unix_ms());
        }
    }

    fn go_to(self, ms: i64) {
        self.now_ms.set(ms);
        self.keep_in_sight(Instant::from_unix_ms(ms));
    }

    fn keep_in_sight(self, instant: Instant) {
        if !self.stretch.with_untracked(|stretch| stretch.contains(instant)) {
            self.day.set(instant);
        }
    }

    /// Time goes on while the Lab is on the page.
    fn run(self) {
        let ticking = StoredValue::new(None::<IntervalHandle>);
        Effect::new(move || {
            let tick = move || self.now_ms.update(|now| *now = now.saturating_add(TICK));
            let handle = set_interval_with_handle(tick, Duration::from_millis(TICK.unsigned_abs()));
            ticking.set_value(handle.ok());
        });
        on_cleanup(move || {
            if let Some(handle) = ticking.try_update_value(Option::take).flatten() {
                handle.clear();
            }
        });
    }
}

/// A text on the left, what it does on the right.
pub fn schedule_lab(props: &LabProps, events: LabEvents) -> impl IntoView + use<> {
    let lab = Lab::new(props, events);
    let field = Field::new();
    lab.run();
    let open = Callback::new(move |text: String| field.write(lab, text, 0));
    view! {
        <div class="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
            <div class="grid grid-cols-1 gap-5">
                {examples(lab, open)}
                {editor(lab, field)}
                {problems(lab, field)}
                {away(lab, events)}
            </div>
            <div class="grid grid-cols-1 gap-5">
                {running_lamp(lab)}
                {timeline(lab)}
                {rule_form(lab, field)}
            </div>
            <div class="lg:col-span-2">{reference(open)}</div>
        </div>
    }
}

const EXAMPLE: &str = "min-h-9 rounded-full border border-edge px-4 text-sm font-medium hover:bg-line/50";

fn examples(lab: Lab, open: Callback<String>) -> AnyView {
    let buttons = EXAMPLES.map(|example| {
        let start = move |_| {
            let zone = lab.reading.with_untracked(|reading| reading.schedule.time_zone().name().to_owned());
            open.run(example.file(&zone));
        };
        view! {
            <button type="button" class=EXAMPLE on:click=start>
                {example.name}
            </button>
        }
        .into_any()
    });
    view! {
        <div role="group" aria-label="Examples to start from" class="flex flex-wrap items-center gap-2">
            <span class="text-sm text-muted">"Start from"</span>
            {row(buttons)}
        </div>
    }
    .into_any()
}

/// What can be taken away: the file, or a link to its rules.
fn away(lab: Lab, events: LabEvents) -> AnyView {
    let link = RwSignal::new(None::<String>);
    let share = move |_| {
        let fragment = lab.reading.with_untracked(|reading| share::fragment(&reading.schedule));
        link.set(Some(events.share.run(fragment)));
    };
    view! {
        <div class="grid gap-3">
            <div class="flex flex-wrap gap-3">
                <button type="button" class="button-primary" on:click=move |_| events.download.run(lab.text.get_untracked())>
                    "Download schedule.txt"
                </button>
                <button type="button" class="button-secondary" on:click=share>
                    "Share by link"
                </button>
            </div>
            <div role="status">{changing(move || row(link.get().map(shared)))}</div>
            <p class="text-sm text-muted">
                "What you write stays in this page. A link holds the rules and the time zone, never your wifi."
            </p>
        </div>
    }
    .into_any()
}

fn shared(link: String) -> AnyView {
    view! {
        <label class="grid gap-1 text-sm font-medium">
            "The link to these rules, also in your clipboard if your browser allows that"
            <input readonly class="min-h-11 w-full rounded-field border border-edge bg-card px-3 font-mono" value=link />
        </label>
    }
    .into_any()
}
