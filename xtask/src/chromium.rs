//! Chromium for the browser tests: `CHROMIUM`, an installed one, or Debian's package.

use std::path::PathBuf;

use crate::debian;
use crate::process::Failure;
use crate::programs::Programs;
use crate::workspace::variable;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ADVICE: &str = "the browser tests need Chromium: install it or set CHROMIUM to its path";

pub const PROGRAMS: Programs = Programs {
    names: "Chromium",
    package: "chromium",
    // A wrong path in CHROMIUM is an error, which the tests report.
    are_installed: || variable("CHROMIUM").is_some() || installed().is_some(),
    only_for: None,
};

/// The path of Chromium.
pub fn find_or_install() -> Result<PathBuf, Failure> {
    if let Some(named) = variable("CHROMIUM").map(PathBuf::from) {
        return if named.is_file() {
            Ok(named)
        } else {
            Err(Failure::new(format!("CHROMIUM: {} is not a file", named.display())))
        };
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    if !debian::can_install() {
        return Err(Failure::new(ADVICE));
    }
    debian::install(&["chromium"])?;
    installed().ok_or_else(|| Failure::new(ADVICE))
}

fn installed() -> Option<PathBuf> {
    NAMES.into_iter().find_map(debian::find)
}
