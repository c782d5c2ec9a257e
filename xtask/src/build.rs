//! Everything the server carries, then the server.

use crate::generate;
use crate::native;
use crate::process::Failure;
use crate::setup::{self, BROWSER_TARGET};
use crate::shell;
use crate::stages::Stages;
use crate::workspace::Workspace;

/// From a fresh clone to `target/release/nudgelight`.
pub fn everything(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    carried(workspace, stages)?;
    stages.run("server", || native::build_server(workspace))
}

/// What is made before the server, because it carries it.
pub fn carried(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", || setup::requirements(&[BROWSER_TARGET], &[]))?;
    generate::browser_packages(workspace, stages)?;
    stages.run("shell", || shell::build(workspace))
}
