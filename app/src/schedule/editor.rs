//! The text editor, with line numbers, inline problems and autocompletion.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::classes::{FRAME, LAYER, LINES, NUMBERS, WRAP};
use super::completion::{Completion, complete};
use super::parsed_text::{byte_at, replace, utf16_offset_at};
use super::state::Lab;

const CHIP: &str = "min-h-9 rounded-full border border-edge px-3 font-mono text-sm hover:bg-line/50";

/// Handle of the text area and its cursor.
#[derive(Clone, Copy)]
pub(super) struct Editor {
    lab: Lab,
    element: NodeRef<html::Textarea>,
    /// Byte offset of the cursor.
    cursor: RwSignal<usize>,
}

impl Editor {
    pub fn new(lab: Lab) -> Self {
        Self { lab, element: NodeRef::new(), cursor: RwSignal::new(0) }
    }

    /// Replaces the text, and focuses the text area with the cursor at a byte offset.
    pub fn write(self, text: String, cursor: usize) {
        if let Some(area) = self.element.get_untracked() {
            let units = utf16_offset_at(&text, cursor);
            area.set_value(&text);
            // Both fail only for an element that is not in the document.
            let _ = area.focus();
            let _ = area.set_selection_range(units, units);
        }
        self.cursor.set(cursor);
        self.lab.text.set(text);
    }

    fn read_cursor(self) {
        let units = self.element.get_untracked().and_then(|area| area.selection_end().ok().flatten());
        if let Some(units) = units {
            self.cursor.set(self.lab.text.with_untracked(|text| byte_at(text, units)));
        }
    }

    fn type_text(self, typed: String) {
        self.lab.text.set(typed);
        self.read_cursor();
    }

    fn completion(self) -> Option<Completion> {
        self.lab.text.with(|text| complete(text, self.cursor.get()))
    }

    fn accept(self, completion: &Completion, index: usize) {
        let Some(word) = completion.words.get(index) else { return };
        let changed = self.lab.text.with_untracked(|text| replace(text, completion.span.clone(), word));
        if let Some((text, cursor)) = changed {
            self.write(text, cursor);
        }
    }

    fn on_key(self, event: &KeyboardEvent) {
        if event.key() == " " && event.ctrl_key() {
            event.prevent_default();
            if let Some(completion) = untrack(move || self.completion()) {
                self.accept(&completion, 0);
            }
        }
    }
}

pub(super) fn editor(lab: Lab, editor: Editor) -> AnyView {
    view! {
        <div>
            <label for="lab-text" class="mb-1.5 block text-sm font-medium">
                "Your schedule"
            </label>
            <div class=FRAME>
                <div class=LINES>
                    <div aria-hidden="true" class=NUMBERS></div>
                    <div aria-hidden="true" class=format!("{LAYER} pointer-events-none relative")>
                        {move || lines(lab)}
                    </div>
                    {text_area(lab, editor)}
                </div>
            </div>
            <div role="group" aria-label="Suggestions" class="mt-2 flex min-h-9 flex-wrap items-center gap-2">
                <span id="lab-keys" class="text-sm text-muted pointer-coarse:sr-only">
                    "Press Ctrl + Space to complete a word."
                </span>
                {move || editor.completion().map(|completion| chips(editor, &completion))}
            </div>
        </div>
    }
    .into_any()
}

fn text_area(lab: Lab, editor: Editor) -> AnyView {
    view! {
        <textarea
            id="lab-text"
            node_ref=editor.element
            class=format!("{LAYER} {WRAP} relative h-full w-full resize-none pr-3 pl-15 overflow-hidden bg-transparent outline-none")
            spellcheck="false"
            autocomplete="off"
            autocapitalize="off"
            aria-describedby="lab-summary lab-keys"
            aria-invalid=move || lab.parsed.with(|parsed| parsed.has_errors()).to_string()
            prop:value=move || lab.text.get()
            on:input=move |event| editor.type_text(event_target_value(&event))
            on:keydown=move |event| editor.on_key(&event)
            on:keyup=move |_| editor.read_cursor()
            on:click=move |_| editor.read_cursor()
        ></textarea>
    }
    .into_any()
}

/// The lines again, invisible, each with its number and its problem.
fn lines(lab: Lab) -> Vec<AnyView> {
    let texts: Vec<String> = lab.text.with(|text| text.split('\n').map(str::to_owned).collect());
    lab.parsed.with(|parsed| {
        let errors = || parsed.problems.iter().filter(|problem| !problem.is_note());
        let on_line = |number| errors().find(|problem| problem.line == number).map(|problem| problem.message.clone());
        texts.into_iter().zip(1_u16..).map(|(text, number)| line(number, text, on_line(number))).collect()
    })
}

fn line(number: u16, text: String, problem: Option<String>) -> AnyView {
    let color = if problem.is_some() { "bg-bad/15 font-semibold text-bad" } else { "text-muted" };
    let problem = problem.map(|message| view! { <span class="pl-6 font-sans text-bad max-sm:hidden">{message}</span> });
    view! {
        <div class="flex min-h-6">
            <span class=format!("w-12 shrink-0 px-2 text-right select-none {color}")>{number}</span>
            <span class=format!("min-w-0 flex-1 px-3 {WRAP}")>
                <span class="invisible">{text}</span>
                {problem}
            </span>
        </div>
    }
    .into_any()
}

fn chips(editor: Editor, completion: &Completion) -> Vec<AnyView> {
    (0..completion.words.len()).map(|index| chip(editor, completion.clone(), index)).collect()
}

fn chip(editor: Editor, completion: Completion, index: usize) -> AnyView {
    let word = completion.words.get(index).map(|word| word.trim_end_matches([' ', '=']).to_owned());
    view! {
        <button type="button" class=CHIP on:click=move |_| editor.accept(&completion, index)>
            {word}
        </button>
    }
    .into_any()
}
