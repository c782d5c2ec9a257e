//! Requirements: checks for them and installs what it can.

use std::process::Command;

use crate::process::{Failure, run, stdout_of};

const BROWSER_TARGET: &str = "wasm32-unknown-unknown";
pub const BOARD_TARGET: &str = "thumbv6m-none-eabi";
/// The Pico 2 W.
pub const NEWER_BOARD_TARGET: &str = "thumbv8m.main-none-eabihf";
const COMPONENTS: [&str; 2] = ["rustfmt", "clippy"];
type Version = (Option<u32>, Option<u32>);
/// Vite's minimum version.
const OLDEST_NODE: Version = (Some(20), Some(19));
/// Vitest's minimum version. On Linux, the shell's packages contain a Node.js for its scripts.
const OLDEST_NODE_FOR_TESTS: Version = if cfg!(target_os = "linux") { OLDEST_NODE } else { (Some(22), Some(22)) };

/// Rust, Node.js and what a build of the server needs.
pub fn for_build() -> Result<(), Failure> {
    has_node(OLDEST_NODE)?;
    if stdout_of(Command::new("npm").arg("--version")).is_none() {
        return Err(Failure::new("npm is missing: it comes with Node.js from https://nodejs.org"));
    }
    rustup_has("target", &[BROWSER_TARGET])
}

/// What checks and tests need, too.
pub fn for_tests() -> Result<(), Failure> {
    has_node(OLDEST_NODE_FOR_TESTS)?;
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

fn has_node(oldest: Version) -> Result<(), Failure> {
    let node = stdout_of(Command::new("node").arg("--version")).unwrap_or_default();
    if version(&node) >= oldest {
        return Ok(());
    }
    let wanted = format!("{}.{}", oldest.0.unwrap_or_default(), oldest.1.unwrap_or_default());
    Err(Failure::new(format!("Node.js {wanted} or newer is needed, not {node:?}: see https://nodejs.org")))
}

/// Major and minor version of what `node --version` prints.
fn version(node: &str) -> Version {
    let mut numbers = node.trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    (numbers.next(), numbers.next())
}

#[cfg(test)]
mod tests {
    use super::{OLDEST_NODE, version};

    #[test]
    fn node_20_19_is_the_oldest_that_will_do() {
        assert!(["v20.19.0", "v24.1.0"].into_iter().all(|node| version(node) >= OLDEST_NODE));
        assert!(["v20.18.3", "v8.99.0", ""].into_iter().all(|node| version(node) < OLDEST_NODE));
    }
}
