//! Generated files: browser packages, TypeScript types of the API, the time zone table and the schedule guide.

use std::path::Path;
use std::process::Command;

use fs_err as fs;

use crate::process::{Failure, remove_cargo_variables, run, stdout_of};
use crate::stages::Stages;
use crate::workspace::Workspace;
use crate::{build, native, npm_packages, setup, shell};

/// Programs of `wasm-core/examples` and the files that they print. The table comes first, because the program that prints
/// the guide contains it.
const GENERATED: [(&str, &str); 2] =
    [("zone_table", "wasm-core/src/schedule/zone_table.rs"), ("schedule_guide", "docs/guide/schedule.md")];
/// The types are in the repository, so that a review shows API changes and the shell builds without the server.
const API_TYPES: &str = "react-shell/src/generated/openapi.d.ts";

/// `cargo xtask gen`.
pub fn generate(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    stages.run("requirements", setup::for_build)?;
    stages.run("schedule", || {
        GENERATED
            .iter()
            .try_for_each(|(example, file)| Ok(fs::write(workspace.root.join(file), print(workspace, example)?)?))
    })?;
    build::for_home(workspace, stages)?;
    stages.run("API types", || write_api_types(workspace, &workspace.root.join(API_TYPES)))?;
    // The client contains the types of the API.
    build::for_npm(workspace, stages)?;
    stages.run("public surface", || npm_packages::write_surface(workspace))
}

/// Fails if a file of the schedule differs from its program's output.
pub fn schedule_files_are_fresh(workspace: &Workspace) -> Result<(), Failure> {
    GENERATED.iter().try_for_each(|(example, file)| is_fresh(workspace, file, &print(workspace, example)?))
}

/// Fails if the types do not match the OpenAPI document.
pub fn api_types_are_fresh(workspace: &Workspace) -> Result<(), Failure> {
    let fresh = workspace.target.join("xtask/openapi.d.ts");
    write_api_types(workspace, &fresh)?;
    is_fresh(workspace, API_TYPES, &fs::read_to_string(fresh)?)
}

fn is_fresh(workspace: &Workspace, file: &str, expected: &str) -> Result<(), Failure> {
    if workspace.read(file)? == expected {
        return Ok(());
    }
    Err(Failure::new(format!("{file} is stale: run `cargo xtask gen`")))
}

fn print(workspace: &Workspace, example: &str) -> Result<String, Failure> {
    native::build_example(workspace, example)?;
    let text = printed_by(Command::new(workspace.program("debug/examples", example)).current_dir(&workspace.root))?;
    Ok(text + "\n")
}

/// Needs a built server.
fn write_api_types(workspace: &Workspace, out: &Path) -> Result<(), Failure> {
    let document = printed_by(Command::new(workspace.server()).arg("openapi"))?;
    let file = workspace.target.join("xtask/openapi.json");
    fs::create_dir_all(workspace.target.join("xtask"))?;
    fs::write(&file, document)?;
    let mut generator = shell::npm(&workspace.shell, "exec --no -- openapi-typescript");
    run(generator.arg(&file).arg("--output").arg(out))
}

fn printed_by(program: &mut Command) -> Result<String, Failure> {
    remove_cargo_variables(program);
    stdout_of(program).ok_or_else(|| Failure::new(format!("{program:?} failed")))
}
