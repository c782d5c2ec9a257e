//! The server and everything it embeds.

use crate::generate;
use crate::native;
use crate::process::Failure;
use crate::setup::{self, BROWSER_TARGET};
use crate::shell;
use crate::stages::Stages;
use crate::workspace::Workspace;

/// Builds `target/release/nudgelight` from a fresh clone.
pub fn everything(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    embedded(workspace, stages)?;
    stages.run("server", || native::build_server(workspace))
}

/// Everything that the server embeds.
pub fn embedded(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", || setup::requirements(&[BROWSER_TARGET], &[]))?;
    generate::browser_packages(workspace, stages)?;
    stages.run("shell build", || shell::build(workspace))
}
