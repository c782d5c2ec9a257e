//! Programs that are measured: where the build leaves them, and running ones.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::process::{Failure, cannot_start};
use crate::workspace::Workspace;

/// How the programs are compiled: as they are shipped, or as they are tested.
#[derive(Clone, Copy, Debug)]
pub enum Profile {
    Dist,
    Release,
}

/// What `--profile` accepts.
pub const PROFILE_NAMES: [&str; 2] = ["dist", "release"];

impl Profile {
    pub fn named(name: &str) -> Self {
        if name == "release" { Self::Release } else { Self::Dist }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Dist => "dist",
            Self::Release => "release",
        }
    }

    /// Where cargo leaves the program.
    pub fn program(self, workspace: &Workspace, name: &str) -> PathBuf {
        workspace.target.join(self.name()).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }
}

/// A server that says where it listens on its standard output. Ended when it is dropped.
pub struct Listening {
    child: Child,
    pub url: String,
}

impl Listening {
    pub fn start(command: &mut Command) -> Result<Self, Failure> {
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|e| cannot_start(&program, &e))?;
        let lines =
            child.stdout.take().map(BufReader::new).into_iter().flat_map(|out| out.lines().map_while(Result::ok));
        let said = lines.into_iter().find_map(|line| line.strip_prefix("listening on ").map(str::to_owned));
        let listening = Self { child, url: said.unwrap_or_default() };
        if listening.url.is_empty() {
            return Err(Failure::new(format!("{program} did not say where it listens")));
        }
        Ok(listening)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
