//! Traceability: each invariant of `docs/invariants.md` and each statement of `docs/specification.md` has a test.
//!
//! A mark is a comment above a test: `// invariant: SLUG`, or `// spec: WORDS` with words that occur exactly once in the
//! numbered sections of the specification.

use std::ops::Range;

use regex::{Captures, Regex};

use crate::process::Failure;
use crate::workspace::Workspace;

const INVARIANTS: &str = "docs/invariants.md";
const SPECIFICATION: &str = "docs/specification.md";

pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let (patterns, mut marks) = (patterns()?, Vec::new());
    for path in workspace.tracked_files()? {
        if [".rs", ".ts", ".tsx", ".mjs"].iter().any(|end| path.ends_with(end)) {
            marks.extend(marks_in(&path, &workspace.read(&path)?, &patterns)?);
        }
    }
    let mut mismatches = invariant_mismatches(&workspace.read(INVARIANTS)?, &marks)?;
    mismatches.extend(specification_mismatches(&workspace.read(SPECIFICATION)?, &marks)?);
    match mismatches.len() {
        0 => Ok(()),
        count => Err(Failure::new(format!("{count} mismatches of tests and documents")).with_output(mismatches)),
    }
}

struct Mark {
    kind: String,
    text: String,
    path: String,
}

/// The patterns of a mark and of a test's beginning.
fn patterns() -> Result<[Regex; 2], Failure> {
    Ok([Regex::new(r"(?m)^\s*// (invariant|spec): (.+)$")?, Regex::new(r"\bfn |\b(test|describe)(\.\w+)*\(")?])
}

/// The marks of a file. Each must be above a test.
fn marks_in(path: &str, file: &str, [mark, test]: &[Regex; 2]) -> Result<Vec<Mark>, Failure> {
    let marks = mark.captures_iter(file).map(|mark| {
        let (whole, [kind, text]) = mark.extract();
        let end = mark.get(0).map_or(file.len(), |mark| mark.end());
        if !test.is_match_at(file, end) {
            return Err(Failure::new(format!("{path}: `{}` is not above a test", whole.trim())));
        }
        Ok(Mark { kind: kind.to_owned(), text: text.to_owned(), path: path.to_owned() })
    });
    marks.collect()
}

/// Invariants without a mark, and marks of unknown invariants.
fn invariant_mismatches(list: &str, marks: &[Mark]) -> Result<Vec<String>, Failure> {
    let item = Regex::new(r"(?m)^- \*\*(.+?)\*\*:")?;
    let slugs: Vec<&str> = item.captures_iter(list).map(|item| item.extract::<1>().1[0]).collect();
    let marks = || marks.iter().filter(|mark| mark.kind == "invariant");
    let untested = slugs.iter().filter(|slug| !marks().any(|mark| mark.text == **slug));
    let untested = untested.map(|slug| format!("{INVARIANTS}: no test of {slug}"));
    let unknown = marks().filter(|mark| !slugs.contains(&mark.text.as_str()));
    Ok(untested.chain(unknown.map(|Mark { path, text, .. }| format!("{path}: unknown invariant {text}"))).collect())
}

/// Quotes that do not occur exactly once, and statements without a quote.
fn specification_mismatches(text: &str, marks: &[Mark]) -> Result<Vec<String>, Failure> {
    let sections = text.find("\n## ").and_then(|start| text.get(start..)).unwrap_or_default();
    let (mut quotes, mut mismatches): (Vec<Range<usize>>, _) = (Vec::new(), Vec::new());
    for Mark { text: words, path, .. } in marks.iter().filter(|mark| mark.kind == "spec") {
        match *sections.match_indices(words).collect::<Vec<_>>() {
            [(start, _)] => quotes.push(start..start.saturating_add(words.len())),
            ref found => mismatches.push(format!("{path}: `{words}` occurs {} times in {SPECIFICATION}", found.len())),
        }
    }
    for statement in statements(sections)? {
        if !quotes.iter().any(|quote| quote.start < statement.end && statement.start < quote.end) {
            let words = sections.get(statement).unwrap_or_default().trim();
            mismatches.push(format!("{SPECIFICATION}: no test of `{words}`"));
        }
    }
    Ok(mismatches)
}

/// The positions of all statements: sentences, and rows of tables.
fn statements(text: &str) -> Result<Vec<Range<usize>>, Failure> {
    // Each space after a sentence becomes a line break, which moves nothing.
    let end = Regex::new(r"(?m)^[#|].*$|; |\. [A-Z]")?;
    let broken =
        |end: &Captures<'_>| if end[0].starts_with(['#', '|']) { end[0].to_owned() } else { end[0].replace(' ', "\n") };
    let text = end.replace_all(text, broken);
    // Only the last alternative has a group, because headings and heads of tables state nothing.
    let statement = Regex::new(r"(?m)^#.*$|^\|.*\n\|-.*$|^(.+)$")?;
    Ok(statement.captures_iter(&text).filter_map(|line| line.get(1)).map(|statement| statement.range()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "intro\n\n## 2. Rules\n\n| a | b |\n|---|---|\n| /x | One. Two; 3 |\n\n- Emails match. The name; its end.\n";

    fn marks(text: &str) -> Vec<Mark> {
        marks_in("a.test.ts", text, &patterns().unwrap()).unwrap()
    }

    #[test]
    fn a_mark_without_a_test_is_refused_and_another_comment_is_no_mark() {
        assert!(marks_in("a.rs", "// spec: On.\n", &patterns().unwrap()).is_err());
        assert!(marks("// specific: On.\nlet a = 1; // spec: On.\ntest(\"x\")").is_empty());
        let found = marks("  // spec: On.\n  // invariant: no-loss\n  test.each([])(\"x\", () => {});\n");
        assert_eq!((found[0].text.as_str(), found[1].text.as_str()), ("On.", "no-loss"));
    }

    #[test]
    fn an_invariant_needs_a_mark_and_a_mark_an_invariant() {
        let list = "- **no-loss**: Nothing.\n  - Not tested: **x**:\n- **no-gain**: Neither.\n";
        let found = invariant_mismatches(list, &marks("// invariant: no-loss\n// invariant: no-los\ntest(")).unwrap();
        assert_eq!(found, ["docs/invariants.md: no test of no-gain", "a.test.ts: unknown invariant no-los"]);
    }

    #[test]
    fn every_sentence_and_every_row_needs_a_quote() {
        let found = specification_mismatches(TEXT, &marks("// spec: Emails\n// spec: Two\ntest(")).unwrap();
        assert_eq!(found, ["The name;", "its end."].map(|words| format!("{SPECIFICATION}: no test of `{words}`")));
        let all = marks("// spec: match. The\n// spec: end\n// spec: | /x |\ntest(");
        assert_eq!(specification_mismatches(TEXT, &all).unwrap(), [""; 0]);
    }

    #[test]
    fn a_quote_occurs_exactly_once_in_the_numbered_sections() {
        let text = marks(
            "// spec: One. Two; 3\n// spec: Emails match. The name; its\n// spec: its\n// spec: intro\n// spec: m\ntest(",
        );
        let found = specification_mismatches(TEXT, &text).unwrap();
        assert_eq!(found[0], "a.test.ts: `intro` occurs 0 times in docs/specification.md");
        assert_eq!(found[1], "a.test.ts: `m` occurs 3 times in docs/specification.md");
    }
}
