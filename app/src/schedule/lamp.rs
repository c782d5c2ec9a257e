//! The drawn light, doing what the schedule says at the chosen moment.

use leptos::prelude::*;
use wasm_core::catalogue::LampColor;
use wasm_core::schedule::{Instant, Light};

use super::lab::{Lab, Motion};
use super::reading::Reading;
use super::say;
use crate::ui::{Lamp, Scene, drawn_light, text, word};

/// Whatever flashes more than three times a second can harm; such a blink is drawn lit. In milliseconds.
const SHORTEST_BLINK: u32 = 334;

pub(super) fn running_lamp(lab: Lab) -> AnyView {
    let level = Memo::new(move |_| {
        let now = lab.now();
        lab.reading.with(|reading| brightness(reading, now, lab.motion))
    });
    let lamp = word(move || Some(if level.get() == 0 { Lamp::Off } else { Lamp::On }.word()));
    let state = text(move || {
        let now = lab.second.get();
        lab.reading.with(|reading| say::state(reading.schedule.light_at(reading.schedule.time_zone().local(now))))
    });
    let next = text(move || {
        let now = lab.second.get();
        lab.reading.with(|reading| say::next_sentence(&reading.schedule, now))
    });
    let moment = text(move || lab.moment());
    view! {
        <figure class="overflow-hidden rounded-card border border-line shadow-card">
            <div class="aspect-16/9 lab-lamp" data-level=word(move || Some(step(level.get())))>
                {drawn_light(Scene::Shelf, LampColor::Amber, lamp, None)}
            </div>
            <figcaption class="grid gap-0.5 border-t border-line bg-card px-5 py-3">
                <p class="flex flex-wrap items-baseline justify-between gap-x-4">
                    <strong data-testid="lab-state">{state}</strong>
                    <span class="font-mono text-sm text-muted tabular-nums" data-testid="lab-moment">
                        {moment}
                    </span>
                </p>
                <p class="text-muted" data-testid="lab-next">
                    {next}
                </p>
            </figcaption>
        </figure>
    }
    .into_any()
}

fn brightness(reading: &Reading, now: Instant, motion: Motion) -> u8 {
    let local = reading.schedule.time_zone().local(now);
    match reading.schedule.light_at(local) {
        Light::Blink(speed, brightness)
            if motion == Motion::Reduced
                || u32::from(speed.lit_ms()).saturating_add(speed.dark_ms().into()) < SHORTEST_BLINK =>
        {
            brightness.get()
        }
        _ => reading.schedule.brightness_at(local),
    }
}

/// The stylesheet knows four.
const fn step(brightness: u8) -> &'static str {
    match brightness {
        0..=10 => "faint",
        11..=35 => "low",
        36..=70 => "middle",
        _ => "full",
    }
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::Moment;

    use super::{Motion, Reading, brightness};

    #[test]
    fn the_lamp_blinks_by_the_schedules_phase_unless_that_could_harm() {
        let levels = |file: &str, motion| {
            let reading = Reading::of(&format!("timezone = UTC\n{file}"));
            ["09:00:00.000", "09:00:00.100", "09:00:01.200"].map(|time| {
                let at = Moment::parse(&format!("2026-11-27T{time}")).unwrap().instant(reading.schedule.time_zone());
                brightness(&reading, at, motion)
            })
        };
        let slow = "blink 09:00 for 30s 40%";
        assert_eq!(levels(slow, Motion::Full), [40, 40, 0]);
        assert_eq!(levels(slow, Motion::Reduced), [40, 40, 40]);
        assert_eq!(levels("blink 09:00 for 30s 50ms/50ms", Motion::Full), [100, 100, 100]);
    }
}
