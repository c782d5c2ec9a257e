//! The preview: the light at the selected moment.

use leptos::prelude::*;
use wasm_core::catalog::LampColor;
use wasm_core::schedule::{Instant, Light, Schedule};

use super::classes::{CAPTION, FIGURE};
use super::fast_forward;
use super::state::{Lab, Motion};
use crate::ui::{Daypart, Illustration, Lamp, Level, illustration};

/// Shortest period of a blink that is animated, in milliseconds: more than three flashes per second can trigger
/// seizures (WCAG 2.3.1).
const MIN_BLINK_PERIOD: u32 = 334;

pub(super) fn running_lamp(lab: Lab) -> AnyView {
    let level = Memo::new(move |_| {
        let now = lab.now();
        lab.parsed.with(|parsed| match lab.is_playing() {
            true => fast_forward::brightness(&parsed.schedule, now),
            false => brightness(&parsed.schedule, now, lab.motion),
        })
    });
    let room = Memo::new(move |_| Daypart::at(lab.hour()));
    let lamp = move || if level.get() == 0 { Lamp::Off } else { Lamp::On };
    view! {
        // On a narrow screen the lamp stays in view above the text.
        <figure class=format!("lab-figure {FIGURE}")>
            <div class="lg:aspect-16/9 h-full lab-lamp" data-level=move || Level::of(level.get()).as_str()>
                {move || illustration(Illustration::Shelf(room.get()), LampColor::Amber, lamp(), None)}
            </div>
            <figcaption class=CAPTION>
                <p class="flex flex-wrap items-baseline justify-between gap-x-4">
                    <strong data-testid="lab-state">{move || lab.light()}</strong>
                    <span class="font-mono text-sm text-muted tabular-nums max-sm:text-xs" data-testid="lab-moment">
                        {move || lab.moment()}
                    </span>
                </p>
                <p class="text-muted" data-testid="lab-next">
                    {move || lab.next_change()}
                </p>
            </figcaption>
        </figure>
    }
    .into_any()
}

/// The brightness that is drawn, in percent.
pub(super) fn brightness(schedule: &Schedule, now: Instant, motion: Motion) -> u8 {
    let local = schedule.time_zone().local(now);
    match schedule.light_at(local) {
        Light::Blink(speed, brightness)
            if motion == Motion::Reduced
                || u32::from(speed.lit_ms()).saturating_add(speed.dark_ms().into()) < MIN_BLINK_PERIOD =>
        {
            brightness.get()
        }
        _ => schedule.brightness_at(local),
    }
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::Moment;

    use super::{Motion, brightness};
    use crate::schedule::ParsedText;

    #[test]
    fn the_lamp_blinks_by_the_schedules_phase_unless_that_could_harm() {
        let levels = |file: &str, motion| {
            let parsed = ParsedText::of(&format!("timezone = UTC\n{file}"));
            ["09:00:00.000", "09:00:00.100", "09:00:01.200"].map(|time| {
                let at = Moment::parse(&format!("2026-11-27T{time}")).unwrap().instant(parsed.schedule.time_zone());
                brightness(&parsed.schedule, at, motion)
            })
        };
        let slow = "blink 09:00 for 30s 40%";
        assert_eq!(levels(slow, Motion::Full), [40, 40, 0]);
        assert_eq!(levels(slow, Motion::Reduced), [40, 40, 40]);
        assert_eq!(levels("blink 09:00 for 30s 50ms/50ms", Motion::Full), [100, 100, 100]);
    }
}
