//! The light's program for its two boards, its size, and the file that a person puts onto one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::embedded::firmware;
use crate::process::{Failure, log_line, must_succeed};
use crate::setup::{self, BOARD_TARGET, NEWER_BOARD_TARGET};
use crate::stages::Stages;
use crate::uf2::{self, Program};
use crate::workspace::Workspace;

/// What a program may take: half of the flash below the drive, and memory that leaves the stack twice as much.
const MOST_FLASH: u64 = 512 * 1024;
const MOST_MEMORY: u64 = 96 * 1024;

/// One way to build the program.
struct Board {
    name: &'static str,
    target: &'static str,
    features: &'static str,
}

/// Without the radio, as it runs on the emulated chip.
const BARE: Board = Board { name: "Pico without a radio", target: BOARD_TARGET, features: "rp2040" };
const PICO_W: Board = Board { name: "Pico W", target: BOARD_TARGET, features: "rp2040,wifi" };
const PICO_2_W: Board = Board { name: "Pico 2 W", target: NEWER_BOARD_TARGET, features: "rp235x,wifi" };

/// `cargo xtask firmware`: the file for a Pico W.
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

/// The program for the emulated chip.
pub fn for_the_emulator(workspace: &Workspace) -> Result<PathBuf, Failure> {
    build(workspace, &BARE)
}

/// The programs with the radio, for both boards.
pub fn with_radio(workspace: &Workspace) -> Result<(), Failure> {
    build(workspace, &PICO_W)?;
    build(workspace, &PICO_2_W).map(drop)
}

/// Builds a program, says how large it is, and fails when that is too large. Each has a place of its own, or one would
/// take the other's.
fn build(workspace: &Workspace, board: &Board) -> Result<PathBuf, Failure> {
    let mut command = firmware(workspace, "build");
    command.args(["--release", "--package", "board", "--target", board.target]);
    must_succeed(command.args(["--no-default-features", "--features", board.features]))?;
    let built = workspace.target.join("firmware").join(board.target).join("release/nudgelight");
    let kept = workspace.target.join("firmware").join(format!("{}.elf", board.name.replace(' ', "-").to_lowercase()));
    fs::copy(&built, &kept).map_err(|error| Failure::new(format!("{}: {error}", built.display())))?;
    fits(board.name, &kept)?;
    Ok(kept)
}

fn fits(name: &str, file: &Path) -> Result<(), Failure> {
    let elf = fs::read(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    let size = Program::read(&elf)?.size();
    log_line(&format!("{name}: {} bytes of flash, {} bytes of memory", size.flash, size.memory));
    if size.flash <= MOST_FLASH && size.memory <= MOST_MEMORY {
        return Ok(());
    }
    Err(Failure::new(format!("{name}: more than {MOST_FLASH} bytes of flash or {MOST_MEMORY} of memory")))
}
