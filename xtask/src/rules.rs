//! `docs/proof.md`: the rules and the tests of each, from `xtask/rules.md` and the marks in the tests (`// rule N, M`).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::marks::{self, Mark};
use crate::process::Failure;
use crate::workspace::Workspace;

const HEAD: &str = "# The rules and their tests\n\n\
    Each rule is followed by the tests that check it. The tests in `server/tests/it` run on SQLite and on PostgreSQL. \
    `cargo xtask gen` writes this page from `xtask/rules.md` and from the marks in the tests (`// rule N`). \
    `cargo xtask check` fails if the page is stale, or if a rule has neither a test nor a stated gap. \
    No test asserts a duration, because it would fail on a busy machine.\n\n";

const SIGN: &str = "// rule ";
const RULES: &str = include_str!("../rules.md");

struct Rule {
    number: u32,
    section: String,
    text: String,
    /// The part without a test, and the reason.
    gap: Option<String>,
}

/// A test and its rules.
struct Shown {
    numbers: BTreeSet<u32>,
    test: String,
    file: String,
}

pub fn write(workspace: &Workspace) -> Result<(), Failure> {
    let (path, page) = (path(workspace), render(&workspace.root)?);
    fs::write(&path, page).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// Fails if the page does not match the rules and the tests.
pub fn is_fresh(workspace: &Workspace) -> Result<(), Failure> {
    if fs::read_to_string(path(workspace)).unwrap_or_default() == render(&workspace.root)? {
        return Ok(());
    }
    Err(Failure::new("docs/proof.md is stale: run `cargo xtask gen`"))
}

fn path(workspace: &Workspace) -> PathBuf {
    workspace.root.join("docs/proof.md")
}

fn render(root: &Path) -> Result<String, Failure> {
    let rules = parse(RULES)?;
    let shown = marks::find(root, SIGN)?.into_iter().map(shown_by).collect::<Result<Vec<_>, _>>()?;
    let faults = faults(&rules, &shown);
    if faults.is_empty() {
        return Ok(page(&rules, &shown));
    }
    Err(Failure::new(format!("the rules and the marks in the tests do not match:\n{}", faults.join("\n"))))
}

fn parse(text: &str) -> Result<Vec<Rule>, Failure> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut section = String::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
        } else if let Some(gap) = line.trim_start().strip_prefix("> ") {
            let rule = rules.last_mut().ok_or_else(|| Failure::new("xtask/rules.md begins with a gap"))?;
            rule.gap = Some(gap.to_owned());
        } else if let Some((number, text)) = line.split_once(". ")
            && let Ok(number) = number.parse()
        {
            rules.push(Rule { number, section: section.clone(), text: text.to_owned(), gap: None });
        }
    }
    Ok(rules)
}

fn shown_by(mark: Mark) -> Result<Shown, Failure> {
    let Mark { text, test, file } = mark;
    let numbers: Result<BTreeSet<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.map_err(|_| Failure::new(format!("{file}: `{SIGN}{text}` is not `{SIGN}N, M`")))?;
    Ok(Shown { numbers, test, file })
}

/// Rules without a test and without a stated gap, and marks of unknown rules.
fn faults(rules: &[Rule], shown: &[Shown]) -> Vec<String> {
    let known: BTreeSet<u32> = rules.iter().map(|rule| rule.number).collect();
    let is_shown = |rule: &Rule| shown.iter().any(|shown| shown.numbers.contains(&rule.number));
    let bare = rules.iter().filter(|rule| rule.gap.is_none() && !is_shown(rule));
    let bare = bare.map(|rule| format!("xtask/rules.md: no test shows rule {}, and it names no gap", rule.number));
    let astray = shown.iter().flat_map(|shown| {
        shown.numbers.difference(&known).map(move |number| format!("{}: there is no rule {number}", shown.file))
    });
    bare.chain(astray).collect()
}

fn page(rules: &[Rule], shown: &[Shown]) -> String {
    let mut page = HEAD.to_owned();
    let mut section = "";
    for rule in rules {
        if rule.section != section {
            section = &rule.section;
            page += &format!("## {section}\n\n");
        }
        // Writing to a String cannot fail.
        let _ = writeln!(page, "**{}** {}\n", rule.number, rule.text);
        if let Some(gap) = &rule.gap {
            let _ = writeln!(page, "> Not reached: {gap}\n");
        }
        let mut tests = shown.iter().filter(|shown| shown.numbers.contains(&rule.number)).peekable();
        let is_shown = tests.peek().is_some();
        for Shown { test, file, .. } in tests {
            let _ = writeln!(page, "- *{test}* (`{file}`)");
        }
        if is_shown {
            page.push('\n');
        }
    }
    page.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::{RULES, Shown, faults, page, parse};

    fn shown(number: u32) -> Shown {
        Shown { numbers: [number].into(), test: "it_holds".to_owned(), file: "a.rs".to_owned() }
    }

    #[test]
    fn a_rule_needs_a_test_or_an_admission() {
        let rules = parse("## Money\n\n1. One.\n2. Two.\n   > a part of it.\n").unwrap();
        assert_eq!(faults(&rules, &[]), ["xtask/rules.md: no test shows rule 1, and it names no gap"]);
        assert_eq!(faults(&rules, &[shown(1), shown(3)]), ["a.rs: there is no rule 3"]);
        let written = page(&rules, &[shown(1)]);
        assert!(written.contains("**1** One.\n\n- *it_holds* (`a.rs`)\n"), "{written}");
        assert!(written.ends_with("**2** Two.\n\n> Not reached: a part of it.\n"), "{written}");
    }

    #[test]
    fn the_rules_are_numbered_one_after_the_other() {
        let numbers: Vec<u32> = parse(RULES).unwrap().iter().map(|rule| rule.number).collect();
        assert!(numbers.iter().copied().eq(1..=64), "{numbers:?}");
    }
}
