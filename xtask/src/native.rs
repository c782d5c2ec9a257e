//! What cargo builds, lints and tests for the machine itself.

use std::path::Path;
use std::process::Command;
use std::thread;

use crate::process::{Failure, Finished, capture, cargo, must_succeed};
use crate::workspace::{Workspace, variables};

/// Every command names the whole workspace: which packages are chosen decides which features their common dependencies
/// get, and each other choice would compile them again.
const SELECTION: [&str; 2] = ["--release", "--workspace"];

/// Where the black-box tests make their databases; without it each shop has a file.
const DATABASE: &str = "TEST_DATABASE_URL";
/// With what the black-box tests make a PostgreSQL that they may stop.
const PROGRAMS: &str = "TEST_POSTGRES_PROGRAMS";
/// A shop opens at most 16 connections and some tests start two shops: this stays below PostgreSQL's usual 100.
const SHOPS_AT_ONCE: usize = 3;

pub fn build_server(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["build", "--bin", "nudgelight"]).args(SELECTION);
    must_succeed(&mut command).map(drop)
}

/// The server and what it is measured against, by the profile that is named.
pub fn build_measured(workspace: &Workspace, profile: &str) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["build", "--workspace", "--bins", "--profile", profile]);
    must_succeed(&mut command).map(drop)
}

/// What divan prints of the functions that are measured one by one.
pub fn measure_functions(workspace: &Workspace, profile: &str) -> Result<Vec<String>, Failure> {
    let mut command = cargo_here(workspace);
    command.args(["bench", "--workspace", "--bench", "functions", "--profile", profile]);
    must_succeed(&mut command).map(|finished| finished.lines)
}

/// A program that prints something generated.
pub fn build_example(workspace: &Workspace, name: &str) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["build", "--example", name]).args(SELECTION);
    must_succeed(&mut command).map(drop)
}

/// The server and all test programs. One build for both: `cargo test` also leaves the server's binary.
pub fn compile_tests(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["test", "--no-run"]).args(SELECTION);
    must_succeed(&mut command).map(drop)
}

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let mut command = cargo_here(workspace);
    command.args(["test", "--no-fail-fast"]).args(SELECTION).env_remove(DATABASE);
    capture(&mut command)
}

/// The black-box tests on the server at `database_url`, where each shop gets a database of its own, and those that
/// make a server of their own with PostgreSQL's `programs`.
pub fn test_on(workspace: &Workspace, database_url: &str, programs: &Path) -> Result<Finished, Failure> {
    let at_once = thread::available_parallelism().map_or(1, |cores| cores.get().min(SHOPS_AT_ONCE));
    let mut command = cargo_here(workspace);
    // The driver takes what a URL leaves out from variables of the person's own PostgreSQL.
    for setting in variables(&["PG"]) {
        command.env_remove(setting);
    }
    command.env(DATABASE, database_url).env(PROGRAMS, programs).args(["test", "--test", "it"]).args(SELECTION).args([
        "--",
        "--include-ignored",
        "--skip",
        "architecture::",
        "--test-threads",
        &at_once.to_string(),
    ]);
    capture(&mut command)
}

/// Where the laws of `cargo xtask prove` begin among the black-box tests.
const LAWS: &str = "proof::";

/// How long each of these laws is tried, from which seed on, and where.
pub struct LongForm<'a> {
    pub laws: &'a [String],
    pub seconds: u64,
    pub seed: u64,
    pub database_url: Option<&'a str>,
}

/// The paths of all laws.
pub fn list_laws(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let mut command = cargo_here(workspace);
    command.args(["test", "--test", "it"]).args(SELECTION).args(["--", "--list", LAWS]);
    let listed = must_succeed(&mut command)?;
    Ok(listed.lines.iter().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Tries them one after the other, so that each has the machine for itself.
pub fn prove(workspace: &Workspace, form: &LongForm) -> Result<Finished, Failure> {
    let mut command = cargo_here(workspace);
    for setting in variables(&["PG"]) {
        command.env_remove(setting);
    }
    command.env_remove(DATABASE);
    if let Some(url) = form.database_url {
        command.env(DATABASE, url);
    }
    command
        .env("PROOF_SECONDS", form.seconds.to_string())
        .env("PROOF_SEED", form.seed.to_string())
        .args(["test", "--test", "it"])
        .args(SELECTION)
        .args(["--", "--exact", "--nocapture", "--test-threads", "1"])
        .args(form.laws);
    capture(&mut command)
}

pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["clippy", "--all-targets"]).args(SELECTION).args(["--", "-D", "warnings"]);
    must_succeed(&mut command).map(drop)
}

pub fn formatted(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    must_succeed(command.args(["fmt", "--all", "--check"])).map(drop)
}

fn cargo_here(workspace: &Workspace) -> Command {
    let mut command = cargo();
    command.current_dir(&workspace.root);
    command
}
