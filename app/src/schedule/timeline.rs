//! The timeline: the light over a week, a day or a minute, and the selected moment.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::state::Lab;
use super::time_range::{Bars, TimeRange, Zoom};

const CHOICE: &str = "min-h-9 rounded-full border border-edge px-4 text-sm font-medium aria-pressed:border-transparent aria-pressed:bg-ink aria-pressed:text-paper";
const STEP: &str = "min-h-9 rounded-field border border-edge px-3 text-sm font-medium hover:bg-line/50";

pub(super) fn timeline(lab: Lab) -> AnyView {
    let zoom = |to: Zoom, label: &'static str| {
        view! {
            <button type="button" class=CHOICE aria-pressed=move || (lab.zoom.get() == to).to_string() on:click=move |_| lab.zoom_to(to)>
                {label}
            </button>
        }
    };
    // A memo is required: an effect that reads `range` first and `parsed` after it misses an edit that leaves `range`
    // unchanged.
    let bars = Memo::new(move |_| lab.range.with(|range| lab.parsed.with(|parsed| Bars::of(&parsed.schedule, range))));
    view! {
        <div class="grid gap-3">
            <div class="flex flex-wrap items-center gap-2">
                <div role="group" aria-label="Zoom" class="mr-auto flex gap-2">
                    {zoom(Zoom::Week, "Week")} {zoom(Zoom::Day, "Day")} {zoom(Zoom::Minute, "Minute")}
                </div>
                <button type="button" class=STEP on:click=move |_| lab.go_to_now()>
                    "Now"
                </button>
                <button type="button" class=STEP on:click=move |_| lab.go_to_next_change()>
                    "Next Change"
                </button>
                <button type="button" class=STEP on:click=move |_| lab.play_day()>
                    "Play the Day"
                </button>
            </div>
            <div class="relative rounded-card border border-line bg-card px-0 pt-2 shadow-card">
                <div class="relative h-24">
                    {move || chart(&lab.range.get(), bars.get())}
                    {slider(lab)}
                </div>
            </div>
            <p id="lab-timeline-keys" class="text-sm text-muted">
                "Drag the timeline or use the arrow keys. Page Up and Page Down take bigger steps. "
                <span aria-hidden="true" class="lab-swatch bg-glow forced-colors:bg-[Highlight]"></span>
                " on "
                <span aria-hidden="true" class="lab-swatch bg-ink forced-colors:bg-[CanvasText]"></span>
                " blinking"
            </p>
        </div>
    }
    .into_any()
}

/// Depends on the bars and the range, not on the moment, which changes every second.
fn chart(range: &TimeRange, bars: Bars) -> AnyView {
    let view_box = format!("0 0 {} 100", range.length);
    let lines: String = range.marks.iter().map(|(at, _)| format!("M{at} 0v100")).collect();
    let names = range.marks.iter().map(|(_, name)| {
        view! { <span class="min-w-0 flex-1 truncate border-l border-line pl-1">{name.clone()}</span> }.into_any()
    });
    view! {
        <svg viewBox=view_box preserveAspectRatio="none" aria-hidden="true" class="absolute inset-x-0 top-0 h-16 w-full">
            <path d=lines class="stroke-line" fill="none" stroke-width="1" vector-effect="non-scaling-stroke" />
            <path d=bars.on class="fill-glow forced-colors:fill-[Highlight]" data-testid="lab-lit" />
            <path d=bars.blink class="fill-ink forced-colors:fill-[CanvasText]" data-testid="lab-blinking" />
        </svg>
        <div aria-hidden="true" class="absolute inset-x-0 bottom-0 flex h-7 border-t border-line text-xs leading-7 text-muted">
            {names.collect_view()}
        </div>
    }
    .into_any()
}

/// A native range input is accessible by default. The stylesheet turns its thumb into a line on the chart.
fn slider(lab: Lab) -> AnyView {
    let keys = move |event: KeyboardEvent| {
        let zoom = lab.zoom.get_untracked();
        let by = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => zoom.step(),
            "ArrowLeft" | "ArrowDown" => zoom.step().saturating_neg(),
            "PageUp" => zoom.page_step(),
            "PageDown" => zoom.page_step().saturating_neg(),
            "Home" => i64::MIN,
            "End" => i64::MAX,
            _ => return,
        };
        event.prevent_default();
        lab.move_by(by);
    };
    view! {
        <input
            type="range"
            class="lab-slider absolute inset-x-0 top-0 h-16 w-full"
            aria-label="Moment"
            aria-describedby="lab-timeline-keys"
            aria-valuetext=move || format!("{}, {}", lab.moment(), lab.light())
            min="0"
            max=move || lab.range.with(|range| range.length.to_string())
            step="1"
            value=lab.position().to_string()
            prop:value=move || lab.position().to_string()
            on:input=move |event| lab.move_to(event_target_value(&event).parse().unwrap_or_default())
            on:keydown=keys
        />
    }
    .into_any()
}
