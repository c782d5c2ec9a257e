//! Checks of the documents: each invariant of `docs/invariants.md` and each statement of `docs/specification.md` has a
//! test, and no document has a placeholder.
//!
//! A mark is a comment above a test: `// invariant: SLUG`, or `// spec: WORDS` with words that occur exactly once in the
//! numbered sections of the specification.

use std::ops::Range;

use regex::{Captures, Regex};

use crate::process::Failure;
use crate::workspace::Workspace;

const INVARIANTS: &str = "docs/invariants.md";
const SPECIFICATION: &str = "docs/specification.md";
/// What an author meant to fill in, such as `TBD` or `LATENCY_MS`.
const PLACEHOLDER: &str = r"\b(?:TODO|TBD|FIXME|XXX?|[A-Z]+_[A-Z_]+)\b|\?\?\?|^[A-Z]{4,}$";
/// Code and links, where such names are right.
const CODE: &str = r"(?s)```.*?```|`[^`\n]*`|\]\([^)]*\)";

pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let (patterns, mut marks, mut mismatches) = (patterns()?, Vec::new(), Vec::new());
    for path in workspace.tracked_files()? {
        if [".rs", ".ts", ".tsx", ".mjs"].iter().any(|end| path.ends_with(end)) {
            marks.extend(marks_in(&path, &workspace.read(&path)?, &patterns)?);
        } else if path.ends_with(".md") {
            mismatches.extend(placeholders(&path, &workspace.read(&path)?)?);
        }
    }
    mismatches.extend(invariant_mismatches(&workspace.read(INVARIANTS)?, &marks)?);
    mismatches.extend(specification_mismatches(&workspace.read(SPECIFICATION)?, &marks)?);
    match mismatches.len() {
        0 => Ok(()),
        count => Err(Failure::new(format!("{count} mismatches of tests and documents")).with_output(mismatches)),
    }
}

/// The placeholders of a document.
fn placeholders(path: &str, text: &str) -> Result<Vec<String>, Failure> {
    let (code, placeholder) = (Regex::new(CODE)?, Regex::new(PLACEHOLDER)?);
    let text = code.replace_all(text, "");
    let found = text.lines().filter_map(|line| placeholder.find(line));
    Ok(found.map(|word| format!("{path}: the placeholder {}", word.as_str())).collect())
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
    fn a_placeholder_is_found_outside_of_code() {
        let text = "It takes SEARCH_TIME (TBD).\n\n```sh\nexport SMTP_URL=\n```\nSet `SMTP_URL`.\n\nTABLE\n\nOK\n";
        let found = ["SEARCH_TIME", "TABLE"].map(|word| format!("a.md: the placeholder {word}"));
        assert_eq!(placeholders("a.md", text).unwrap(), found);
        assert_eq!(placeholders("a.md", "For whom???").unwrap().len(), 1);
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
    fn every_sentence_and_every_row_needs_a_quote_that_occurs_once() {
        let found = |comments: &str| specification_mismatches(TEXT, &marks(&format!("{comments}test("))).unwrap();
        let untested = ["The name;", "its end."].map(|words| format!("{SPECIFICATION}: no test of `{words}`"));
        assert_eq!(found("// spec: Emails\n// spec: Two\n"), untested);
        assert_eq!(found("// spec: match. The\n// spec: end\n// spec: | /x |\n"), [""; 0]);
        let often = found("// spec: match. The\n// spec: end\n// spec: | /x |\n// spec: intro\n// spec: m\n");
        assert_eq!(
            often,
            ["`intro` occurs 0 times", "`m` occurs 3 times"]
                .map(|text| format!("a.test.ts: {text} in {SPECIFICATION}"))
        );
    }
}
