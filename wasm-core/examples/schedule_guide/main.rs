//! Prints `docs/guide/schedule.md`: `guide.md` with the cases of `testdata/schedules/` in the places of their names.
//! `cargo xtask gen` writes the file with it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use wasm_core::schedule::{self, Diagnostic, Problem, Severity, ZONE_TABLE_VERSION, zone_names};

const GUIDE: &str = include_str!("guide.md");

fn main() {
    let lines: Vec<String> = GUIDE.lines().map(line).collect();
    print!(
        "<!-- Made by `cargo xtask gen` from wasm-core/examples/schedule_guide/guide.md. -->\n\n{}",
        lines.join("\n")
    );
}

fn line(line: &str) -> String {
    match line.strip_prefix("{{").and_then(|line| line.strip_suffix("}}")) {
        Some("problems") => problems(),
        Some(case) => example(case),
        None => line.replace("{{edition}}", ZONE_TABLE_VERSION).replace("{{count}}", &zone_names().count().to_string()),
    }
}

/// A file, what is wrong with it, and what the tests expect the lamp to do.
fn example(case: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/schedules");
    let file = fs::read_to_string(folder.join(format!("{case}.txt"))).unwrap();
    let expected = fs::read_to_string(folder.join(format!("{case}.expect"))).unwrap();
    let mut text = format!("```text\n{}\n```\n", file.trim_end());
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    schedule::parse(&file, &mut |diagnostic| mistakes.push(diagnostic));
    for mistake in mistakes {
        write!(text, "\n- line {}: {mistake}", mistake.line).unwrap();
    }
    for fact in expected.lines().filter_map(fact) {
        write!(text, "\n- {fact}").unwrap();
    }
    text.trim_end().to_owned()
}

/// An expectation as a sentence; those that say nothing about the lamp or a setting give none.
fn fact(expectation: &str) -> Option<String> {
    let (kind, rest) = expectation.split_once(' ')?;
    let (first, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    match kind {
        "at" => Some(format!("at `{first}`: `{behind}`")),
        "next" => Some(format!("the next change after `{first}`: `{behind}`")),
        "shows" => Some(format!("means `{rest}`")),
        "wifi" | "password" => Some(format!("{kind}: `{rest}`")),
        _ => None,
    }
}

fn problems() -> String {
    let mut table = "| | what is wrong | expected |\n|---|---|---|".to_owned();
    for problem in Problem::ALL {
        let kind = match problem.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(table, "\n| {kind} | {} | {} |", problem.what(), problem.expected()).unwrap();
    }
    table
}
