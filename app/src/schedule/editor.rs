//! The text, with its lines numbered and what is wrong beside them.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::completion::{Completion, complete};
use super::lab::Lab;
use super::reading::{Found, byte_at, replace, units_at};
use crate::ui::{changing, row, truth};

const FRAME: &str = "overflow-x-auto rounded-card border border-edge bg-card shadow-card focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-(--focus)";
/// The text as it is typed, and the same text behind it that holds what stands beside its lines.
const LAYER: &str = "col-start-1 row-start-1 p-3 whitespace-pre";
const CHIP: &str = "min-h-9 rounded-full border border-edge px-3 font-mono text-sm hover:bg-line/50";

/// The text field as the Lab uses it.
#[derive(Clone, Copy)]
pub(super) struct Field {
    element: NodeRef<html::Textarea>,
    /// The byte before which the cursor stands.
    cursor: RwSignal<usize>,
}

impl Field {
    pub fn new() -> Self {
        Self { element: NodeRef::new(), cursor: RwSignal::new(0) }
    }

    /// Shows another text and goes on writing in it, behind a byte.
    pub fn write(self, lab: Lab, text: String, cursor: usize) {
        if let Some(field) = self.element.get_untracked() {
            let place = units_at(&text, cursor);
            field.set_value(&text);
            // A field that is not on the page has no cursor, which is as well.
            let _ = field.focus();
            let _ = field.set_selection_range(place, place);
        }
        self.cursor.set(cursor);
        lab.text.set(text);
    }

    /// Notes where the cursor stands.
    fn look(self, lab: Lab) {
        let units = self.element.get_untracked().and_then(|field| field.selection_end().ok().flatten());
        if let Some(units) = units {
            self.cursor.set(lab.text.with_untracked(|text| byte_at(text, units)));
        }
    }
}

pub(super) fn editor(lab: Lab, field: Field) -> AnyView {
    let type_text = move |typed: String| {
        lab.text.set(typed);
        field.look(lab);
    };
    let first_word = move |event: KeyboardEvent| {
        if event.key() == " " && event.ctrl_key() {
            event.prevent_default();
            if let Some(completion) = at_cursor(lab, field) {
                take(lab, field, &completion, 0);
            }
        }
    };
    view! {
        <div>
            <label for="lab-text" class="mb-1.5 block text-sm font-medium">
                "Your schedule"
            </label>
            <div class=FRAME>
                <div class="grid min-h-72 min-w-max grid-cols-[auto_1fr] font-mono text-base leading-6 sm:text-sm sm:leading-6">
                    <div aria-hidden="true" class="border-r border-line py-3 text-right text-muted select-none">
                        {changing(move || numbers(lab))}
                    </div>
                    <div class="grid">
                        <div aria-hidden="true" class=format!("{LAYER} pointer-events-none")>
                            {changing(move || behind(lab))}
                        </div>
                        <textarea
                            id="lab-text"
                            node_ref=field.element
                            class=format!("{LAYER} block h-full w-full resize-none overflow-hidden bg-transparent outline-none")
                            wrap="off"
                            spellcheck="false"
                            autocomplete="off"
                            autocapitalize="off"
                            aria-describedby="lab-verdict lab-keys"
                            aria-invalid=truth(move || lab.reading.with(|reading| !reading.found.is_empty()))
                            prop:value=move || lab.text.get()
                            on:input=move |event| type_text(event_target_value(&event))
                            on:keydown=first_word
                            on:keyup=move |_| field.look(lab)
                            on:click=move |_| field.look(lab)
                        >
                            {lab.text.get_untracked()}
                        </textarea>
                    </div>
                </div>
            </div>
            <div role="group" aria-label="Words that fit at the cursor" class="mt-2 flex min-h-9 flex-wrap items-center gap-2">
                <span id="lab-keys" class="text-sm text-muted">
                    "Ctrl + Space completes a word."
                </span>
                {changing(move || row(at_cursor(lab, field).map(|completion| chips(lab, field, &completion))))}
            </div>
        </div>
    }
    .into_any()
}

fn numbers(lab: Lab) -> Vec<AnyView> {
    let count = lab.text.with(|text| text.split('\n').count());
    let wrong: Vec<usize> =
        lab.reading.with(|reading| reading.found.iter().map(|found| usize::from(found.line)).collect());
    row((1..=count).map(|line| {
        let class = if wrong.contains(&line) { "bg-bad/15 px-3 font-semibold text-bad" } else { "px-3" };
        view! { <div class=class>{line}</div> }.into_any()
    }))
}

/// The lines again, unseen, each with what is wrong behind it.
fn behind(lab: Lab) -> Vec<AnyView> {
    let lines: Vec<String> = lab.text.with(|text| text.split('\n').map(str::to_owned).collect());
    lab.reading.with(|reading| {
        row(lines.into_iter().zip(1_u16..).map(|(line, number)| {
            let said = reading.found.iter().find(|found| found.line == number).map(short);
            let said = said.map(|said| view! { <span class="pl-6 font-sans text-bad max-sm:hidden">{said}</span> });
            view! { <div class="min-h-6"><span class="invisible">{line}</span>{said}</div> }.into_any()
        }))
    })
}

/// What there is room for beside a line: the whole sentence is in the list below.
fn short(found: &Found) -> String {
    let said = found.fix.as_ref().map_or(found.message.as_str(), |fix| fix.label.as_str());
    said.split(';').next().unwrap_or_default().replace('`', "")
}

fn at_cursor(lab: Lab, field: Field) -> Option<Completion> {
    lab.text.with(|text| complete(text, field.cursor.get()))
}

fn chips(lab: Lab, field: Field, completion: &Completion) -> Vec<AnyView> {
    row(completion.words.iter().enumerate().map(|(index, word)| {
        let completion = completion.clone();
        view! {
            <button type="button" class=CHIP on:click=move |_| take(lab, field, &completion, index)>
                {word.trim_end_matches([' ', '=']).to_owned()}
            </button>
        }
        .into_any()
    }))
}

fn take(lab: Lab, field: Field, completion: &Completion, index: usize) {
    let Some(word) = completion.words.get(index) else { return };
    let changed = lab.text.with_untracked(|text| replace(text, completion.span.clone(), word));
    if let Some((text, cursor)) = changed {
        field.write(lab, text, cursor);
    }
}
