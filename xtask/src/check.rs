//! `cargo xtask check`: formatting, lints and other static checks.

use crate::calls;
use crate::coverage;
use crate::dependencies;
use crate::embedded;
use crate::generate;
use crate::native;
use crate::process::Failure;
use crate::retired_names;
use crate::rules;
use crate::schedule;
use crate::setup::{self, BOARD_TARGET, BROWSER_TARGET, NEWER_BOARD_TARGET};
use crate::shell;
use crate::size;
use crate::stages::Stages;
use crate::wasm;
use crate::workspace::Workspace;

pub const COMPONENTS: [&str; 2] = ["rustfmt", "clippy"];

/// Updates the generated packages, builds the shell (the server embeds it), then runs the checks.
pub fn prepared(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", || {
        setup::requirements(&[BROWSER_TARGET, BOARD_TARGET, NEWER_BOARD_TARGET], &COMPONENTS)
    })?;
    generate::browser_packages(workspace, stages)?;
    stages.run("shell", || shell::build(workspace))?;
    let failures = check(workspace, stages);
    println!("\n{}", stages.table());
    match failures.as_slice() {
        [] => Ok(()),
        failures => Err(Failure::new(format!("{} checks failed", failures.len()))),
    }
}

/// Runs every check, even after a failed one, and returns the failures.
pub fn check(workspace: &Workspace, stages: &Stages) -> Vec<Failure> {
    type Check = fn(&Workspace) -> Result<(), Failure>;
    let checks: [(&'static str, Check); 15] = [
        ("format", native::formatted),
        ("format, firmware", embedded::formatted),
        ("lints", native::lint),
        ("lints, browser", wasm::lint),
        ("lints, firmware", embedded::lint),
        ("dependencies", dependencies::check),
        ("board", embedded::compile),
        ("schedule on the board", schedule::budget::keep),
        ("schedule's files", schedule::is_fresh),
        ("types of calls", calls::types_are_fresh),
        ("specification", coverage::is_fresh),
        ("rules", rules::is_fresh),
        ("retired names", retired_names::check),
        ("types and lints, shell", shell::check),
        ("size of what browsers load", size::check),
    ];
    checks.into_iter().filter_map(|(name, check)| stages.run(name, || check(workspace)).err()).collect()
}
