//! The schedule reference: the guide, rendered from its Markdown.
//!
//! The guide is generated from the schedule's test files. Only the Markdown it uses is supported.

use leptos::prelude::*;

/// The guide as Markdown.
pub const GUIDE: &str = include_str!("../../../docs/guide/schedule.md");

const FILE: &str =
    "rounded-field border border-line bg-paper p-3 font-mono text-sm leading-6 whitespace-pre-wrap wrap-anywhere";
const OPEN: &str =
    "min-h-9 justify-self-start rounded-field border border-edge px-3 text-sm font-medium hover:bg-line/50";

/// A collapsed section for each chapter. `open` loads an example into the editor.
pub(super) fn reference(open: Callback<String>) -> AnyView {
    let chapters = GUIDE.split("\n## ").skip(1).map(|chapter| {
        let (title, text) = chapter.split_once('\n').unwrap_or((chapter, ""));
        view! {
            <details class="border-b border-line py-1">
                <summary class="py-2 text-lg font-semibold">{title.to_owned()}</summary>
                <div class="grid max-w-3xl gap-3 pb-5">{blocks(text).map(|source| block(source, open)).collect_view()}</div>
            </details>
        }
        .into_any()
    });
    view! {
        <section aria-labelledby="lab-reference">
            <h3 id="lab-reference" class="mb-2 text-2xl">
                "Schedule reference"
            </h3>
            <p class="mb-4 text-muted">
                "Open an example in the Lab and change it."
            </p>
            {chapters.collect_view()}
        </section>
    }
    .into_any()
}

/// Splits a chapter at empty lines, except inside of code blocks.
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

fn block(source: &str, open: Callback<String>) -> AnyView {
    if let Some(file) = source.strip_prefix("```text\n") {
        return file_block(file.trim_end_matches("\n```"), open);
    }
    if let Some(title) = source.strip_prefix("### ") {
        return view! { <h4 class="pt-2 font-semibold">{title.to_owned()}</h4> }.into_any();
    }
    if source.starts_with("- ") {
        let items =
            source.lines().map(|line| view! { <li>{inline_code(line.trim_start_matches("- "))}</li> }.into_any());
        return view! { <ul class="grid list-disc gap-1 pl-5 marker:text-glow">{items.collect_view()}</ul> }.into_any();
    }
    if source.starts_with('|') {
        return table(source);
    }
    view! { <p>{inline_code(source)}</p> }.into_any()
}

fn file_block(file: &str, open: Callback<String>) -> AnyView {
    let text = format!("{file}\n");
    view! {
        <pre class=FILE>{file.to_owned()}</pre>
        <button type="button" class=OPEN on:click=move |_| open.run(text.clone())>
            "Open in the Lab"
        </button>
    }
    .into_any()
}

/// Renders a table without its header and delimiter rows.
fn table(source: &str) -> AnyView {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('|').trim().to_owned()).collect()
    };
    let rows = source.lines().skip(2).map(|line| {
        let cells = cells(line);
        let columns = cells.iter().map(|cell| view! { <td class="py-1.5 pr-4">{inline_code(cell)}</td> }.into_any());
        view! { <tr class="border-b border-line align-top">{columns.collect_view()}</tr> }.into_any()
    });
    view! {
        <table class="w-full text-left text-sm">
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
    .into_any()
}

/// Text with inline code.
fn inline_code(text: &str) -> Vec<AnyView> {
    let inlines = text.split('`').enumerate().map(|(index, part)| {
        let part = part.to_owned();
        match index % 2 {
            0 => part.into_any(),
            _ => view! { <code class="rounded bg-line/60 px-1 font-mono text-[0.85em] wrap-anywhere">{part}</code> }
                .into_any(),
        }
    });
    inlines.collect()
}
