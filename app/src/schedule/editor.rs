//! The text editor, with line numbers, inline problems and autocompletion.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::completion::{Completion, complete};
use super::parsed_text::{byte_at, replace, utf16_offset_at};
use super::state::Lab;

const FRAME: &str = "overflow-x-auto rounded-card border border-edge bg-card shadow-card focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-(--focus)";
/// The text area, and a layer behind it that shows the problems beside the lines.
const LAYER: &str = "col-start-1 row-start-1 p-3 whitespace-pre";
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
                <div class="grid min-h-72 min-w-max grid-cols-[auto_1fr] font-mono text-base leading-6 sm:text-sm sm:leading-6">
                    <div aria-hidden="true" class="border-r border-line py-3 text-right text-muted select-none">
                        {move || line_numbers(lab)}
                    </div>
                    <div class="grid">
                        <div aria-hidden="true" class=format!("{LAYER} pointer-events-none")>
                            {move || problem_layer(lab)}
                        </div>
                        {text_area(lab, editor)}
                    </div>
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
            class=format!("{LAYER} block h-full w-full resize-none overflow-hidden bg-transparent outline-none")
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

fn line_numbers(lab: Lab) -> Vec<AnyView> {
    let count = lab.text.with(|text| text.split('\n').count());
    let invalid: Vec<usize> = lab.parsed.with(|parsed| {
        let errors = parsed.problems.iter().filter(|problem| !problem.is_note());
        errors.map(|problem| usize::from(problem.line)).collect()
    });
    let number = |line| {
        let class = if invalid.contains(&line) { "bg-bad/15 px-3 font-semibold text-bad" } else { "px-3" };
        view! { <div class=class>{line}</div> }.into_any()
    };
    (1..=count).map(number).collect()
}

/// The lines again, invisible, each followed by its problem.
fn problem_layer(lab: Lab) -> Vec<AnyView> {
    let lines: Vec<String> = lab.text.with(|text| text.split('\n').map(str::to_owned).collect());
    let problem_line = |(line, problem): (String, Option<String>)| {
        let problem = problem.map(|text| view! { <span class="pl-6 font-sans text-bad max-sm:hidden">{text}</span> });
        view! { <div class="min-h-6"><span class="invisible">{line}</span>{problem}</div> }.into_any()
    };
    lab.parsed.with(|parsed| {
        let errors = || parsed.problems.iter().filter(|problem| !problem.is_note());
        let on_line = |number| errors().find(|problem| problem.line == number).map(|problem| problem.message.clone());
        lines.into_iter().zip(1_u16..).map(|(line, number)| problem_line((line, on_line(number)))).collect()
    })
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
