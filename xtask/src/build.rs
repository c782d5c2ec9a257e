//! The server, what browsers load, and the npm packages.

use std::io::{self, Write as _};
use std::process::Command;

use crate::process::{Failure, at_the_same_time, cannot_start, remove_cargo_variables};
use crate::stages::Stages;
use crate::watch::{Changes, watch};
use crate::workspace::Workspace;
use crate::{native, npm_packages, setup, shell, tools, wasm};

/// The server for home and for tests, and what browsers load, at the same time.
pub fn for_home(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", setup::for_build)?;
    at_the_same_time(|| stages.run("server", || native::build_server(workspace)), || for_browsers(workspace, stages))
}

/// `cargo xtask build`: the server that a shop runs. It embeds everything else, so it is compiled last.
pub fn release(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    embedded(workspace, stages)?;
    stages.run("server", || native::build_release(workspace))
}

/// Everything that the server embeds.
pub fn embedded(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", setup::for_build)?;
    for_browsers(workspace, stages)?;
    for_npm(workspace, stages)
}

/// The shell and its WASM packages.
pub fn for_browsers(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    at_the_same_time(
        || stages.run("shell dependencies", || shell::install_in(&workspace.shell)),
        || stages.run("browser crates", || wasm::compile_for_shell(workspace)),
    )?;
    stages.run("browser packages", || wasm::optimize_for_shell(workspace))?;
    stages.run("shell build", || shell::build(workspace))
}

/// The npm packages for other developers. wasm-opt comes with the shell's dependencies.
pub fn for_npm(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    at_the_same_time(
        || stages.run("shell dependencies", || shell::install_in(&workspace.shell)),
        || stages.run("build tools", || tools::install(workspace)),
    )?;
    stages.run("entries of the npm package", || wasm::pack_for_npm(workspace))?;
    stages.run("npm packages", || npm_packages::pack(workspace))
}

/// `cargo xtask packages`: packages/dist, with its list printed.
pub fn npm_packages(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", setup::for_build)?;
    for_npm(workspace, stages)?;
    println!("{}", workspace.read("packages/dist/index.json")?);
    Ok(())
}

/// `cargo xtask size`: the download size of the shell.
pub fn measure_sizes(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", setup::for_build)?;
    for_browsers(workspace, stages)?;
    stages.run("size", || shell::sizes(workspace))?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// `cargo xtask run`: builds and then executes the server in this process, which gets signals and the exit code right.
pub fn run_server(workspace: &Workspace, stages: &Stages, watches: bool, arguments: &[String]) -> Result<(), Failure> {
    if !workspace.server().exists() {
        println!("The first build takes 6 to 10 minutes on two cores, later ones seconds.");
    }
    let seen = watches.then(|| Changes::newest(workspace));
    for_home(workspace, stages)?;
    if watches {
        stages.run("browser crates for changes", || wasm::prepare_to_compile_quickly(workspace))?;
    }
    println!("\n{}", stages.table());
    io::stdout().flush()?;
    if let Some(seen) = seen {
        return watch(workspace, stages, arguments, seen);
    }
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
