//! Screenshots of every page, for visual review.

use crate::browser;
use crate::build;
use crate::process::{Failure, must_succeed};
use crate::stages::Stages;
use crate::workspace::Workspace;

/// `cargo xtask screenshots`: writes to `test-results/screenshots/`.
pub fn take(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    build::everything(workspace, stages)?;
    stages.run("screenshots", || must_succeed(&mut browser::playwright(workspace, "screenshots")?))?;
    println!("{}", workspace.root.join("test-results/screenshots").display());
    Ok(())
}
