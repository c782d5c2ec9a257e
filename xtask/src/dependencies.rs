//! Dependency policy: which crates are banned, under which licenses the others come and from where (`deny.toml`).
//! Known vulnerabilities need the network's newest knowledge; a workflow of their own asks for them.

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
            // Some of the allowed licenses are those of one of the two workspaces.
            .args(["--allow", "license-not-encountered"])
            .current_dir(&workspace.root);
        must_succeed(&mut command)?;
    }
    Ok(())
}
