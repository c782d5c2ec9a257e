//! State of the Lab.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::schedule::{Instant, TimeZone};

use super::examples::EXAMPLES;
use super::fast_forward::{STEP, TICK};
use super::parsed_text::ParsedText;
use super::recipes::Recipe;
use super::time_range::{TimeRange, Zoom};
use super::{describe, share};

/// The `prefers-reduced-motion` setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Motion {
    Full,
    /// The lamp does not blink.
    Reduced,
}

/// Props of [`schedule_lab`](super::schedule_lab).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct LabProps {
    /// The URL's fragment, which may contain a shared schedule or name a recipe.
    pub fragment: String,
    /// The line that the visitor wrote on the home page.
    pub line: Option<String>,
    /// The text that was written in the Lab before.
    pub saved: Option<String>,
    /// IANA name of the browser's time zone.
    pub zone: String,
    pub motion: Motion,
}

/// Callbacks of [`schedule_lab`](super::schedule_lab): what the Lab needs from the browser.
#[derive(Clone, Copy)]
pub struct LabEvents {
    /// The current Unix time in milliseconds.
    pub now: Callback<(), i64>,
    /// Opens the dialog that saves a text to a light.
    pub save_to_light: Callback<String>,
    /// Downloads a text as `schedule.txt`.
    pub download: Callback<String>,
    /// Saves the text for the next visit.
    pub save_text: Callback<String>,
    /// Writes a fragment to the page's URL and the clipboard, and returns the link.
    pub share: Callback<String, String>,
}

/// The text before and after a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Replaced {
    before: String,
    after: String,
}

/// State of the Lab, shared by its views.
#[derive(Clone, Copy)]
pub struct Lab {
    pub text: RwSignal<String>,
    pub parsed: Memo<Arc<ParsedText>>,
    pub zoom: RwSignal<Zoom>,
    pub range: Memo<TimeRange>,
    /// The selected moment, to the second.
    pub second: Memo<Instant>,
    pub motion: Motion,
    /// The selected moment in milliseconds. It advances with the clock.
    now_ms: RwSignal<i64>,
    /// A moment of the minute, the day or the first day of the week that is shown.
    shown: RwSignal<Instant>,
    clock: Callback<(), i64>,
    /// Clock time of the last tick.
    ticked_at: StoredValue<i64>,
    /// The last replacement. *Undo* is offered until the new text is edited.
    replaced: RwSignal<Option<Replaced>>,
    /// The end of the day that is played, in milliseconds.
    plays_until: RwSignal<Option<i64>>,
}

impl Lab {
    pub fn new(props: &LabProps, events: LabEvents) -> Self {
        let zone = if TimeZone::parse(&props.zone).is_some() { props.zone.as_str() } else { "UTC" };
        let first = EXAMPLES.first().map(|example| example.file(zone)).unwrap_or_default();
        let own = props.line.as_ref().map(|line| format!("timezone = {zone}\n\n{line}\n"));
        let linked = share::decode_fragment(&props.fragment)
            .or_else(|| Recipe::of_fragment(&props.fragment).map(|recipe| recipe.file(zone)));
        let opened = linked.or(own);
        let before = props.saved.clone().zip(opened.clone()).filter(|(before, after)| before != after);
        let replaced = RwSignal::new(before.map(|(before, after)| Replaced { before, after }));
        let text = RwSignal::new(opened.or_else(|| props.saved.clone()).unwrap_or(first));
        let own_zone = zone.to_owned();
        let parsed = Memo::new(move |_| Arc::new(text.with(|text| ParsedText::with_zone(text, &own_zone))));
        let zoom = RwSignal::new(Zoom::Week);
        let opened_at = events.now.run(());
        let now_ms = RwSignal::new(opened_at);
        let shown = RwSignal::new(Instant::from_unix_ms(now_ms.get_untracked()));
        let range = Memo::new(move |_| {
            parsed.with(|parsed| TimeRange::from(parsed.schedule.time_zone(), shown.get(), zoom.get()))
        });
        let second = Memo::new(move |_| Instant::from_unix_seconds(now_ms.get().div_euclid(1000)));
        let plays_until = RwSignal::new(None);
        Self {
            text,
            parsed,
            zoom,
            range,
            second,
            motion: props.motion,
            now_ms,
            shown,
            clock: events.now,
            ticked_at: StoredValue::new(opened_at),
            replaced,
            plays_until,
        }
    }

    /// Records the current text for *Undo*.
    pub fn will_replace(self, after: &str) {
        let before = self.text.get_untracked();
        self.replaced.set((before != after).then(|| Replaced { before, after: after.to_owned() }));
    }

    /// The text that *Undo* brings back.
    pub fn undo_text(self) -> Option<String> {
        let replaced = self.replaced.get()?;
        self.text.with(|text| *text == replaced.after).then_some(replaced.before)
    }

    pub fn now(self) -> Instant {
        Instant::from_unix_ms(self.now_ms.get())
    }

