//! Requirements: checks for them and installs what it can.

use std::process::Command;
use std::thread;

use crate::process::{Failure, must_succeed, stdout_of};
use crate::shell;
use crate::stages::Stages;
use crate::tools;
use crate::workspace::Workspace;

pub const BROWSER_TARGET: &str = "wasm32-unknown-unknown";
pub const BOARD_TARGET: &str = "thumbv6m-none-eabi";
/// The Pico 2 W.
pub const NEWER_BOARD_TARGET: &str = "thumbv8m.main-none-eabihf";
/// Vite's minimum version.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Installs everything that `run` needs.
pub fn everything(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", || requirements(&[BROWSER_TARGET], &[]))?;
    packages_and_tools(workspace, stages)
}

/// The slow part: npm packages (network) and the build tools (CPU) in parallel.
pub fn packages_and_tools(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    thread::scope(|scope| {
        let packages = scope.spawn(|| stages.run("npm packages", || shell::install(workspace)));
        stages.run("build tools", || tools::install(workspace))?;
        packages.join().unwrap_or_else(|_| Err(Failure::new("npm's thread stopped")))
    })
}

/// Checks rustup and Node.js, and adds missing targets and components.
pub fn requirements(targets: &[&str], components: &[&str]) -> Result<(), Failure> {
    node_is_new_enough(stdout_of(Command::new("node").arg("--version")).as_deref())?;
    if stdout_of(Command::new("npm").arg("--version")).is_none() {
        return Err(Failure::new("npm is missing: it comes with Node.js from https://nodejs.org"));
    }
    rustup_has("target", targets)?;
    rustup_has("component", components)
}

/// Adds a target if it is missing.
pub fn rust_target(target: &str) -> Result<(), Failure> {
    rustup_has("target", &[target])
}

fn rustup_has(kind: &str, wanted: &[&str]) -> Result<(), Failure> {
    let installed = stdout_of(Command::new("rustup").args([kind, "list", "--installed"]))
        .ok_or_else(|| Failure::new("rustup is missing: install Rust from https://rustup.rs"))?;
    for name in wanted {
        // Components are listed with the host triple (`clippy-x86_64-unknown-linux-gnu`).
        if !installed.lines().any(|line| line.starts_with(name)) {
            must_succeed(Command::new("rustup").args([kind, "add", name]))?;
        }
    }
    Ok(())
}

fn node_is_new_enough(version: Option<&str>) -> Result<(), Failure> {
    let (major, minor) = OLDEST_NODE;
    let wanted = format!("Node.js {major}.{minor} or newer is needed: install it from https://nodejs.org");
    let Some(version) = version else {
        return Err(Failure::new(format!("Node.js is missing. {wanted}")));
    };
    let mut numbers = version.trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found >= OLDEST_NODE {
        return Ok(());
    }
    Err(Failure::new(format!("this machine has Node.js {version}. {wanted}")))
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
