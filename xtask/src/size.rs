//! Download size of the shell, checked against react-shell/size-budget.json.

use crate::generate;
use crate::process::{Failure, must_succeed};
use crate::shell;
use crate::stages::Stages;
use crate::workspace::Workspace;

/// `cargo xtask size`.
pub fn measure(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    generate::browser_packages(workspace, stages)?;
    stages.run("shell build", || shell::build(workspace))?;
    let table = stages.run("size", || table(workspace))?;
    table.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Fails if the built shell exceeds its budget.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    table(workspace).map(drop)
}

fn table(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    Ok(must_succeed(shell::npm(workspace).args(["run", "--silent", "size"]))?.lines)
}