    /// The hour of the selected moment, from 0 to 23.
    pub fn hour(self) -> u32 {
        self.parsed.with(|parsed| parsed.schedule.time_zone().local(self.second.get())).second_of_day() / 3_600
    }

    /// `Fri Nov 27, 2:30 PM`
    pub fn moment(self) -> String {
        let local = self.parsed.with(|parsed| parsed.schedule.time_zone().local(self.second.get()));
        let day = describe::weekday(local).get(..3).unwrap_or_default();
        format!("{day} {}, {}", describe::date(local), describe::clock_digits(local))
    }

    pub fn light(self) -> String {
        let second = self.second.get();
        self.parsed.with(|parsed| describe::light(parsed.schedule.light_at(parsed.schedule.time_zone().local(second))))
    }

    pub fn next_change(self) -> String {
        let second = self.second.get();
        self.parsed.with(|parsed| describe::next_change(&parsed.schedule, second))
    }

    /// Position of the moment in the range, in seconds.
    pub fn position(self) -> i64 {
        let second = self.second.get();
        self.range.with(|range| range.position(second))
    }

    /// Selects a position, clamped to the range: its end belongs to the next one.
    pub fn move_to(self, position: i64) {
        self.plays_until.set(None);
        let moment = self.range.with_untracked(|range| {
            let last = range.length.saturating_sub(1);
            range.start.plus_seconds(position.clamp(0, last))
        });
        self.now_ms.set(moment.unix_ms());
    }

    /// Moves by seconds, clamped to the range.
    pub fn move_by(self, seconds: i64) {
        let second = self.second.get_untracked();
        let position = self.range.with_untracked(|range| range.position(second));
        self.move_to(position.saturating_add(seconds));
    }

    pub fn zoom_to(self, zoom: Zoom) {
        let today = Instant::from_unix_ms(self.clock.run(()));
        let selected = self.second.get_untracked();
        self.zoom.set(zoom);
        match zoom {
            Zoom::Week => self.shown.set(today),
            Zoom::Day => self.shown.set(selected),
            Zoom::Minute => {
                // A tick of a played day is longer than a minute.
                self.plays_until.set(None);
                self.shown.set(selected);
            }
        }
        self.scroll_to(selected);
    }

    pub fn go_to_now(self) {
        let now = self.clock.run(());
        self.ticked_at.set_value(now);
        self.go_to(now);
    }

    pub fn go_to_next_change(self) {
        let second = self.second.get_untracked();
        let next = self.parsed.with_untracked(|parsed| parsed.schedule.next_change(second));
        if let Some(next) = next {
            self.go_to(next.at.unix_ms());
        }
    }

    pub fn is_playing(self) -> bool {
        self.plays_until.get().is_some()
    }

    /// Plays the selected day from its start, in ten seconds. Then it is now.
    pub fn play_day(self) {
        let second = self.second.get_untracked();
        let day = self.parsed.with_untracked(|parsed| TimeRange::from(parsed.schedule.time_zone(), second, Zoom::Day));
        if self.zoom.get_untracked() == Zoom::Minute {
            self.zoom_to(Zoom::Day);
        }
        self.go_to(day.start.unix_ms());
        self.plays_until.set(Some(day.start.plus_seconds(day.length).unix_ms()));
    }

    /// Follows the clock: in a background page ticks are late, and while the computer sleeps there are none. A clock that
    /// is set back moves the present, but not a moment that the visitor selected.
    fn advance(self) {
        let (now, before) = (self.clock.run(()), self.ticked_at.get_value());
        self.ticked_at.set_value(now);
        match self.plays_until.get_untracked() {
            None => {
                let elapsed = now.saturating_sub(before);
                let is_present = self.now_ms.get_untracked() == before;
                let step = if is_present { elapsed } else { elapsed.max(0) };
                self.now_ms.update(|moment| *moment = moment.saturating_add(step));
                self.scroll_to(self.second.get_untracked());
            }
            Some(end) if self.now_ms.get_untracked().saturating_add(STEP) < end => {
                self.now_ms.update(|moment| *moment = moment.saturating_add(STEP));
            }
            Some(_) => self.go_to_now(),
        }
    }

    fn go_to(self, ms: i64) {
        self.plays_until.set(None);
        self.now_ms.set(ms);
        self.scroll_to(Instant::from_unix_ms(ms));
    }

    fn scroll_to(self, instant: Instant) {
        if !self.range.with_untracked(|range| range.contains(instant)) {
            self.shown.set(instant);
        }
    }

    /// Advances the time until the Lab is unmounted.
    pub fn run(self) {
        let ticking = StoredValue::new(None::<IntervalHandle>);
        Effect::new(move || {
            let handle = set_interval_with_handle(move || self.advance(), Duration::from_millis(TICK.unsigned_abs()));
            ticking.set_value(handle.ok());
        });
        on_cleanup(move || {
            if let Some(handle) = ticking.try_update_value(Option::take).flatten() {
                handle.clear();
            }
        });
    }
}
