//! Builds, lints and tests for the host.

use std::path::Path;
use std::process::Command;
use std::thread;

use crate::process::{Failure, Finished, capture, cargo, must_succeed};
use crate::workspace::{Workspace, variables};

/// Every command selects the whole workspace: another selection enables other features of shared dependencies, and
/// compiles them again.
const SELECTION: [&str; 2] = ["--release", "--workspace"];

/// PostgreSQL server of the black-box tests. Without it they use SQLite.
const DATABASE: &str = "TEST_DATABASE_URL";
/// Folder of PostgreSQL's programs, for tests that stop a server.
const PROGRAMS: &str = "TEST_POSTGRES_PROGRAMS";
/// A shop opens up to 16 connections and some tests start two shops: this stays below PostgreSQL's default of 100.
const TEST_THREADS: usize = 3;

pub fn build_server(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["build", "--bin", "nudgelight"]).args(SELECTION);
    must_succeed(&mut command).map(drop)
}

/// The server, the benchmarks and their reference servers.
pub fn build_benchmarks(workspace: &Workspace, profile: &str) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["build", "--workspace", "--bins", "--profile", profile]);
    must_succeed(&mut command).map(drop)
}

/// The output of the function benchmarks (divan).
pub fn measure_functions(workspace: &Workspace, profile: &str) -> Result<Vec<String>, Failure> {
    let mut command = cargo_here(workspace);
    command.args(["bench", "--workspace", "--bench", "functions", "--profile", profile]);
    must_succeed(&mut command).map(|finished| finished.lines)
}

/// A program that prints a generated file.
pub fn build_example(workspace: &Workspace, name: &str) -> Result<(), Failure> {
    let mut command = cargo_here(workspace);
    command.args(["build", "--example", name]).args(SELECTION);
    must_succeed(&mut command).map(drop)
}

/// The server and all test programs, in one build.
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

/// The black-box tests on the PostgreSQL server at `database_url`. Each shop gets a database of its own; some tests start
/// a server with PostgreSQL's `programs`.
pub fn test_on(workspace: &Workspace, database_url: &str, programs: &Path) -> Result<Finished, Failure> {
    let threads = thread::available_parallelism().map_or(1, |cores| cores.get().min(TEST_THREADS));
    let mut command = cargo_here(workspace);
    // The driver would use these for missing parts of the URL.
    for setting in variables(&["PG"]) {
        command.env_remove(setting);
    }
    command.env(DATABASE, database_url).env(PROGRAMS, programs).args(["test", "--test", "it"]).args(SELECTION).args([
        "--",
        "--include-ignored",
        "--skip",
        "architecture::",
        "--test-threads",
        &threads.to_string(),
    ]);
    capture(&mut command)
}

/// Module of the invariants' tests among the black-box tests.
pub const INVARIANTS: &str = "invariants::";

/// A stress run of some invariants: the duration of each, the first seed and the database.
pub struct StressRun<'a> {
    pub invariants: &'a [String],
    pub seconds: u64,
    pub seed: u64,
    pub database_url: Option<&'a str>,
}

/// The test names of all invariants.
pub fn list_invariants(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let mut command = cargo_here(workspace);
    command.args(["test", "--test", "it"]).args(SELECTION).args(["--", "--list", INVARIANTS]);
    let listed = must_succeed(&mut command)?;
    Ok(listed.lines.iter().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Runs the tests one after the other, so that each has the whole machine.
pub fn stress(workspace: &Workspace, run: &StressRun) -> Result<Finished, Failure> {
    let mut command = cargo_here(workspace);
    for setting in variables(&["PG"]) {
        command.env_remove(setting);
    }
    command.env_remove(DATABASE);
    if let Some(url) = run.database_url {
        command.env(DATABASE, url);
    }
    command
        .env("STRESS_SECONDS", run.seconds.to_string())
        .env("STRESS_SEED", run.seed.to_string())
        .args(["test", "--test", "it"])
        .args(SELECTION)
        .args(["--", "--exact", "--nocapture", "--test-threads", "1"])
        .args(run.invariants);
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
