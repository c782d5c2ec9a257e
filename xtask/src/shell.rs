//! npm commands: packages, and the shell's build, type check, lints and tests.

use std::path::Path;
use std::process::Command;

use crate::process::{Failure, Finished, capture, must_succeed};
use crate::stamp::Stamp;
use crate::workspace::Workspace;

/// `npm ci`, if the lock file changed.
pub fn install(workspace: &Workspace) -> Result<(), Failure> {
    let lock = workspace.shell.join("package-lock.json");
    let stamp = Stamp::of(workspace.stamp("node_modules"), &[lock], "npm ci")?;
    if stamp.is_fresh() {
        return Ok(());
    }
    must_succeed(npm(workspace).args(["ci", "--no-audit", "--no-fund"]))?;
    stamp.keep()
}

/// The bundle that the server embeds, rebuilt if the shell or a browser package changed.
pub fn build(workspace: &Workspace) -> Result<(), Failure> {
    let dist = workspace.shell.join("dist");
    // The server's pages use CSS classes too.
    let inputs = [workspace.shell.clone(), workspace.root.join("server/src/pages")];
    let stamp = Stamp::of(workspace.stamp("dist"), &inputs, "vite build")?;
    if dist.join("index.html").is_file() && stamp.is_fresh() {
        return Ok(());
    }
    must_succeed(npm(workspace).args(["run", "build"]))?;
    stamp.keep()
}

/// Type check and lints.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    must_succeed(npm(workspace).args(["run", "check"])).map(drop)
}

/// The unit tests.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    capture(npm(workspace).args(["run", "test"]))
}

/// `npm ci` in another folder, if its lock file changed.
pub fn install_in(folder: &Path) -> Result<(), Failure> {
    let stamp = Stamp::of(folder.join("node_modules/.stamp"), &[folder.join("package-lock.json")], "npm ci")?;
    if stamp.is_fresh() {
        return Ok(());
    }
    must_succeed(npm_in(folder).args(["ci", "--no-audit", "--no-fund"]))?;
    stamp.keep()
}

/// npm in the shell's folder.
pub fn npm(workspace: &Workspace) -> Command {
    npm_in(&workspace.shell)
}

/// npm without colors.
pub fn npm_in(folder: &Path) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder).env("NO_COLOR", "1").env_remove("FORCE_COLOR");
    command
}
