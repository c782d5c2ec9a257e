//! Traceability: `docs/spec-coverage.md` lists the tests of each line of the specification.
//!
//! A mark is a comment above a test, `// spec LINE: words of that line`. Every statement of the specification needs one. A
//! mark whose words are not in its line is an error.

mod specification;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use self::specification::Row;
use crate::marks::{self, Mark};
use crate::process::Failure;
use crate::workspace::Workspace;

const HEAD: &str = "# What shows each line of the specification\n\n\
    The numbers are lines of [specification.md](specification.md). Below each line stand the tests that show it, with \
    the words they show. `cargo xtask gen` makes this page from the marks in the tests (`// spec LINE: words`), and \
    `cargo xtask check` fails when it is stale or a statement has no test.\n";

const SIGN: &str = "// spec ";

/// A mark: the words of a line, and their test.
struct Quote {
    line: usize,
    words: String,
    test: String,
    file: String,
}

impl Quote {
    fn of(mark: Mark) -> Result<Self, Failure> {
        let Mark { text, test, file } = mark;
        let broken = |why: &str| Failure::new(format!("{file}: `{SIGN}{text}` {why}"));
        let (line, words) = text.split_once(": ").ok_or_else(|| broken("is not `// spec LINE: words`"))?;
        let line = line.parse().map_err(|_| broken("does not begin with the number of a line"))?;
        Ok(Self { line, words: words.trim().to_owned(), test, file })
    }
}

pub fn write(workspace: &Workspace) -> Result<(), Failure> {
    let page = page(workspace)?;
    let kept = kept(workspace);
    fs::write(&kept, page).map_err(|error| Failure::new(format!("{}: {error}", kept.display())))
}

/// Fails if the page does not match the marks.
pub fn is_fresh(workspace: &Workspace) -> Result<(), Failure> {
    let kept = fs::read_to_string(kept(workspace)).unwrap_or_default();
    if kept == page(workspace)? {
        return Ok(());
    }
    Err(Failure::new("docs/spec-coverage.md is stale: run `cargo xtask gen`"))
}

fn kept(workspace: &Workspace) -> PathBuf {
    workspace.root.join("docs/spec-coverage.md")
}

fn page(workspace: &Workspace) -> Result<String, Failure> {
    let source = workspace.root.join("docs/specification.md");
    let text = fs::read_to_string(&source).map_err(|error| Failure::new(format!("{}: {error}", source.display())))?;
    let rows = specification::rows(&text);
    let marks = marks::find(&workspace.root, SIGN)?.into_iter().map(Quote::of).collect::<Result<Vec<_>, _>>()?;
    let faults = faults(&rows, &marks);
    if faults.is_empty() {
        return Ok(render(&rows, &marks));
    }
    Err(Failure::new(format!("the specification and the marks in the tests do not match:\n{}", faults.join("\n"))))
}

/// Marks whose words are not in their line, and statements without a mark.
fn faults(rows: &[Row], marks: &[Quote]) -> Vec<String> {
    let by_line: BTreeMap<usize, &Row> = rows.iter().map(|row| (row.line, row)).collect();
    let astray = marks
        .iter()
        .filter(|mark| !by_line.get(&mark.line).is_some_and(|row| row.text.contains(&mark.words)))
        .map(|mark| format!("{}: line {} does not say \"{}\"", mark.file, mark.line, mark.words));
    let bare = rows.iter().flat_map(|row| {
        let quoted: Vec<&str> = quotes(row, marks).map(|mark| mark.words.as_str()).collect();
        row.bare_statements(&quoted)
            .into_iter()
            .map(|statement| format!("docs/specification.md:{}: no test shows: {statement}", row.line))
    });
    astray.chain(bare).collect()
}

fn render(rows: &[Row], marks: &[Quote]) -> String {
    let mut page = HEAD.to_owned();
    let mut section = "";
    for row in rows {
        if row.section != section {
            section = &row.section;
            page += &format!("\n## {section}\n");
        }
        page += &format!("\n**{}** {}\n\n", row.line, row.text.trim_matches('|').trim().replace(" | ", " · "));
        for mark in quotes(row, marks) {
            page += &format!("- “{}”: *{}* (`{}`)\n", mark.words, mark.test, mark.file);
        }
    }
    page
}

fn quotes<'a>(row: &'a Row, marks: &'a [Quote]) -> impl Iterator<Item = &'a Quote> {
    marks.iter().filter(move |mark| mark.line == row.line)
}

#[cfg(test)]
mod tests {
    use super::{Mark, Quote, faults, specification};

    const TEXT: &str = "## 5. Rules\n\n- Emails must match. The bot check must be ready.\n";

    fn mark(line: usize, words: &str) -> Quote {
        Quote { line, words: words.to_owned(), test: "it does".to_owned(), file: "a.test.ts".to_owned() }
    }

    #[test]
    fn every_statement_needs_a_mark() {
        let rows = specification::rows(TEXT);
        let found = faults(&rows, &[mark(3, "Emails must match.")]);
        assert_eq!(found, ["docs/specification.md:3: no test shows: The bot check must be ready."]);
        assert!(faults(&rows, &[mark(3, "match. The bot check")]).is_empty());
    }

    #[test]
    fn a_mark_must_quote_its_line() {
        let rows = specification::rows(TEXT);
        let found = faults(&rows, &[mark(3, "match. The bot check"), mark(3, "Passwords must match."), mark(4, "x")]);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn a_mark_without_a_line_or_words_is_refused() {
        for text in ["seven: On.", "7", "7:On."] {
            let mark = Mark { text: text.to_owned(), test: "it_does".to_owned(), file: "a.rs".to_owned() };
            assert!(Quote::of(mark).is_err(), "{text}");
        }
    }
}
