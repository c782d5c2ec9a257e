//! `cargo xtask run`.

use std::io::{self, Write};
use std::process::Command;

use crate::build;
use crate::process::{Failure, cannot_start, remove_cargo_variables};
use crate::stages::Stages;
use crate::workspace::Workspace;

/// Builds and then executes the server in this process, which gets signals and the exit code right.
pub fn run(workspace: &Workspace, stages: &Stages, arguments: &[String]) -> Result<(), Failure> {
    build::everything(workspace, stages)?;
    println!("\n{}", stages.table());
    io::stdout().flush().map_err(|error| cannot_start("nudgelight", &error))?;
    let mut server = Command::new(workspace.server());
    server.args(arguments).current_dir(&workspace.root);
    remove_cargo_variables(&mut server);
    become_program(server)
}

#[cfg(unix)]
fn become_program(mut program: Command) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt;
    Err(cannot_start("nudgelight", &program.exec()))
}

#[cfg(not(unix))]
fn become_program(mut program: Command) -> Result<(), Failure> {
    let status = program.status().map_err(|error| cannot_start("nudgelight", &error))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("the server ended with {status}"))) }
}
