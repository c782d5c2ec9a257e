//! Programs from PyPI. Each has a Python environment with exactly the packages listed in `xtask/`, shared by all clones of
//! this user.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{Failure, run, stdout_of};
use crate::programs::Programs;
use crate::stamp::Stamp;
use crate::workspace::Workspace;

const SCRIPTS: &str = if cfg!(windows) { "Scripts" } else { "bin" };

pub const PROGRAMS: Programs = Programs::new("Python 3.10 or newer with its `venv` module", "python3-venv", has_python);

fn has_python() -> bool {
    let script = "import sys, venv, ensurepip; assert sys.version_info >= (3, 10)";
    stdout_of(Command::new("python3").args(["-c", script])).is_some()
}

/// The path of a program whose packages `xtask/{name}.txt` lists.
pub fn installed(workspace: &Workspace, name: &str) -> Result<PathBuf, Failure> {
    let environment = workspace.tools.join(name);
    let (scripts, packages) = (environment.join(SCRIPTS), workspace.root.join(format!("xtask/{name}.txt")));
    let program = scripts.join(name);
    let stamp = Stamp::of(environment.join("stamp"), program.clone(), std::slice::from_ref(&packages), "pip install")?;
    if !stamp.is_fresh() {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
        let mut pip = Command::new(scripts.join("pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--requirement"]);
        stamp.keep_after(pip.arg(packages))?;
    }
    Ok(program)
}
