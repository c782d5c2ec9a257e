//! What a visitor's browser loads, against react-shell/size-budget.json.

use crate::generate;
use crate::process::{Failure, must};
use crate::shell;
use crate::stages::Stages;
use crate::workspace::Workspace;

/// `cargo xtask size`.
pub fn measure(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    generate::browser_packages(workspace, stages)?;
    stages.run("shell", || shell::build(workspace))?;
    stages.run("size", || keep(workspace))
}

/// The built shell within its budget.
pub fn keep(workspace: &Workspace) -> Result<(), Failure> {
    must("size", shell::npm(workspace).args(["run", "--silent", "size"])).map(drop)
}
