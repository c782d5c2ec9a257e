//! The Lab's layout, its examples, and the ways to save a schedule.

use leptos::prelude::*;

use super::classes::{EXAMPLE, LAYOUT, WRITING};
use super::editor::{Editor, editor};
use super::examples::{EXAMPLES, Example};
use super::lamp::running_lamp;
use super::problems::problems;
use super::reference::reference;
use super::rule_form::rule_form;
use super::share;
use super::state::{Lab, LabEvents, LabProps};
use super::timeline::timeline;
use crate::light::light_manual;

/// The Lab: the schedule on the left, what the light does on the right.
pub fn schedule_lab(props: &LabProps, events: LabEvents) -> AnyView {
    let lab = Lab::new(props, events);
    let field = Editor::new(lab);
    lab.run();
    let open = Callback::new(move |text: String| {
        lab.will_replace(&text);
        field.write(text, 0);
    });
    // Saves the text on every change after the first.
    Effect::new(move |opened: Option<String>| {
        let text = lab.text.get();
        if opened.is_some_and(|opened| opened != text) {
            events.save_text.run(text.clone());
        }
        text
    });
    view! {
        <div class=LAYOUT>
            // The lamp is a child of the outer grid, so that it sticks to the top along the whole text.
            <div class="max-lg:contents lg:col-start-2">{running_lamp(lab)}</div>
            <div class=WRITING>
                {examples(lab, open)} {undo(lab, field)} {editor(lab, field)} {problems(lab, field)} {save(lab, events)}
            </div>
            <div class="grid grid-cols-1 gap-5 lg:col-start-2">{timeline(lab)} {rule_form(lab, field)}</div>
            <div class="lg:col-span-2">{reference(open)} {light_manual()}</div>
        </div>
    }
    .into_any()
}

fn examples(lab: Lab, open: Callback<String>) -> AnyView {
    view! {
        <div role="group" aria-label="Examples" class="flex flex-wrap items-center gap-2">
            <span class="text-sm text-muted">"Start with"</span>
            {EXAMPLES.into_iter().map(|example| example_button(lab, open, example)).collect_view()}
            <a href="/schedules" class="text-link py-1 text-sm">
                "More recipes"
            </a>
        </div>
    }
    .into_any()
}

fn example_button(lab: Lab, open: Callback<String>, example: Example) -> AnyView {
    let on_click = move |_| {
        let zone = lab.parsed.with_untracked(|parsed| parsed.schedule.time_zone().name().to_owned());
        open.run(example.file(&zone));
    };
    view! {
        <button type="button" class=EXAMPLE on:click=on_click>
            {example.name}
        </button>
    }
    .into_any()
}

/// Brings back what an example, a recipe or a link has replaced.
fn undo(lab: Lab, field: Editor) -> AnyView {
    let before = Memo::new(move |_| lab.undo_text());
    view! {
        <div role="status" class="empty:hidden">
            {move || {
                before
                    .get()
                    .map(|text| {
                        view! {
                            <p class="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
                                "Your text was replaced."
                                <button type="button" class=EXAMPLE on:click=move |_| field.write(text.clone(), 0)>
                                    "Undo"
                                </button>
                            </p>
                        }
                    })
            }}
        </div>
    }
    .into_any()
}

/// Save the file to a light, download it, or share a link to its rules.
fn save(lab: Lab, events: LabEvents) -> AnyView {
    let link = RwSignal::new(None::<String>);
    let share = move |_| {
        let fragment = lab.parsed.with_untracked(|parsed| share::encode_fragment(&parsed.schedule));
        link.set(Some(events.share.run(fragment)));
    };
    // A file with errors needs a second confirmation.
    let is_asked = RwSignal::new(false);
    let save = move || events.download.run(lab.text.get_untracked());
    let download = move |_| {
        if lab.parsed.with_untracked(|parsed| parsed.has_errors()) { is_asked.set(true) } else { save() }
    };
    let anyway = move |_| {
        is_asked.set(false);
        save();
    };
    let has_errors = Memo::new(move |_| lab.parsed.with(|parsed| parsed.has_errors()));
    let confirmation = move || {
        (is_asked.get() && has_errors.get()).then(|| {
            view! {
                <p class="flex flex-wrap items-center gap-3">
                    "This file has errors. Download it anyway?"
                    <button type="button" class="button-secondary" on:click=anyway>
                        "Download Anyway"
                    </button>
                </p>
            }
        })
    };
    view! {
        <div class="grid gap-3">
            <div class="flex flex-wrap gap-3">
                <button
                    type="button"
                    class="button-primary"
                    on:click=move |_| events.save_to_light.run(lab.text.get_untracked())
                >
                    "Save to My Light"
                </button>
                <button type="button" class="button-secondary" on:click=download>
                    "Download schedule.txt"
                </button>
                <button type="button" class="button-secondary" on:click=share>
                    "Share by Link"
                </button>
            </div>
            {move || has_errors.get().then(skipped_lines)} <div role="status">{confirmation}</div>
            <div role="status">{move || link.get().map(shared_link)}</div>
            <p class="text-sm text-muted">
                "Your schedule stays on this device. A shared link contains the rules and the time zone, never your "
                <span class="whitespace-nowrap">"Wi-Fi."</span>
            </p>
        </div>
    }
    .into_any()
}

fn skipped_lines() -> AnyView {
    view! { <p class="text-sm text-bad">"Your light skips lines with errors. Fix them before you save the file."</p> }
        .into_any()
}

fn shared_link(link: String) -> AnyView {
    view! {
        <label class="grid gap-1 text-sm font-medium">
            "Link to these rules (copied to your clipboard if your browser allows it)"
            <input readonly class="min-h-11 w-full rounded-field border border-edge bg-card px-3 font-mono" value=link />
        </label>
    }
    .into_any()
}
