//! npm commands: packages, and the shell's build, type check, lints and tests.

use std::path::Path;
use std::process::Command;

use crate::process::{Failure, Finished, capture, must_succeed, run};
use crate::stamp::Stamp;
use crate::workspace::Workspace;

/// `npm ci` in a folder, if its lock file changed. npm removes the stamp together with the packages.
pub fn install_in(folder: &Path) -> Result<(), Failure> {
    let packages = folder.join("node_modules");
    let stamp = Stamp::of(packages.join(".stamp"), packages, &[folder.join("package-lock.json")], "npm ci")?;
    if stamp.is_fresh() { Ok(()) } else { stamp.keep_after(&mut npm(folder, "ci --no-audit --no-fund")) }
}

/// The bundle that the server embeds, rebuilt if the shell or a browser package changed.
pub fn build(workspace: &Workspace) -> Result<(), Failure> {
    // The server's pages use CSS classes too.
    let inputs = [workspace.shell.clone(), workspace.root.join("server/src/storefront/pages")];
    let page = workspace.shell.join("dist/index.html");
    let stamp = Stamp::of(workspace.stamp("dist"), page, &inputs, "vite build")?;
    if stamp.is_fresh() { Ok(()) } else { stamp.keep_after(&mut npm(&workspace.shell, "run build")) }
}

/// Type check and lints.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut npm(&workspace.shell, "run check"))
}

/// The unit tests.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    capture(&mut npm(&workspace.shell, "run test"))
}

/// The sizes of what a browser loads. Fails above react-shell/size-budget.json.
pub fn sizes(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    Ok(must_succeed(&mut npm(&workspace.shell, "run --silent size"))?.lines)
}

/// npm in a folder, without colors, with arguments that are separated by spaces.
pub fn npm(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments.split(' ')).current_dir(folder).env("NO_COLOR", "1").env_remove("FORCE_COLOR");
    command
}
