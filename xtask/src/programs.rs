//! Programs of the operating system. As root on Debian, missing ones are installed.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Failure, is_root, run};
use crate::stages::Stages;
use crate::workspace::variable;

/// Programs of one Debian package that tests need.
pub struct Programs {
    /// For messages, such as “PostgreSQL's initdb and pg_ctl”.
    pub names: &'static str,
    /// The Debian package.
    pub package: &'static str,
    pub are_installed: fn() -> bool,
    /// The tests that need them. `None` is the whole suite.
    pub only_for: Option<&'static str>,
}

impl Programs {
    pub const fn new(names: &'static str, package: &'static str, are_installed: fn() -> bool) -> Self {
        Self { names, package, are_installed, only_for: None }
    }

    pub const fn only_for(self, tests: &'static str) -> Self {
        Self { only_for: Some(tests), ..self }
    }

    /// The missing programs and how to install them.
    pub fn missing(&self) -> Option<String> {
        let Self { names, package, .. } = self;
        (!(self.are_installed)())
            .then(|| format!("needs {names} (Debian: `apt-get install {package}`, or run this command as root)"))
    }
}

/// Installs missing programs, if possible. A failure is no error, because tests of missing programs are skipped.
pub fn install_missing<'a>(stages: &Stages, wanted: impl Iterator<Item = &'a Programs>) {
    let missing = wanted.filter(|programs| !(programs.are_installed)());
    let packages: BTreeSet<&str> = missing.map(|programs| programs.package).collect();
    if !packages.is_empty() && can_install() {
        let _ = stages.run("programs for the tests", || install(packages));
    }
}

/// The program's path.
pub fn find_or_install(program: &str, package: &'static str) -> Result<PathBuf, Failure> {
    if find(program).is_none() && can_install() {
        install([package])?;
    }
    find(program).ok_or_else(|| Failure::new(format!("{program} is missing (Debian: apt-get install {package})")))
}

pub fn has(program: &str) -> bool {
    find(program).is_some()
}

/// Searches `PATH` and the `sbin` folders.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain(["/usr/sbin", "/sbin"].map(PathBuf::from))
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

pub fn can_install() -> bool {
    Path::new("/etc/debian_version").exists() && is_root()
}

fn install(packages: impl IntoIterator<Item = &'static str>) -> Result<(), Failure> {
    let apt = |words: &str| {
        let mut command = Command::new("apt-get");
        command.args(words.split(' ')).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    run(&mut apt("update"))?;
    run(apt("install --yes --no-install-recommends").args(packages))
}
