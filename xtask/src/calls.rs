//! TypeScript types of the API, generated from the OpenAPI document.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::native;
use crate::process::{Failure, must_succeed, remove_cargo_variables, stdout_of};
use crate::shell;
use crate::workspace::Workspace;

/// Writes the types. They are in the repository, so that a review shows API changes and the shell builds without the
/// server.
pub fn write_types(workspace: &Workspace) -> Result<(), Failure> {
    make_types(workspace, &kept(workspace))
}

/// Fails if the types do not match the OpenAPI document.
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
