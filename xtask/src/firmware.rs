//! Firmware: builds for the boards, size limits, and tests on the host and on an emulated chip.

use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;

use crate::process::{Failure, Finished, capture, cargo, must_succeed, run};
use crate::programs::{Programs, has};
use crate::setup::{self, BOARD_TARGET, NEWER_BOARD_TARGET};
use crate::shell;
use crate::stages::Stages;
use crate::workspace::{Workspace, variable};

/// Third-party programs that check the drive's file system and serve the time.
pub const PROGRAMS: [Programs; 3] = [
    Programs::new("fsck.fat", "dosfstools", || has("fsck.fat")),
    Programs::new("mcopy and the rest of mtools", "mtools", || has("mcopy")),
    Programs::new("chronyd", "chrony", || has("chronyd")).only_for("the tests against a real time server"),
];

/// A build of the firmware.
struct Board {
    name: &'static str,
    target: &'static str,
    features: &'static str,
}

/// Without Wi-Fi, for the emulated chip.
const BARE: Board = Board { name: "pico-without-wi-fi", target: BOARD_TARGET, features: "rp2040" };
const PICO_W: Board = Board { name: "pico-w", target: BOARD_TARGET, features: "rp2040,wifi" };
const PICO_2_W: Board = Board { name: "pico-2-w", target: NEWER_BOARD_TARGET, features: "rp235x,wifi" };

/// `cargo xtask firmware`: the UF2 file for a Pico W.
pub fn make(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", || setup::rustup_has("target", &[BOARD_TARGET]))?;
    let file = workspace.target.join("firmware/nudgelight-pico-w.uf2");
    stages.run("Pico W", || {
        let program = build(workspace, &PICO_W)?;
        convert(workspace, &program, &file)
    })?;
    println!("{}", file.display());
    Ok(())
}

/// Writes a program's UF2 file. Its version has the start of the program's hash, so a changed program has a new version.
fn convert(workspace: &Workspace, program: &Path, file: &Path) -> Result<(), Failure> {
    run(image(workspace, "uf2", program).arg(file))
}

/// Builds wasm-core for the board, bare and with the shop's rules, and the device logic. Continuous integration also
/// builds the firmware with Wi-Fi, which takes minutes.
pub fn compile(workspace: &Workspace) -> Result<(), Failure> {
    let arguments = format!("build --release --lib --target {BOARD_TARGET} --package wasm-core --no-default-features");
    run(&mut cargo(&workspace.root, &arguments))?;
    run(&mut cargo(&workspace.root, &format!("{arguments} --features shop")))?;
    run(&mut firmware(workspace, &format!("build --release --package firmware --target {BOARD_TARGET}")))?;
    if is_long_form() {
        build(workspace, &PICO_W)?;
        build(workspace, &PICO_2_W)?;
    }
    Ok(())
}

/// Builds a firmware and checks its size. The copies have different names, because the builds overwrite each other.
fn build(workspace: &Workspace, board: &Board) -> Result<PathBuf, Failure> {
    let Board { name, target, features } = board;
    let arguments = "build --release --package board --no-default-features";
    run(&mut firmware(workspace, &format!("{arguments} --target {target} --features {features}")))?;
    let folder = workspace.target.join("firmware");
    let copy = folder.join(format!("{name}.elf"));
    fs::copy(folder.join(target).join("release/nudgelight"), &copy)?;
    run(&mut image(workspace, "size", &copy))?;
    Ok(copy)
}

/// The flash and stack usage of the schedule's code on the smallest board, measured with a program that parses a file and
/// evaluates one moment. Fails above the limits.
pub fn schedule_size(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let mut command = firmware(workspace, &format!("build --release --target {BOARD_TARGET}"));
    run(command.current_dir(workspace.root.join("firmware/budget")))?;
    let program = workspace.target.join("firmware").join(BOARD_TARGET).join("release/budget");
    Ok(must_succeed(&mut image(workspace, "schedule", &program))?.lines)
}

/// A command of `firmware/image`, which reads linked programs.
fn image(workspace: &Workspace, command: &str, program: &Path) -> Command {
    let mut image = firmware(workspace, "run --quiet --package image --");
    image.arg(command).arg(program);
    image
}

/// The device logic on the host, then the whole firmware on the emulated chip.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    Ok(capture(&mut firmware(workspace, "test --no-fail-fast"))?.and(emulated(workspace)?))
}

fn emulated(workspace: &Workspace) -> Result<Finished, Failure> {
    let firmware = for_emulator(workspace)?;
    let folder = workspace.root.join("firmware/emulator");
    let long_form = is_long_form().then_some(("LONG_FORM", "1"));
    capture(shell::npm(&folder, "test").env("FIRMWARE", firmware).envs(long_form))
}

/// Installs the emulator, and builds the firmware for its chip: a UF2 file.
pub fn for_emulator(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let file = workspace.target.join("firmware/pico-without-wi-fi.uf2");
    convert(workspace, &build(workspace, &BARE)?, &file)?;
    shell::install_in(&workspace.root.join("firmware/emulator"))?;
    Ok(file)
}

/// The long form of the tests: in continuous integration, or with `LONG_FORM=1`.
fn is_long_form() -> bool {
    variable("LONG_FORM").is_some() || variable("CI").as_deref() == Some("true")
}

pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut firmware(workspace, "clippy --all-targets -- -D warnings"))?;
    let arguments = format!("clippy --release --package board --target {BOARD_TARGET} -- -D warnings");
    run(&mut firmware(workspace, &arguments))
}

/// Cargo in the firmware's workspace, with build output in the common target folder.
fn firmware(workspace: &Workspace, arguments: &str) -> Command {
    let mut command = cargo(&workspace.root.join("firmware"), &format!("--locked {arguments}"));
    command.env("CARGO_TARGET_DIR", workspace.target.join("firmware"));
    command
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_firmware_has_the_version_of_the_shops_package() {
        let version = concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\"\n");
        for manifest in [include_str!("../../firmware/Cargo.toml"), include_str!("../../firmware/board/Cargo.toml")] {
            assert!(manifest.contains(version), "{manifest:.200}");
        }
    }
}
