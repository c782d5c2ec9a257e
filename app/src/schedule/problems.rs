//! What is wrong with the text, and the buttons that mend it.

use leptos::prelude::*;
use wasm_core::schedule::Severity;

use super::editor::Field;
use super::lab::Lab;
use super::reading::{Fix, Found};
use crate::ui::{Icon, changing, icon, row, text};

const FIX: &str = "min-h-9 rounded-field border border-edge bg-card px-3 text-sm font-medium hover:bg-line/50";

pub(super) fn problems(lab: Lab, field: Field) -> AnyView {
    let verdict = text(move || lab.reading.with(|reading| reading.verdict()));
    let list = move || lab.reading.with(|reading| row(reading.found.iter().map(|found| problem(lab, field, found))));
    view! {
        <div class="grid gap-2">
            <p id="lab-verdict" role="status" class="text-sm font-medium text-muted">
                {verdict}
            </p>
            <ul aria-label="Problems" class="grid gap-2 empty:hidden">
                {changing(list)}
            </ul>
        </div>
    }
    .into_any()
}

fn problem(lab: Lab, field: Field, found: &Found) -> AnyView {
    let (kind, colour) = match found.severity {
        Severity::Error => ("Line", "mt-0.5 size-5 shrink-0 text-bad"),
        Severity::Warning => ("Note on line", "mt-0.5 size-5 shrink-0 text-warn"),
    };
    let fix = found.fix.clone().map(|fix| button(lab, field, found.line, fix));
    view! {
        <li class="flex items-start gap-3 rounded-field border border-line bg-card px-4 py-3">
            {icon(Icon::Warning, colour)}
            <div class="grid min-w-0 justify-items-start gap-2">
                <p class="wrap-anywhere">
                    <strong>{format!("{kind} {}: ", found.line)}</strong>
                    {found.message.replace('`', "")}
                </p>
                {fix}
            </div>
        </li>
    }
    .into_any()
}

fn button(lab: Lab, field: Field, line: u16, fix: Fix) -> AnyView {
    let label = fix.label.replace('`', "");
    let said = format!("Line {line}: {label}");
    let mend = move |_| {
        if let Some((text, cursor)) = lab.text.with_untracked(|text| fix.apply(text)) {
            field.write(lab, text, cursor);
        }
    };
    view! {
        <button type="button" aria-label=said class=FIX on:click=mend>
            {label}
        </button>
    }
    .into_any()
}
