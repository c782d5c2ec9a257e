//! Generated files.

use std::thread;

use crate::calls;
use crate::process::Failure;
use crate::schedule;
use crate::setup::{self, BROWSER_TARGET};
use crate::stages::Stages;
use crate::wasm;
use crate::workspace::Workspace;

/// `cargo xtask gen`.
pub fn generate(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", || setup::requirements(&[BROWSER_TARGET], &[]))?;
    stages.run("schedule", || schedule::write(workspace))?;
    browser_packages(workspace, stages)?;
    stages.run("API types", || calls::write_types(workspace))
}

/// Compiles the crates and installs the packaging tools in parallel.
pub fn browser_packages(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    thread::scope(|scope| {
        let compiled = scope.spawn(|| stages.run("browser crates", || wasm::compile(workspace)));
        setup::packages_and_tools(workspace, stages)?;
        compiled.join().unwrap_or_else(|_| Err(Failure::new("the compiling thread stopped")))
    })?;
    stages.run("browser packages", || wasm::pack(workspace))
}
