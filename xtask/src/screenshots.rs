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
    println!("{}", workspace.test_results().join("screenshots").display());
    Ok(())
}

/// `cargo xtask screenshots --readme`: writes to `docs/images/`.
pub fn take_for_readme(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    build::everything(workspace, stages)?;
    stages.run("screenshots", || must_succeed(&mut browser::playwright(workspace, "readme")?))?;
    println!("{}", workspace.root.join("docs/images").display());
    Ok(())
}
