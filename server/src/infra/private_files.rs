//! File permissions: only the shop's user can read files with customer data (folders 0700, files 0600), regardless of
//! the umask.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// The permission bits of group and others.
const OTHERS: u32 = 0o077;

/// Creates the folder with mode 0700. One that exists keeps its mode.
///
/// # Errors
/// When the folder cannot be created, or something else has its name.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    // `recursive` takes an existing folder as success.
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Creates the folder with mode 0700, or narrows the mode of the existing one.
///
/// # Errors
/// When the folder cannot be created.
pub fn secure_folder(path: &Path) -> io::Result<()> {
    create_folder(path)?;
    narrow(path);
    Ok(())
}

/// Creates an empty file with mode 0600, or narrows the mode of the existing one.
///
/// An existing file is never opened: closing any descriptor of an SQLite file drops the POSIX locks that this process
/// holds on it.
///
/// # Errors
/// When the file cannot be created.
pub fn secure_file(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            narrow(path);
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Writes a file, which has mode 0600 if it did not exist.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// Removes the permissions of group and others. If a volume belongs to another user, its mode cannot be changed: the shop
/// starts anyway, and `nudgelight check` reports it.
pub fn narrow(path: &Path) {
    let Ok(metadata) = fs::metadata(path) else { return };
    let mode = metadata.permissions().mode();
    if mode & OTHERS == 0 {
        return;
    }
    if let Err(error) = fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7777 & !OTHERS)) {
        tracing::warn!(path = %path.display(), %error, "other users can read this, and its mode cannot be changed");
    }
}

/// Message for the operator about the first of these paths that other users have a permission on.
pub fn find_open_to_others(paths: &[PathBuf]) -> Option<String> {
    paths.iter().find_map(|path| {
        let mode = fs::metadata(path).ok()?.permissions().mode() & 0o777;
        (mode & OTHERS != 0).then(|| {
            format!(
                "{} has mode {mode:04o}, so other users of this machine may read it; the next start, or \
                 `chmod go= {}`, takes that permission away",
                path.display(),
                path.display()
            )
        })
    })
}
