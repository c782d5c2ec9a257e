//! What the server renders in the Lab's place: on a slow network the Lab starts seconds after the page.

use leptos::prelude::*;
use wasm_core::catalog::LampColor;

use super::classes::{CAPTION, EXAMPLE, FIGURE, FRAME, LAYER, LAYOUT, LINES, NUMBERS, WRAP, WRITING};
use super::examples::EXAMPLES;
use crate::ui::{Daypart, Illustration, Lamp, illustration};

/// The Lab with its first example, as a picture. Pages are cached, so it names no moment.
pub(crate) fn lab_placeholder(zone: &str) -> AnyView {
    let text = EXAMPLES.first().map(|example| example.file(zone)).unwrap_or_default();
    view! {
        <div class="lab-placeholder">
            <p role="status" class="sr-only">"Loading the Lab…"</p>
            <div aria-hidden="true" inert class=LAYOUT>
                <div class="max-lg:contents lg:col-start-2">{lamp()}</div>
                <div class=WRITING>
                    {examples()}
                    <div>
                        <p class="mb-1.5 text-sm font-medium">"Your schedule"</p>
                        <div class=FRAME>
                            <div class=LINES>
                                <div class=NUMBERS></div>
                                <div class=format!("{LAYER} relative")>{text.lines().zip(1_u16..).map(line).collect_view()}</div>
                                // One block, as in the Lab: the browser reports it as the page's largest paint.
                                <div class=format!("{LAYER} {WRAP} relative pr-3 pl-15")>{text.clone()}</div>
                            </div>
                        </div>
                    </div>
                </div>
            </div>
        </div>
    }
    .into_any()
}

/// The lamp. The caption is about as high as the Lab's.
fn lamp() -> AnyView {
    view! {
        <div class=FIGURE>
            <div class="lg:aspect-16/9 h-full lab-lamp">
                {illustration(Illustration::Shelf(Daypart::Day), LampColor::Amber, Lamp::Off, None)}
            </div>
            <div class=format!("{CAPTION} min-h-18 max-lg:min-h-36")>
                <p class="text-muted">"Loading the Lab…"</p>
            </div>
        </div>
    }
    .into_any()
}

fn examples() -> AnyView {
    let example = |name| view! { <span class=format!("inline-flex items-center {EXAMPLE}")>{name}</span> };
    view! {
        <div class="flex flex-wrap items-center gap-2">
            <span class="text-sm text-muted">"Start with"</span>
            {EXAMPLES.into_iter().map(|shown| example(shown.name)).collect_view()}
            <span class="text-link py-1 text-sm">"More recipes"</span>
        </div>
    }
    .into_any()
}

fn line((text, number): (&str, u16)) -> AnyView {
    view! {
        <div class="flex min-h-6">
            <span class="w-12 shrink-0 px-2 text-right select-none text-muted">{number}</span>
            <span class=format!("invisible min-w-0 flex-1 px-3 {WRAP}")>{text.to_owned()}</span>
        </div>
    }
    .into_any()
}
