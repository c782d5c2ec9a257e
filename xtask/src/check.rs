//! `cargo xtask check`: formatting, lints and other static checks.

use crate::calls;
use crate::dependencies;
use crate::embedded;
use crate::generate;
use crate::native;
use crate::process::Failure;
use crate::retired_names;
use crate::schedule;
use crate::setup::{self, BOARD_TARGET, BROWSER_TARGET, NEWER_BOARD_TARGET};
use crate::shell;
use crate::size;
use crate::stages::Stages;
use crate::traceability;
use crate::wasm;
use crate::workspace::Workspace;

pub const COMPONENTS: [&str; 2] = ["rustfmt", "clippy"];

type Check = fn(&Workspace) -> Result<(), Failure>;

const CHECKS: [(&str, Check); 14] = [
    ("format", native::formatted),
    ("firmware format", embedded::formatted),
    ("lints", native::lint),
    ("browser lints", wasm::lint),
    ("firmware lints", embedded::lint),
    ("dependencies", dependencies::check),
    ("board", embedded::compile),
    ("schedule size", schedule::budget::keep),
    ("schedule files", schedule::is_fresh),
    ("API types", calls::types_are_fresh),
    ("traceability", traceability::check),
    ("retired names", retired_names::check),
    ("shell", shell::check),
    ("download size", size::check),
];

/// The values of `--only`.
pub fn names() -> [&'static str; CHECKS.len()] {
    CHECKS.map(|(name, _)| name)
}

/// `cargo xtask check`: updates the generated packages, builds the shell (the server embeds it), then runs the checks.
/// With `only` nothing is built first.
pub fn run(workspace: &Workspace, stages: &Stages, only: &[String]) -> Result<(), Failure> {
    if only.is_empty() {
        prepare(workspace, stages)?;
    }
    let count = check(workspace, stages, only).len();
    println!("\n{}", stages.table());
    if count == 0 { Ok(()) } else { Err(Failure::new(format!("{count} checks failed"))) }
}

fn prepare(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", || {
        setup::requirements(&[BROWSER_TARGET, BOARD_TARGET, NEWER_BOARD_TARGET], &COMPONENTS)
    })?;
    generate::browser_packages(workspace, stages)?;
    stages.run("shell build", || shell::build(workspace))
}

/// Runs every check, even after a failed one, and returns the failures.
pub fn check(workspace: &Workspace, stages: &Stages, only: &[String]) -> Vec<Failure> {
    let wanted = CHECKS.into_iter().filter(|(name, _)| only.is_empty() || only.iter().any(|wanted| wanted == name));
    wanted.filter_map(|(name, check)| stages.run(name, || check(workspace)).err()).collect()
}
