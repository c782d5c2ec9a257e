//! API fuzzing with schemathesis: every operation of the OpenAPI document, as a customer and as an administrator. No
//! response may be a server error, violate the document or ignore missing authentication.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Failure, Finished, capture, must_succeed, stdout_of};
use crate::programs::Programs;
use crate::shop::{PASSWORD, Shop};
use crate::workspace::Workspace;

const REQUIREMENTS: &str = include_str!("../schemathesis.txt");
const CHECKS: &str = "not_a_server_error,status_code_conformance,response_schema_conformance,ignored_auth";
const USERS: [&str; 2] = ["customer@nudgelight.example", "admin@nudgelight.example"];
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
    as_both_users(workspace, &["--max-examples", "30", "--seed", "1"])
}

/// As many requests as fit into the time, half of it for each user. A user needs a minute to start.
pub fn stress(workspace: &Workspace, seconds: u64, seed: u64) -> Result<Finished, Failure> {
    let (time, seed) = ((seconds / 2).max(60).to_string(), (seed % 4_294_967_296).to_string());
    as_both_users(workspace, &["--max-examples", "100000", "--max-time", &time, "--seed", &seed])
}

/// The number of requests in schemathesis' output.
pub fn count(lines: &[String]) -> u64 {
    let generated = lines.iter().filter_map(|line| line.split_once(" generated,"));
    generated
        .filter_map(|(before, _)| before.split_whitespace().next_back()?.replace(',', "").parse::<u64>().ok())
        .sum()
}

fn as_both_users(workspace: &Workspace, limits: &[&str]) -> Result<Finished, Failure> {
    let environment = installed(workspace)?;
    let shop = Shop::open(workspace, "calls", &[("SHOP_RATE_LIMITS", "off"), ("SHOP_BOT_CHECK", "off")])?;
    let mut finished = run(workspace, &environment, &shop, USERS[0], limits)?;
    let second = run(workspace, &environment, &shop, USERS[1], limits)?;
    finished.lines.extend(second.lines);
    if finished.status.success() {
        finished.status = second.status;
    }
    shop.close_after(&finished);
    Ok(finished)
}

fn run(
    workspace: &Workspace,
    environment: &Path,
    shop: &Shop,
    user: &str,
    limits: &[&str],
) -> Result<Finished, Failure> {
    let report = shop.data.join("schemathesis.xml");
    let mut command = Command::new(environment.join(SCRIPTS).join("schemathesis"));
    command
        .arg("--config-file")
        .arg(workspace.root.join("xtask/schemathesis.toml"))
        .arg("run")
        .arg(format!("{}/openapi.json", shop.url))
        .args(["--checks", CHECKS, "--no-shrink", "--warnings", "off"])
        .args(limits)
        .args(["--no-color", "--report", "junit", "--report-junit-path"])
        .arg(&report)
        .current_dir(&shop.data)
        .env("SHOP_USER", user)
        .env("SHOP_PASSWORD", PASSWORD);
    let mut finished = capture(&mut command)?;
    // Only the report has the counts.
    let report = fs::read_to_string(&report).unwrap_or_default();
    finished.lines.extend(report.lines().filter(|line| line.starts_with("<testsuites ")).map(str::to_owned));
    Ok(finished)
}

/// The Python environment with exactly the listed packages, shared by all clones of this user.
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
