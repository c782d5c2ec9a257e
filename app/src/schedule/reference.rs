//! The grammar, as the guide explains it.
//!
//! The guide is made from the files that the schedule's tests run. It is shown as it is, so that there is no second
//! copy of it; the few marks it is written with are read here.

use leptos::prelude::*;

use crate::ui::row;

/// The guide in full.
pub const GUIDE: &str = include_str!("../../../docs/guide/schedule.md");

const FILE: &str =
    "rounded-field border border-line bg-paper p-3 font-mono text-sm leading-6 whitespace-pre-wrap wrap-anywhere";
const OPEN: &str =
    "min-h-9 justify-self-start rounded-field border border-edge px-3 text-sm font-medium hover:bg-line/50";

/// A part for each heading, folded up. `open` takes an example into the Lab.
pub(super) fn reference(open: Callback<String>) -> AnyView {
    let chapters = GUIDE.split("\n## ").skip(1).map(|chapter| {
        let (title, text) = chapter.split_once('\n').unwrap_or((chapter, ""));
        view! {
            <details class="border-b border-line py-1">
                <summary class="py-2 text-lg font-semibold">{title.to_owned()}</summary>
                <div class="grid max-w-3xl gap-3 pb-5">{row(blocks(text).map(|part| block(part, open)))}</div>
            </details>
        }
        .into_any()
    });
    view! {
        <section aria-labelledby="lab-reference">
            <h3 id="lab-reference" class="mb-2 text-2xl">
                "All there is to write"
            </h3>
            <p class="mb-4 text-muted">
                "Each example is one that the light’s own tests run, and what is said to happen is what they expect."
            </p>
            {row(chapters)}
        </section>
    }
    .into_any()
}

/// What stands between empty lines; a file may have empty lines of its own.
fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (end, skip) = if rest.starts_with("```") { ("\n```", 4) } else { ("\n\n", 0) };
        let at = rest.find(end).map_or(rest.len(), |at| at.saturating_add(skip)).min(rest.len());
        let (part, after) = rest.split_at(at);
        rest = after.trim_start();
        Some(part)
    })
}

fn block(part: &str, open: Callback<String>) -> AnyView {
    if let Some(file) = part.strip_prefix("```text\n") {
        return file_block(file.trim_end_matches("\n```"), open);
    }
    if let Some(title) = part.strip_prefix("### ") {
        return view! { <h4 class="pt-2 font-semibold">{title.to_owned()}</h4> }.into_any();
    }
    if part.starts_with("- ") {
        let items = part.lines().map(|line| view! { <li>{words(line.trim_start_matches("- "))}</li> }.into_any());
        return view! { <ul class="grid list-disc gap-1 pl-5 marker:text-glow">{row(items)}</ul> }.into_any();
    }
    if part.starts_with('|') {
        return table(part);
    }
    view! { <p>{words(part)}</p> }.into_any()
}

fn file_block(file: &str, open: Callback<String>) -> AnyView {
    let text = format!("{file}\n");
    view! {
        <pre class=FILE>{file.to_owned()}</pre>
        <button type="button" class=OPEN on:click=move |_| open.run(text.clone())>
            "Open this in the Lab"
        </button>
    }
    .into_any()
}

/// The first line names the columns, the second one only draws.
fn table(part: &str) -> AnyView {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('|').trim().to_owned()).collect()
    };
    let rows = part.lines().skip(2).map(|line| {
        let cells = cells(line);
        let columns = cells.iter().map(|cell| view! { <td class="py-1.5 pr-4">{words(cell)}</td> }.into_any());
        view! { <tr class="border-b border-line align-top">{row(columns)}</tr> }.into_any()
    });
    view! {
        <table class="w-full text-left text-sm">
            <tbody>{row(rows)}</tbody>
        </table>
    }
    .into_any()
}

/// A text with its code set apart.
fn words(text: &str) -> Vec<AnyView> {
    row(text.split('`').enumerate().map(|(index, part)| {
        let part = part.to_owned();
        match index % 2 {
            0 => part.into_any(),
            _ => view! { <code class="rounded bg-line/60 px-1 font-mono text-[0.85em] wrap-anywhere">{part}</code> }
                .into_any(),
        }
    }))
}
