//! A Chromium for the browser tests: an installed one, else Debian's package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Failure, is_root, must};
use crate::workspace::variable;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ADVICE: &str = "the browser tests need Chromium: install it, or name one in CHROMIUM";

/// The path of a Chromium that can be started.
pub fn find_or_install() -> Result<PathBuf, Failure> {
    if let Some(named) = variable("CHROMIUM").map(PathBuf::from) {
        return if named.is_file() {
            Ok(named)
        } else {
            Err(Failure::new(format!("CHROMIUM: {} is no file", named.display())))
        };
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    if !(Path::new("/etc/debian_version").exists() && is_root()) {
        return Err(Failure::new(ADVICE));
    }
    let apt =
        |words: &[&str]| must("apt-get", Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive"));
    apt(&["update"])?;
    apt(&["install", "--yes", "--no-install-recommends", "chromium"])?;
    installed().ok_or_else(|| Failure::new(ADVICE))
}

fn installed() -> Option<PathBuf> {
    let path = variable("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| fs::metadata(file).is_ok())
}
