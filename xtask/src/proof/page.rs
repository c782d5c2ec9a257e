//! `docs/proof.md`: the counts of the last run, and the rules.

use std::fs;
use std::path::PathBuf;

use super::{machine, rules};
use crate::process::Failure;
use crate::workspace::Workspace;

const BEGIN: &str = "<!-- counts -->\n";
const END: &str = "<!-- end of counts -->\n";

const HEAD: &str = "# What this shop was tried with\n\n\
    A law is tried again and again, with chance deciding what happens and when; the shop's books are compared after \
    each trial. A number below says how often that was done and did not fail. It does not say that it cannot.\n\n\
    `cargo xtask prove --minutes 30` does it again, from another seed. A trial that fails names its seed, and \
    `PROOF_SEED` in front of the law's test makes it the first one. `cargo xtask test` runs the same laws for a few \
    trials each.\n\n";

const RULES: &str = "\n# The rules, and what shows each\n\n\
    Below each rule stand the tests that show it. Tests in `server/tests/it` run on SQLite and on PostgreSQL. \
    `cargo xtask gen` makes this part from `xtask/rules.md` and from the marks in the tests (`// rule N`), and \
    `cargo xtask check` fails when it is stale, or when a rule has neither a test nor a word on what is not reached of \
    it. No test asserts how long something takes, because a busy machine would make it fail.\n\n";

const MEASURED: &str = "What else was measured of the laws that put the shop under load. Their callers run on the \
    same machine and take their part of it.\n\n";

/// What is to be told of a run.
pub struct Run<'a> {
    pub minutes: u64,
    pub counts: &'a str,
    pub figures: &'a str,
}

/// The counts are new, the rules are as they are.
pub fn write_counts(workspace: &Workspace, run: &Run) -> Result<(), Failure> {
    let (today, machine) = (machine::today(), machine::description());
    let Run { minutes, counts, figures } = run;
    let said = format!("{today}, {minutes} minutes on {machine}.\n\n{counts}\n{MEASURED}{figures}");
    write(workspace, &said)
}

/// The rules are new, the counts are as they are.
pub fn write_rules(workspace: &Workspace) -> Result<(), Failure> {
    write(workspace, &kept_counts(workspace))
}

/// Fails when the kept page is not what the rules and the tests say today.
pub fn is_fresh(workspace: &Workspace) -> Result<(), Failure> {
    let kept = fs::read_to_string(path(workspace)).unwrap_or_default();
    if kept == page(workspace, &kept_counts(workspace))? {
        return Ok(());
    }
    Err(Failure::new("docs/proof.md is stale: run `cargo xtask gen`"))
}

fn write(workspace: &Workspace, counts: &str) -> Result<(), Failure> {
    let (path, page) = (path(workspace), page(workspace, counts)?);
    fs::write(&path, page).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn page(workspace: &Workspace, counts: &str) -> Result<String, Failure> {
    Ok([HEAD, BEGIN, counts, END, RULES, &rules::render(&workspace.root)?].concat())
}

fn kept_counts(workspace: &Workspace) -> String {
    let page = fs::read_to_string(path(workspace)).unwrap_or_default();
    let counts = page.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END)).map(|(counts, _)| counts);
    counts.unwrap_or_default().to_owned()
}

fn path(workspace: &Workspace) -> PathBuf {
    workspace.root.join("docs/proof.md")
}
