//! The firmware for both boards, its size limits, and its UF2 file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::embedded::firmware;
use crate::process::{Failure, log_line, must_succeed};
use crate::setup::{self, BOARD_TARGET, NEWER_BOARD_TARGET};
use crate::stages::Stages;
use crate::uf2::{self, Program};
use crate::workspace::Workspace;

/// Size limits: half of the flash below the drive, and memory that leaves twice as much for the stack.
const MOST_FLASH: u64 = 512 * 1024;
const MOST_MEMORY: u64 = 96 * 1024;

/// A build of the firmware.
struct Board {
    name: &'static str,
    target: &'static str,
    features: &'static str,
}

/// Without Wi-Fi, for the emulated chip.
const BARE: Board = Board { name: "Pico without Wi-Fi", target: BOARD_TARGET, features: "rp2040" };
const PICO_W: Board = Board { name: "Pico W", target: BOARD_TARGET, features: "rp2040,wifi" };
const PICO_2_W: Board = Board { name: "Pico 2 W", target: NEWER_BOARD_TARGET, features: "rp235x,wifi" };

/// `cargo xtask firmware`: the UF2 file for a Pico W.
pub fn make(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", || setup::rust_target(BOARD_TARGET))?;
    let file = stages.run("Pico W", || {
        let program = build(workspace, &PICO_W)?;
        let elf = fs::read(&program).map_err(|error| Failure::new(format!("{}: {error}", program.display())))?;
        let file = workspace.target.join("firmware/nudgelight-pico-w.uf2");
        let bytes = uf2::file(&Program::read(&elf)?);
        fs::write(&file, bytes).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
        Ok(file)
    })?;
    println!("{}", file.display());
    Ok(())
}

/// The firmware for the emulated chip.
pub fn for_the_emulator(workspace: &Workspace) -> Result<PathBuf, Failure> {
    build(workspace, &BARE)
}

/// The firmware with Wi-Fi, for both boards.
pub fn with_wifi(workspace: &Workspace) -> Result<(), Failure> {
    build(workspace, &PICO_W)?;
    build(workspace, &PICO_2_W).map(drop)
}

/// Builds a firmware and checks its size. The copies have different names, because the builds overwrite each other.
fn build(workspace: &Workspace, board: &Board) -> Result<PathBuf, Failure> {
    let mut command = firmware(workspace, "build");
    command.args(["--release", "--package", "board", "--target", board.target]);
    must_succeed(command.args(["--no-default-features", "--features", board.features]))?;
    let built = workspace.target.join("firmware").join(board.target).join("release/nudgelight");
    let copy = workspace.target.join("firmware").join(format!("{}.elf", board.name.replace(' ', "-").to_lowercase()));
    fs::copy(&built, &copy).map_err(|error| Failure::new(format!("{}: {error}", built.display())))?;
    fits(board.name, &copy)?;
    Ok(copy)
}

fn fits(name: &str, file: &Path) -> Result<(), Failure> {
    let elf = fs::read(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    let size = Program::read(&elf)?.size();
    log_line(&format!("{name}: {} bytes of flash, {} bytes of memory", size.flash, size.memory));
    if size.flash <= MOST_FLASH && size.memory <= MOST_MEMORY {
        return Ok(());
    }
    Err(Failure::new(format!("{name}: exceeds {MOST_FLASH} bytes of flash or {MOST_MEMORY} bytes of memory")))
}
