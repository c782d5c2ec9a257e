//! Every described call, made in every way that schemathesis can think of: by a customer, then by an administrator.
//! No answer may be a fault of the server, have a status or a form that is not described, or be given to somebody
//! who has not said who they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Failure, Finished, capture, must_succeed, stdout_of};
use crate::programs::Programs;
use crate::shop::{PASSWORD, Shop};
use crate::workspace::Workspace;

const REQUIREMENTS: &str = include_str!("../schemathesis.txt");
const CHECKS: &str = "not_a_server_error,status_code_conformance,response_schema_conformance,ignored_auth";
const CALLERS: [&str; 2] = ["customer@nudgelight.example", "admin@nudgelight.example"];
const SCRIPTS: &str = if cfg!(windows) { "Scripts" } else { "bin" };

pub const PROGRAMS: Programs = Programs {
    names: "Python 3.10 or newer with its `venv` module",
    package: "python3-venv",
    are_installed: has_python,
    only_for: None,
};

fn has_python() -> bool {
    let script = "import sys, venv, ensurepip; assert sys.version_info >= (3, 10)";
    stdout_of(Command::new("python3").args(["-c", script])).is_some()
}

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    both(workspace, &["--max-examples", "30", "--seed", "1"])
}

/// As many calls as fit into the time, half of it for each caller, who takes a minute to have begun.
pub fn prove(workspace: &Workspace, seconds: u64, seed: u64) -> Result<Finished, Failure> {
    let (time, seed) = ((seconds / 2).max(60).to_string(), (seed % 4_294_967_296).to_string());
    both(workspace, &["--max-examples", "100000", "--max-time", &time, "--seed", &seed])
}

/// How many calls schemathesis says it made.
pub fn count(lines: &[String]) -> u64 {
    let generated = lines.iter().filter_map(|line| line.split_once(" generated,"));
    generated
        .filter_map(|(before, _)| before.split_whitespace().next_back()?.replace(',', "").parse::<u64>().ok())
        .sum()
}

fn both(workspace: &Workspace, extent: &[&str]) -> Result<Finished, Failure> {
    let environment = installed(workspace)?;
    // Nobody is slowed down, and nobody has to solve a puzzle first.
    let shop = Shop::open(workspace, "calls", &[("SHOP_RATE_LIMITS", "off"), ("SHOP_BOT_CHECK", "off")])?;
    let mut finished = run(workspace, &environment, &shop, CALLERS[0], extent)?;
    let second = run(workspace, &environment, &shop, CALLERS[1], extent)?;
    finished.lines.extend(second.lines);
    if finished.status.success() {
        finished.status = second.status;
    }
    shop.leave(&finished);
    Ok(finished)
}

fn run(
    workspace: &Workspace,
    environment: &Path,
    shop: &Shop,
    caller: &str,
    extent: &[&str],
) -> Result<Finished, Failure> {
    let report = shop.data.join("schemathesis.xml");
    let mut command = Command::new(environment.join(SCRIPTS).join("schemathesis"));
    command
        .arg("--config-file")
        .arg(workspace.root.join("xtask/schemathesis.toml"))
        .arg("run")
        .arg(format!("{}/openapi.json", shop.url))
        .args(["--checks", CHECKS, "--no-shrink", "--warnings", "off"])
        .args(extent)
        .args(["--no-color", "--report", "junit", "--report-junit-path"])
        .arg(&report)
        .current_dir(&shop.data)
        .env("SHOP_USER", caller)
        .env("SHOP_PASSWORD", PASSWORD);
    let mut finished = capture(&mut command)?;
    // The counts stand in the report alone.
    let report = fs::read_to_string(&report).unwrap_or_default();
    finished.lines.extend(report.lines().filter(|line| line.starts_with("<testsuites ")).map(str::to_owned));
    Ok(finished)
}

/// The environment with exactly the listed packages, made once for all clones of this user.
fn installed(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let environment = workspace.tools.join("schemathesis");
    let stamp = environment.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|kept| kept == REQUIREMENTS) {
        return Ok(environment);
    }
    must_succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
    let requirements = workspace.root.join("xtask/schemathesis.txt");
    let mut pip = Command::new(environment.join(SCRIPTS).join("pip"));
    must_succeed(pip.args(["install", "--quiet", "--disable-pip-version-check", "--requirement"]).arg(requirements))?;
    fs::write(&stamp, REQUIREMENTS).map_err(|error| Failure::new(format!("{}: {error}", stamp.display())))?;
    Ok(environment)
}
