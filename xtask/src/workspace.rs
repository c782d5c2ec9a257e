//! Where everything lies: the clone, its target folder and the per-user cache.

use std::env;
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::PathBuf;

use crate::process::Failure;

pub struct Workspace {
    pub root: PathBuf,
    pub shell: PathBuf,
    pub target: PathBuf,
    pub tools: PathBuf,
}

impl Workspace {
    /// Reads the places from what cargo tells the program it runs.
    pub fn locate() -> Result<Self, Failure> {
        let manifest = variable("CARGO_MANIFEST_DIR")
            .ok_or_else(|| Failure::new("start this with `cargo xtask`: it needs cargo to say where the clone is"))?;
        let root = PathBuf::from(manifest)
            .parent()
            .ok_or_else(|| Failure::new("the xtask folder has no parent"))?
            .to_path_buf();
        // Cargo has just built this program into `<target>/release/xtask`, wherever its settings put that.
        let target = env::current_exe()
            .ok()
            .and_then(|program| program.ancestors().nth(2).map(PathBuf::from))
            .ok_or_else(|| Failure::new("cannot tell which target folder this was built into"))?;
        Ok(Self { shell: root.join("react-shell"), root, target, tools: cache()?.join("tools") })
    }

    /// The server as `cargo build --release` leaves it.
    pub fn server(&self) -> PathBuf {
        self.target.join("release").join(format!("nudgelight{}", env::consts::EXE_SUFFIX))
    }

    /// Where it is noted from which inputs the clone's generated files were made: inside the clone, because clones
    /// may share a target folder, and where `npm ci` takes the notes away together with what they speak of.
    pub fn stamp(&self, output: &str) -> PathBuf {
        self.shell.join("node_modules/.cache/nudgelight").join(output)
    }
}

/// A variable of the environment, if it is set to something.
#[allow(clippy::disallowed_methods, reason = "xtask has no configuration of its own; this is where it looks around")]
pub fn variable(name: &str) -> Option<String> {
    env::var_os(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty())
}

/// The names of all variables that begin with one of `starts`.
#[allow(clippy::disallowed_methods, reason = "xtask has no configuration of its own; this is where it looks around")]
pub fn variables(starts: &[&str]) -> Vec<OsString> {
    let begins = |name: &OsString| starts.iter().any(|start| name.to_string_lossy().starts_with(start));
    env::vars_os().map(|(name, _)| name).filter(begins).collect()
}

/// A port that nothing listens on just now.
pub fn free_port() -> Result<u16, Failure> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| Failure::new(format!("no free port: {error}")))
}

fn cache() -> Result<PathBuf, Failure> {
    let base = variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .or_else(|| variable("LOCALAPPDATA").map(PathBuf::from))
        .ok_or_else(|| Failure::new("set XDG_CACHE_HOME or HOME: the build tools are kept in a per-user cache"))?;
    Ok(base.join("nudgelight"))
}
