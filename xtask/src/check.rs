//! `cargo xtask check`: formatting, lints and other static checks.

use std::process::Command;

use crate::process::{Failure, run};
use crate::stages::Stages;
use crate::workspace::Workspace;
use crate::{build, documents, firmware, generate, native, npm_packages, setup, shell, tools, wasm};

type Check = fn(&Workspace) -> Result<(), Failure>;

const CHECKS: [(&str, Check); 14] = [
    ("format", native::formatted),
    ("lints", native::lint),
    ("browser lints", wasm::lint),
    ("firmware lints", firmware::lint),
    ("dependencies", dependencies),
    ("board", firmware::compile),
    ("schedule size", |workspace| firmware::schedule_size(workspace).map(drop)),
    ("schedule files", generate::schedule_files_are_fresh),
    ("API types", generate::api_types_are_fresh),
    ("surface", npm_packages::check_surface),
    ("npm packages", npm_packages::check),
    ("documents", documents::check),
    ("shell", shell::check),
    ("download size", |workspace| shell::sizes(workspace).map(drop)),
];

/// The values of `--only`.
pub fn names() -> [&'static str; CHECKS.len()] {
    CHECKS.map(|(name, _)| name)
}

/// `cargo xtask check`. Without `only`, it builds the server and everything that the server embeds first.
pub fn check(workspace: &Workspace, stages: &Stages, only: &[String]) -> Result<(), Failure> {
    if only.is_empty() {
        stages.run("requirements", setup::for_tests)?;
        build::for_home(workspace, stages)?;
        build::for_npm(workspace, stages)?;
    }
    let count = run_all(workspace, stages, only).len();
    println!("\n{}", stages.table());
    if count == 0 { Ok(()) } else { Err(Failure::new(format!("{count} checks failed"))) }
}

/// Runs every check, even after a failed one, and returns the failures.
pub fn run_all(workspace: &Workspace, stages: &Stages, only: &[String]) -> Vec<Failure> {
    let wanted = CHECKS.into_iter().filter(|(name, _)| only.is_empty() || only.iter().any(|wanted| wanted == name));
    wanted.filter_map(|(name, check)| stages.run(name, || check(workspace)).err()).collect()
}

/// Dependency policy: banned crates, licenses and sources (`deny.toml`). A separate workflow checks for known
/// vulnerabilities, because they need fresh data from the network.
fn dependencies(workspace: &Workspace) -> Result<(), Failure> {
    let program = tools::cargo_deny(workspace)?;
    for manifest in ["Cargo.toml", "firmware/Cargo.toml"] {
        let mut command = Command::new(&program);
        command.args(["--log-level", "error", "--manifest-path", manifest, "--config", "deny.toml", "check"]);
        // Some allowed licenses occur in one of the two workspaces only.
        command.args(["bans", "licenses", "sources", "--allow", "license-not-encountered"]);
        run(command.current_dir(&workspace.root))?;
    }
    Ok(())
}
