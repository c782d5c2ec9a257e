//! Small disks of the nodes, so that one can be filled.

use std::fs;
use std::path::Path;
use std::process::Command;

use xtask::process::{Failure, capture, run};

/// A database of this program needs about a third.
const SIZE: &str = "size=700M";
const FILLER: &str = "filler";

/// Mounts a file system in memory at a folder. The cleanup of the temporary folder unmounts it.
pub fn mount(folder: &Path) -> Result<(), Failure> {
    run(Command::new("mount").args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(folder))
}

/// Writes a file until no byte is free.
pub fn fill(folder: &Path) -> Result<(), Failure> {
    let file = format!("of={}", folder.join(FILLER).display());
    let filled = capture(Command::new("dd").args(["if=/dev/zero", "bs=4096", &file]))?;
    let is_full = !filled.status.success();
    is_full.then_some(()).ok_or_else(|| Failure::new(format!("{} was not filled", folder.display())))
}

pub fn free(folder: &Path) -> Result<(), Failure> {
    Ok(fs::remove_file(folder.join(FILLER))?)
}
