//! Dependency policy: banned crates, licenses and sources (`deny.toml`). A separate workflow checks for known
//! vulnerabilities, because they need fresh data from the network.

use std::process::Command;

use crate::process::{Failure, must_succeed};
use crate::tools;
use crate::workspace::Workspace;

pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let program = tools::cargo_deny(workspace)?;
    for manifest in ["Cargo.toml", "firmware/Cargo.toml"] {
        let mut command = Command::new(&program);
        command
            .args(["--log-level", "error", "--manifest-path"])
            .arg(workspace.root.join(manifest))
            .arg("--config")
            .arg(workspace.root.join("deny.toml"))
            .args(["check", "bans", "licenses", "sources"])
            // Some allowed licenses occur in one of the two workspaces only.
            .args(["--allow", "license-not-encountered"])
            .current_dir(&workspace.root);
        must_succeed(&mut command)?;
    }
    Ok(())
}
