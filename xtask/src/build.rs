//! The server and everything it embeds.

use std::io::{self, Write as _};
use std::process::Command;

use crate::process::{Failure, cannot_start, remove_cargo_variables};
use crate::stages::Stages;
use crate::workspace::Workspace;
use crate::{generate, native, npm_packages, setup, shell, wasm};

/// Builds `target/release/nudgelight` from a fresh clone.
pub fn everything(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    embedded(workspace, stages)?;
    stages.run("server", || native::build_server(workspace))
}

/// Everything that the server embeds.
pub fn embedded(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", setup::for_build)?;
    generate::browser_packages(workspace, stages)?;
    stages.run("shell build", || shell::build(workspace))
}

/// `cargo xtask packages`: packages/dist, with its list printed.
pub fn npm_packages(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", setup::for_build)?;
    setup::packages_and_tools(workspace, stages)?;
    stages.run("browser packages", || wasm::pack(workspace, "packages/"))?;
    stages.run("packages", || npm_packages::pack(workspace))?;
    println!("{}", workspace.read("packages/dist/index.json")?);
    Ok(())
}

/// `cargo xtask size`: the download size of the shell.
pub fn measure_sizes(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    embedded(workspace, stages)?;
    stages.run("size", || shell::sizes(workspace))?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// `cargo xtask run`: builds and then executes the server in this process, which gets signals and the exit code right.
pub fn run_server(workspace: &Workspace, stages: &Stages, arguments: &[String]) -> Result<(), Failure> {
    everything(workspace, stages)?;
    println!("\n{}", stages.table());
    io::stdout().flush()?;
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
