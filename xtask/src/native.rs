//! Builds, lints and tests for the host.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::process::{Failure, Finished, capture, cargo, must_succeed, run};
use crate::programs::{Programs, has};
use crate::python;
use crate::workspace::{Workspace, variables};

/// PostgreSQL server of the black-box tests. Without it they use SQLite.
const DATABASE: &str = "TEST_DATABASE_URL";
/// Checks the alert rules and the queries of the dashboard.
pub const PROMTOOL: Programs =
    Programs::new("promtool", "prometheus", || has("promtool")).only_for("the tests of the alert rules");
/// Checks the journal export.
pub const HLEDGER: Programs =
    Programs::new("hledger", "hledger", || has("hledger")).only_for("the test of the journal");
/// Copies an SQLite database continuously.
pub const LITESTREAM: Programs = python::PROGRAMS.only_for("the restore of a copy by Litestream");
/// Litestream's path, for the test that restores its copy.
const LITESTREAM_PATH: &str = "TEST_LITESTREAM";
/// Folder of PostgreSQL's programs, for tests that stop a server.
const PROGRAMS: &str = "TEST_POSTGRES_PROGRAMS";
/// A shop opens up to 16 connections and some tests start two shops: this stays below the PostgreSQL server's limit.
const MAX_THREADS: usize = 8;
/// Most tests wait for timers and connections: with two threads a core, 30 % of the processor was idle.
const THREADS_PER_CORE: usize = 3;
/// Makes the test programs print durations, which stable Rust has only behind this variable. It is set for them alone.
const DURATIONS: [&str; 2] = ["--config", r#"target."cfg(unix)".runner=["env", "RUSTC_BOOTSTRAP=1"]"#];
/// Module of the invariants' tests among the black-box tests.
const INVARIANTS: &str = "invariants::";

/// The server for home and for tests. It reads what it serves from the build's folders.
pub fn build_server(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut all_crates(workspace, "build", "--bin nudgelight"))
}

/// The server that a shop runs, with everything that it serves inside.
pub fn build_release(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut all_crates(workspace, "build", "--release --bin nudgelight"))
}

/// The server, the benchmarks and their reference servers.
pub fn build_benchmarks(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut all_crates(workspace, "build", "--release --bins"))
}

/// The program that injects faults into the high-availability setup.
pub fn build_ha(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut all_crates(workspace, "build", "--bin ha"))
}

/// A program that prints a generated file.
pub fn build_example(workspace: &Workspace, name: &str) -> Result<(), Failure> {
    run(all_crates(workspace, "build", "--example").arg(name))
}

/// The server and all test programs, in one build.
pub fn compile_tests(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut all_crates(workspace, "test", "--no-run"))
}

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let mut command = timed_tests(workspace, "--no-fail-fast --lib --bins --tests");
    let tests = capture(command.env_remove(DATABASE).envs(litestream(workspace)?))?;
    // rustdoc runs these itself, and prints no durations.
    Ok(tests.and(capture(&mut all_crates(workspace, "test", "--no-fail-fast --doc"))?))
}

/// The black-box tests on the PostgreSQL server at `database_url`. Each shop gets a database of its own; some tests start
/// a server with PostgreSQL's `programs`.
pub fn test_on(workspace: &Workspace, database_url: &str, programs: &Path) -> Result<Finished, Failure> {
    let mut command = timed_tests(workspace, "--test it");
    command
        .args(["--skip", "architecture::", "--skip", "litestream"])
        .env(DATABASE, database_url)
        .env(PROGRAMS, programs);
    capture(&mut command)
}

/// The variable with Litestream's path. None without Python, and then its test is skipped.
fn litestream(workspace: &Workspace) -> Result<Option<(&'static str, PathBuf)>, Failure> {
    let is_installable = LITESTREAM.missing().is_none();
    let installed = is_installable.then(|| python::installed(workspace, "litestream")).transpose()?;
    Ok(installed.map(|program| (LITESTREAM_PATH, program)))
}

/// Tests that print their durations.
fn timed_tests(workspace: &Workspace, targets: &str) -> Command {
    let threads = thread::available_parallelism().map_or(1, |cores| MAX_THREADS.min(THREADS_PER_CORE * cores.get()));
    let mut command = all_crates(workspace, "test", targets);
    command.args(DURATIONS).args(["--", "-Z", "unstable-options", "--report-time"]);
    command.args(["--test-threads", &threads.to_string()]);
    command
}

/// A stress run of some invariants: the duration of each, the first seed and the database.
pub struct StressRun<'a> {
    pub invariants: &'a [String],
    pub seconds: u64,
    pub seed: u64,
    pub database_url: Option<String>,
}

/// The test names of all invariants.
pub fn list_invariants(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let listed = must_succeed(all_crates(workspace, "test", "--test it -- --list").arg(INVARIANTS))?;
    Ok(listed.lines.iter().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Runs the tests one after the other, so that each has the whole machine.
pub fn stress(workspace: &Workspace, stress: &StressRun) -> Result<Finished, Failure> {
    let mut command = all_crates(workspace, "test", "--test it -- --exact --nocapture --test-threads 1");
    command.args(stress.invariants).env_remove(DATABASE).envs(stress.database_url.as_ref().map(|url| (DATABASE, url)));
    command.envs(litestream(workspace)?);
    command.env("STRESS_SECONDS", stress.seconds.to_string()).env("STRESS_SEED", stress.seed.to_string());
    capture(&mut command)
}

pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut all_crates(workspace, "clippy", "--all-targets -- -D warnings"))
}

/// The workspace, and those of the device.
pub fn formatted(workspace: &Workspace) -> Result<(), Failure> {
    let folders = ["", "firmware", "firmware/budget"];
    folders.iter().try_for_each(|folder| run(&mut cargo(&workspace.root.join(folder), "fmt --all --check")))
}

/// Cargo without a selection of crates, like a developer's `cargo build` and `cargo test`. PostgreSQL's driver would use
/// the variables of its name for missing parts of a URL.
fn all_crates(workspace: &Workspace, verb: &str, arguments: &str) -> Command {
    let mut command = cargo(&workspace.root, &format!("{verb} {arguments}"));
    for name in variables(&["PG"]) {
        command.env_remove(name);
    }
    command
}
