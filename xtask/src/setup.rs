//! Requirements: checks for them and installs what it can.

use std::process::Command;
use std::thread;

use crate::process::{Failure, run, stdout_of};
use crate::shell;
use crate::stages::Stages;
use crate::tools;
use crate::workspace::Workspace;

pub const BROWSER_TARGET: &str = "wasm32-unknown-unknown";
pub const BOARD_TARGET: &str = "thumbv6m-none-eabi";
/// The Pico 2 W.
pub const NEWER_BOARD_TARGET: &str = "thumbv8m.main-none-eabihf";
const COMPONENTS: [&str; 2] = ["rustfmt", "clippy"];
/// Vite's minimum version.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Installs everything that `run` needs.
pub fn everything(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", for_build)?;
    packages_and_tools(workspace, stages)
}

/// The slow part: npm packages (network) and the build tools (CPU) in parallel.
pub fn packages_and_tools(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    thread::scope(|scope| {
        let packages = scope.spawn(|| stages.run("npm packages", || shell::install_in(&workspace.shell)));
        stages.run("build tools", || tools::install(workspace))?;
        packages.join().unwrap_or_else(|_| Err(Failure::new("npm's thread stopped")))
    })
}

/// Rust, Node.js and what a build of the server needs.
pub fn for_build() -> Result<(), Failure> {
    node_is_new_enough(stdout_of(Command::new("node").arg("--version")).as_deref())?;
    if stdout_of(Command::new("npm").arg("--version")).is_none() {
        return Err(Failure::new("npm is missing: it comes with Node.js from https://nodejs.org"));
    }
    rustup_has("target", &[BROWSER_TARGET])
}

/// What checks and tests need, too.
pub fn for_tests() -> Result<(), Failure> {
    for_build()?;
    rustup_has("target", &[BOARD_TARGET, NEWER_BOARD_TARGET])?;
    rustup_has("component", &COMPONENTS)
}

/// Adds missing targets or components.
pub fn rustup_has(kind: &str, wanted: &[&str]) -> Result<(), Failure> {
    let installed = stdout_of(Command::new("rustup").args([kind, "list", "--installed"]))
        .ok_or_else(|| Failure::new("rustup is missing: install Rust from https://rustup.rs"))?;
    // Components are listed with the host triple (`clippy-x86_64-unknown-linux-gnu`).
    let missing = wanted.iter().filter(|name| !installed.lines().any(|line| line.starts_with(**name)));
    missing.into_iter().try_for_each(|name| run(Command::new("rustup").args([kind, "add", name])))
}

fn node_is_new_enough(version: Option<&str>) -> Result<(), Failure> {
    let (major, minor) = OLDEST_NODE;
    let version = version.unwrap_or("none");
    let mut numbers = version.trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= OLDEST_NODE {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Node.js {major}.{minor} or newer is needed, found: {version}. Install it from https://nodejs.org"
    )))
}

#[cfg(test)]
mod tests {
    use super::node_is_new_enough;

    #[test]
    fn node_20_19_is_the_oldest_that_will_do() {
        assert!(node_is_new_enough(Some("v20.19.0")).is_ok());
        assert!(node_is_new_enough(Some("v24.1.0")).is_ok());
        assert!(node_is_new_enough(Some("v20.18.3")).is_err());
        assert!(node_is_new_enough(Some("v8.99.0")).is_err());
        assert!(node_is_new_enough(None).is_err());
    }
}
