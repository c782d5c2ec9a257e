//! Programs of the operating system. As root on Debian, missing ones are installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Failure, is_root, must_succeed};
use crate::workspace::variable;

/// The program's path.
pub fn find_or_install(program: &str, package: &str) -> Result<PathBuf, Failure> {
    if let Some(found) = find(program) {
        return Ok(found);
    }
    if !can_install() {
        return Err(Failure::new(format!("{program} is missing (Debian: apt-get install {package})")));
    }
    install(&[package])?;
    find(program).ok_or_else(|| Failure::new(format!("the package {package} has no {program}")))
}

/// Searches `PATH` and the `sbin` folders.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin", "/sbin"].map(PathBuf::from))
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

pub fn can_install() -> bool {
    Path::new("/etc/debian_version").exists() && is_root()
}

pub fn install(packages: &[&str]) -> Result<(), Failure> {
    let apt =
        |words: &[&str]| must_succeed(Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive"));
    apt(&["update"])?;
    apt(&[&["install", "--yes", "--no-install-recommends"], packages].concat()).map(drop)
}
