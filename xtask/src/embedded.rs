//! What must also compile for the board: the rules without `std`, and the firmware.

use std::process::Command;

use crate::process::{Failure, Finished, cargo, must, watch};
use crate::setup::BOARD_TARGET;
use crate::workspace::Workspace;

/// wasm-core for the board, bare and with the shop's rules; then the firmware itself.
pub fn compile(workspace: &Workspace) -> Result<(), Failure> {
    for features in [&[][..], &["--features", "shop"]] {
        let mut command = cargo();
        command.args(["build", "--release", "--lib", "--target", BOARD_TARGET, "--package", "wasm-core"]);
        must("board", command.arg("--no-default-features").args(features).current_dir(&workspace.root))?;
    }
    must("board", firmware(workspace, "build").args(["--target", BOARD_TARGET])).map(drop)
}

/// The device's logic, on this machine.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    watch("firmware", firmware(workspace, "test").arg("--no-fail-fast"))
}

pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    must("clippy", firmware(workspace, "clippy").args(["--all-targets", "--", "-D", "warnings"])).map(drop)
}

pub fn formatted(workspace: &Workspace) -> Result<(), Failure> {
    for folder in ["firmware", "firmware/budget"] {
        let mut command = cargo();
        must("fmt", command.args(["fmt", "--all", "--check"]).current_dir(workspace.root.join(folder)))?;
    }
    Ok(())
}

/// The firmware is a workspace of its own, with its own lock file; its results still belong in the one target folder.
fn firmware(workspace: &Workspace, verb: &str) -> Command {
    let mut command = cargo();
    command
        .args([verb, "--release", "--locked"])
        .current_dir(workspace.root.join("firmware"))
        .env("CARGO_TARGET_DIR", workspace.target.join("firmware"));
    command
}
