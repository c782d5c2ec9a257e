//! The list of problems, with buttons that apply the suggested fixes.

use super::editor::Editor;
use super::parsed_text::{Fix, Problem};
use super::state::Lab;
use crate::ui::{Icon, icon};
use leptos::prelude::*;

const FIX: &str = "min-h-9 rounded-field border border-edge bg-card px-3 text-sm font-medium hover:bg-line/50";

pub(super) fn problems(lab: Lab, editor: Editor) -> AnyView {
    view! {
        <div class="grid gap-2">
            <p id="lab-summary" role="status" class="text-sm font-medium text-muted">
                {move || lab.parsed.with(|parsed| parsed.summary())}
            </p>
            <ul aria-label="Problems" class="grid gap-2 empty:hidden">
                {move || lab.parsed.with(|parsed| parsed.problems.iter().map(|found| problem(lab, editor, found)).collect_view())}
            </ul>
        </div>
    }
    .into_any()
}

fn problem(lab: Lab, editor: Editor, problem: &Problem) -> AnyView {
    let (kind, color) = if problem.is_note() {
        ("Note on line", "mt-0.5 size-5 shrink-0 text-warn")
    } else {
        ("Line", "mt-0.5 size-5 shrink-0 text-bad")
    };
    let expected = problem.expected.map(|expected| {
        view! { <span class="block text-sm text-muted">{format!("Expected: {}.", expected.replace('`', ""))}</span> }
    });
    let fix = problem.fix.clone().map(|fix| fix_button(lab, editor, problem.line, fix));
    view! {
        <li class="flex items-start gap-3 rounded-field border border-line bg-card px-4 py-3">
            {icon(Icon::Warning, color)}
            <div class="grid min-w-0 justify-items-start gap-2">
                <p class="wrap-anywhere">
                    <strong>{format!("{kind} {}: ", problem.line)}</strong>
                    {problem.message.clone()} {expected}
                </p>
                {fix}
            </div>
        </li>
    }
    .into_any()
}

fn fix_button(lab: Lab, editor: Editor, line: u16, fix: Fix) -> AnyView {
    let label = fix.label.clone();
    let accessible_name = format!("Line {line}: {label}");
    let apply = move |_| {
        if let Some((text, cursor)) = lab.text.with_untracked(|text| fix.apply(text)) {
            editor.write(text, cursor);
        }
    };
    view! {
        <button type="button" aria-label=accessible_name class=FIX on:click=apply>
            {label}
        </button>
    }
    .into_any()
}
