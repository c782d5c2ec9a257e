//! Paths: the clone, its target folder and the per-user cache.

use std::env;
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;

use crate::process::{Failure, stdout_of};

pub struct Workspace {
    pub root: PathBuf,
    pub shell: PathBuf,
    pub target: PathBuf,
    pub tools: PathBuf,
}

impl Workspace {
    /// Reads the paths from the variables that cargo sets.
    pub fn locate() -> Result<Self, Failure> {
        let manifest = variable("CARGO_MANIFEST_DIR")
            .ok_or_else(|| Failure::new("CARGO_MANIFEST_DIR is not set: start this with `cargo xtask`"))?;
        // This program is `<target>/<profile>/xtask`.
        let program = env::current_exe()?;
        let (Some(root), Some(target)) = (Path::new(&manifest).parent(), program.ancestors().nth(2)) else {
            return Err(Failure::new("cannot tell the project's folders from those of this program"));
        };
        let (root, target, tools) = (root.to_path_buf(), target.to_path_buf(), cache()?.join("tools"));
        Ok(Self { shell: root.join("react-shell"), root, target, tools })
    }

    /// The server of `cargo build`.
    pub fn server(&self) -> PathBuf {
        self.program("debug", "nudgelight")
    }

    /// The server of `cargo build --release`, which a shop runs.
    pub fn release_server(&self) -> PathBuf {
        self.program("release", "nudgelight")
    }

    /// A program in the folder of a cargo profile.
    pub fn program(&self, folder: &str, name: &str) -> PathBuf {
        self.target.join(folder).join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// The text of a file of the repository.
    pub fn read(&self, path: &str) -> Result<String, Failure> {
        Ok(fs::read_to_string(self.root.join(path))?)
    }

    /// The paths of all files in git's index.
    pub fn tracked_files(&self) -> Result<Vec<String>, Failure> {
        let list = stdout_of(Command::new("git").arg("-C").arg(&self.root).args(["ls-files", "-z"]));
        let list = list.ok_or_else(|| Failure::new("`git ls-files` failed: the check needs a git clone"))?;
        Ok(list.split_terminator('\0').map(str::to_owned).collect())
    }

    /// The folder of log files, reports and screenshots, which git ignores.
    pub fn test_results(&self) -> PathBuf {
        self.root.join("test-results")
    }

    /// The fingerprint file of a generated output. It is inside the clone, because clones may share a target folder, and
    /// inside `node_modules`, so that `npm ci` removes it.
    pub fn stamp(&self, output: &str) -> PathBuf {
        self.shell.join("node_modules/.cache/nudgelight").join(output)
    }
}

/// An environment variable, if it is set and not empty.
#[expect(clippy::disallowed_methods, reason = "the only access of xtask to the environment")]
pub fn variable(name: &str) -> Option<String> {
    env::var_os(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty())
}

/// The names of all environment variables that begin with one of `starts`.
#[expect(clippy::disallowed_methods, reason = "the only access of xtask to the environment")]
pub fn variables(starts: &[&str]) -> Vec<OsString> {
    let begins = |name: &OsString| starts.iter().any(|start| name.to_string_lossy().starts_with(start));
    env::vars_os().map(|(name, _)| name).filter(begins).collect()
}

/// A free TCP port.
pub fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn cache() -> Result<PathBuf, Failure> {
    let home = || variable("HOME").map(|home| format!("{home}/.cache"));
    let base = variable("XDG_CACHE_HOME").or_else(home).or_else(|| variable("LOCALAPPDATA"));
    let base = base.ok_or_else(|| Failure::new("set XDG_CACHE_HOME or HOME: the build tools are kept in a cache"))?;
    Ok(PathBuf::from(base).join("nudgelight"))
}
