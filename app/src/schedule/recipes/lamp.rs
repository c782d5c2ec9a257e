//! A lamp that follows a recipe.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::LampColor;
use wasm_core::schedule::{Instant, LocalTime, Schedule};

use crate::schedule::fast_forward::{self, DAY_MS, STEP, TICK};
use crate::schedule::hero_lamp;
use crate::schedule::lamp::brightness;
use crate::schedule::state::Motion;
use crate::ui::{Daypart, Illustration, Lamp, Level, live_illustration};

/// The time that the lamps of a page share, with one timer for all of them. On the server there is none: each lamp shows
/// what it does at its next light, at a fixed moment, because the page is cached.
#[derive(Clone, Copy)]
pub struct Clock {
    now_ms: Option<RwSignal<i64>>,
    pub motion: Motion,
    /// The visitor stops the lamps.
    pub is_paused: RwSignal<bool>,
    /// When the day that is played ends, in milliseconds.
    plays_until: RwSignal<Option<i64>>,
}

impl Clock {
    #[must_use]
    pub fn stopped() -> Self {
        let (is_paused, plays_until) = (RwSignal::new(false), RwSignal::new(None));
        Self { now_ms: None, motion: Motion::Full, is_paused, plays_until }
    }

    /// A clock that runs until its owner is disposed of. `now` is the visitor's clock.
    #[must_use]
    pub fn running(now: Callback<(), i64>, motion: Motion) -> Self {
        let now_ms = RwSignal::new(now.run(()));
        let clock = Self { now_ms: Some(now_ms), motion, ..Self::stopped() };
        // Without motion, a lamp changes by the second.
        let every = match motion {
            Motion::Full => Duration::from_millis(TICK.unsigned_abs()),
            Motion::Reduced => Duration::from_secs(1),
        };
        let ticking = StoredValue::new(None::<IntervalHandle>);
        Effect::new(move || {
            ticking.set_value(set_interval_with_handle(move || clock.tick(now_ms, now), every).ok());
        });
        on_cleanup(move || {
            if let Some(handle) = ticking.try_update_value(Option::take).flatten() {
                handle.clear();
            }
        });
        clock
    }

    fn tick(self, now_ms: RwSignal<i64>, now: Callback<(), i64>) {
        if self.is_paused.get_untracked() {
            return;
        }
        let next = now_ms.get_untracked().saturating_add(STEP);
        match self.plays_until.get_untracked() {
            Some(end) if next < end => now_ms.set(next),
            Some(_) => {
                self.plays_until.set(None);
                now_ms.set(now.run(()));
            }
            None => now_ms.set(now.run(())),
        }
    }

    /// Plays the next 24 hours, in ten seconds.
    pub fn play_day(self) {
        self.is_paused.set(false);
        self.plays_until.set(self.now_ms.map(|now| now.get_untracked().saturating_add(DAY_MS)));
    }

    #[must_use]
    pub fn is_playing(self) -> bool {
        self.plays_until.get().is_some()
    }

    #[must_use]
    pub const fn is_running(self) -> bool {
        self.now_ms.is_some()
    }

    /// To the millisecond.
    fn now(self, schedule: &Schedule) -> Instant {
        self.now_ms.map_or_else(|| hero_lamp::first_light(schedule), |now| Instant::from_unix_ms(now.get()))
    }

    /// To the second.
    #[must_use]
    pub fn second(self, schedule: Arc<Schedule>) -> Memo<Instant> {
        Memo::new(move |_| Instant::from_unix_seconds(self.now(&schedule).unix_seconds()))
    }
}

/// What a lamp shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Shown {
    lamp: Lamp,
    level: Level,
}

impl Shown {
    /// A running lamp is switched on and off by its schedule.
    fn of(percent: u8) -> Self {
        Self { lamp: if percent == 0 { Lamp::Off } else { Lamp::On }, level: Level::of(percent) }
    }

    /// A lamp without a clock is blinked by the stylesheet.
    fn still(schedule: &Schedule, at: LocalTime) -> Self {
        let light = schedule.light_at(at);
        Self { lamp: hero_lamp::lamp(light), level: hero_lamp::level(light) }
    }
}

/// The lamp, drawn in front of the night or on its shelf. It is decorative: the text beside it says what it does.
pub fn recipe_lamp(schedule: Arc<Schedule>, clock: Clock, on_shelf: OnShelf) -> AnyView {
    let of_lamp = schedule.clone();
    let shown = Memo::new(move |_| {
        let now = clock.now(&of_lamp);
        match (clock.is_running(), clock.is_playing()) {
            (true, false) => Shown::of(brightness(&of_lamp, now, clock.motion)),
            (true, true) => Shown::of(fast_forward::brightness(&of_lamp, now)),
            (false, _) => Shown::still(&of_lamp, of_lamp.time_zone().local(now)),
        }
    });
    let second = clock.second(schedule.clone());
    let room = Memo::new(move |_| match on_shelf {
        OnShelf::No => Illustration::Front,
        OnShelf::Yes => {
            let local = schedule.time_zone().local(second.get());
            Illustration::Shelf(Daypart::at(local.second_of_day() / 3_600))
        }
    });
    let lamp = Memo::new(move |_| shown.get().lamp);
    view! {
        <div class="h-full lab-lamp" data-level=move || shown.get().level.as_str()>
            {move || live_illustration(room.get(), LampColor::Amber, lamp)}
        </div>
    }
    .into_any()
}

/// Whether a lamp is drawn in a room, at the time of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnShelf {
    Yes,
    No,
}
