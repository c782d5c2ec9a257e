//! The description of the calls, and the shell's TypeScript types that are made from it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::native;
use crate::process::{Failure, must_succeed, remove_cargo_variables, stdout_of};
use crate::shell;
use crate::workspace::Workspace;

/// Writes the types the shell is compiled with. They are kept in the repository: so a change of a call is seen in
/// review, and the shell can be worked on without building the server.
pub fn write_types(workspace: &Workspace) -> Result<(), Failure> {
    make_types(workspace, &kept(workspace))
}

/// Fails when the kept types are not those of today's calls.
pub fn types_are_fresh(workspace: &Workspace) -> Result<(), Failure> {
    let fresh = workspace.target.join("xtask").join("openapi.d.ts");
    make_types(workspace, &fresh)?;
    if read(&fresh)? == read(&kept(workspace))? {
        return Ok(());
    }
    Err(Failure::new("react-shell/src/generated/openapi.d.ts is stale: run `cargo xtask gen`"))
}

fn make_types(workspace: &Workspace, out: &Path) -> Result<(), Failure> {
    native::build_server(workspace)?;
    let mut server = Command::new(workspace.server());
    remove_cargo_variables(&mut server);
    let document = stdout_of(server.arg("openapi")).ok_or_else(|| Failure::new("`nudgelight openapi` failed"))?;
    let file = workspace.target.join("xtask").join("openapi.json");
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    }
    fs::write(&file, document).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    let mut generator = shell::npm(workspace);
    generator.args(["exec", "--no", "--", "openapi-typescript"]).arg(&file).arg("--output").arg(out);
    must_succeed(&mut generator).map(drop)
}

fn kept(workspace: &Workspace) -> PathBuf {
    workspace.shell.join("src/generated/openapi.d.ts")
}

fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))
}
