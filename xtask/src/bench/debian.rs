//! Programs that measurements need and Debian packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Failure, is_root, must};
use crate::workspace::variable;

/// The program's path: an installed one, else from Debian's package.
pub fn find_or_install(program: &str, package: &str) -> Result<PathBuf, Failure> {
    if let Some(found) = installed(program) {
        return Ok(found);
    }
    if !(Path::new("/etc/debian_version").exists() && is_root()) {
        return Err(Failure::new(format!("{program} is not here (Debian: apt-get install {package})")));
    }
    let apt =
        |words: &[&str]| must("apt-get", Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive"));
    apt(&["update"])?;
    apt(&["install", "--yes", "--no-install-recommends", package])?;
    installed(program).ok_or_else(|| Failure::new(format!("{package} brought no {program}")))
}

/// Servers are not in everybody's `PATH`.
fn installed(program: &str) -> Option<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/sbin")])
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}
