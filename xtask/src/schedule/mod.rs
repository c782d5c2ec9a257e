//! The schedule's generated files (time zone table and guide), and its flash and stack usage on the board.

pub mod budget;
mod elf;
mod frames;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::native;
use crate::process::{Failure, remove_cargo_variables, stdout_of};
use crate::workspace::Workspace;

/// Programs of `wasm-core/examples` and the files that they print.
const GENERATED: [(&str, &str); 2] =
    [("zone_table", "wasm-core/src/schedule/zone_table.rs"), ("schedule_guide", "docs/guide/schedule.md")];

/// Writes the generated files. The table comes first, because the program that prints the guide contains it.
pub fn write(workspace: &Workspace) -> Result<(), Failure> {
    for (example, file) in GENERATED {
        let file = workspace.root.join(file);
        let text = print(workspace, example)?;
        fs::write(&file, text).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    }
    Ok(())
}

/// Fails if a file differs from its program's output.
pub fn is_fresh(workspace: &Workspace) -> Result<(), Failure> {
    for (example, file) in GENERATED {
        let kept = workspace.root.join(file);
        let kept = fs::read_to_string(&kept).map_err(|error| Failure::new(format!("{}: {error}", kept.display())))?;
        if kept != print(workspace, example)? {
            return Err(Failure::new(format!("{file} is stale: run `cargo xtask gen`")));
        }
    }
    Ok(())
}

fn print(workspace: &Workspace, example: &str) -> Result<String, Failure> {
    native::build_example(workspace, example)?;
    let name = format!("{example}{}", std::env::consts::EXE_SUFFIX);
    let program: PathBuf = workspace.target.join("release/examples").join(name);
    let mut command = Command::new(program);
    remove_cargo_variables(command.current_dir(&workspace.root));
    let text = stdout_of(&mut command).ok_or_else(|| Failure::new(format!("the example {example} failed")))?;
    Ok(text + "\n")
}
