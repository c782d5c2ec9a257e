//! Firmware: `no_std` builds for the board, and tests on the host and on an emulated chip.

use std::process::Command;

use crate::board;
use crate::debian;
use crate::process::{Failure, Finished, capture, cargo, must_succeed};
use crate::programs::Programs;
use crate::setup::BOARD_TARGET;
use crate::shell;
use crate::test_counts::{self, TestCounts};
use crate::workspace::{Workspace, variable};

/// Third-party programs that check the drive's file system and serve the time.
pub const PROGRAMS: [Programs; 3] = [
    Programs {
        names: "fsck.fat",
        package: "dosfstools",
        are_installed: || debian::find("fsck.fat").is_some(),
        only_for: None,
    },
    Programs {
        names: "mcopy and the rest of mtools",
        package: "mtools",
        are_installed: || debian::find("mcopy").is_some(),
        only_for: None,
    },
    Programs {
        names: "chronyd",
        package: "chrony",
        are_installed: || debian::find("chronyd").is_some(),
        only_for: Some("the tests against a real time server"),
    },
];

/// Builds wasm-core for the board, bare and with the shop's rules, and the device logic. Continuous integration also
/// builds the firmware with Wi-Fi, which takes minutes.
pub fn compile(workspace: &Workspace) -> Result<(), Failure> {
    for features in [&[][..], &["--features", "shop"]] {
        let mut command = cargo();
        command.args(["build", "--release", "--lib", "--target", BOARD_TARGET, "--package", "wasm-core"]);
        must_succeed(command.arg("--no-default-features").args(features).current_dir(&workspace.root))?;
    }
    must_succeed(firmware(workspace, "build").args(["--release", "--target", BOARD_TARGET]))?;
    if is_long_form() { board::with_wifi(workspace) } else { Ok(()) }
}

/// The device logic on the host, then the whole firmware on the emulated chip.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let mut logic = capture(firmware(workspace, "test").arg("--no-fail-fast"))?;
    let emulated = emulated(workspace)?;
    logic.lines.extend(emulated.lines);
    if !emulated.status.success() {
        logic.status = emulated.status;
    }
    Ok(logic)
}

/// The counts of cargo and Node.
pub fn count(lines: &[String]) -> TestCounts {
    test_counts::cargo(lines) + test_counts::node(lines)
}

fn emulated(workspace: &Workspace) -> Result<Finished, Failure> {
    let program = board::for_the_emulator(workspace)?;
    let folder = workspace.root.join("firmware/emulator");
    shell::install_in(&folder)?;
    let mut command = shell::npm_in(&folder);
    command.args(["test"]).env("FIRMWARE", program);
    if is_long_form() {
        command.env("LONG_FORM", "1");
    }
    capture(&mut command)
}

/// The long form of the tests: in continuous integration, or with `LONG_FORM=1`.
fn is_long_form() -> bool {
    variable("LONG_FORM").is_some() || variable("CI").as_deref() == Some("true")
}

pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    must_succeed(firmware(workspace, "clippy").args(["--all-targets", "--", "-D", "warnings"]))?;
    let mut program = firmware(workspace, "clippy");
    program.args(["--release", "--package", "board", "--target", BOARD_TARGET]);
    must_succeed(program.args(["--", "-D", "warnings"])).map(drop)
}

pub fn formatted(workspace: &Workspace) -> Result<(), Failure> {
    for folder in ["firmware", "firmware/budget"] {
        let mut command = cargo();
        must_succeed(command.args(["fmt", "--all", "--check"]).current_dir(workspace.root.join(folder)))?;
    }
    Ok(())
}

/// Cargo in the firmware's workspace, with build output in the common target folder.
pub fn firmware(workspace: &Workspace, verb: &str) -> Command {
    let mut command = cargo();
    command
        .args([verb, "--locked"])
        .current_dir(workspace.root.join("firmware"))
        .env("CARGO_TARGET_DIR", workspace.target.join("firmware"));
    command
}
