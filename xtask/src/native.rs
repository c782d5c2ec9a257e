//! What cargo builds, lints and tests for the machine itself.

use std::process::Command;

use crate::process::{Failure, Finished, cargo, must, watch};
use crate::workspace::Workspace;

/// Every command names the whole workspace: which packages are chosen decides which features their common dependencies
/// get, and each other choice would compile them again.
const SELECTION: [&str; 2] = ["--release", "--workspace"];

pub fn build_server(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["build", "--bin", "nudgelight"]).args(SELECTION);
    must("server", &mut command).map(drop)
}

/// The server and all test programs. One build for both: `cargo test` also leaves the server's binary.
pub fn compile_tests(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["test", "--no-run"]).args(SELECTION);
    must("server", &mut command).map(drop)
}

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let mut command = cargo_here(workspace);
    command.args(["test", "--no-fail-fast"]).args(SELECTION);
    watch("native", &mut command)
}

pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["clippy", "--all-targets"]).args(SELECTION).args(["--", "-D", "warnings"]);
    must("clippy", &mut command).map(drop)
}

pub fn formatted(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    must("fmt", command.args(["fmt", "--all", "--check"])).map(drop)
}

fn cargo_here(workspace: &Workspace) -> Command {
    let mut command = cargo();
    command.current_dir(&workspace.root);
    command
}
