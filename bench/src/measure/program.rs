//! The measured programs: their paths, and running instances.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use xtask::process::{Failure, cannot_start};

/// A server that prints its address. Stopped on drop.
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
        let printed = lines.into_iter().find_map(|line| line.strip_prefix("listening on ").map(str::to_owned));
        let listening = Self { child, url: printed.unwrap_or_default() };
        if listening.url.is_empty() {
            return Err(Failure::new(format!("{program} printed no address")));
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
