//! Running other programs: every line they print is shown with the stage it belongs to, and kept.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread;

use crate::workspace::{variable, variables};

/// Why a stage did not succeed: one sentence for the person at the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// What a program printed (both streams, in the order it came) and how it ended.
pub struct Finished {
    pub status: ExitStatus,
    pub lines: Vec<String>,
}

/// Runs to the end and shows each line behind `label`; a non-zero exit is not yet a failure here.
pub fn watch(label: &str, command: &mut Command) -> Result<Finished, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(&program, &error))?;
    let lines = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let (out, err) = (child.stdout.take(), child.stderr.take());
        scope.spawn(|| relay(label, out, &lines));
        scope.spawn(|| relay(label, err, &lines));
    });
    let status = child.wait().map_err(|error| cannot_start(&program, &error))?;
    let lines = lines.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(Finished { status, lines })
}

/// Like [`watch`], for programs that must succeed.
pub fn must(label: &str, command: &mut Command) -> Result<Finished, Failure> {
    let finished = watch(label, command)?;
    if finished.status.success() {
        return Ok(finished);
    }
    Err(Failure::new(format!("{} ended with {}", spoken(command), finished.status)))
}

/// What a program prints, without showing it; `None` if it is missing or fails.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

pub fn is_root() -> bool {
    ask(Command::new("id").arg("-u")).as_deref() == Some("0")
}

/// Cargo, without the variables of the `cargo run` that started us: build scripts that watch
/// `CARGO_MANIFEST_DIR` (ring's does) would otherwise rebuild half the tree on each change of hands.
pub fn cargo() -> Command {
    let mut command = Command::new(variable("CARGO").unwrap_or_else(|| "cargo".to_owned()));
    forget_cargo_run(&mut command);
    command
}

/// Takes out of the environment what `cargo run` put in.
pub fn forget_cargo_run(command: &mut Command) {
    for name in variables(&["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_NAME", "OUT_DIR"]) {
        command.env_remove(name);
    }
}

pub fn cannot_start(program: &str, error: &io::Error) -> Failure {
    Failure::new(format!("cannot run `{program}`: {error}"))
}

fn relay(label: &str, stream: Option<impl Read>, lines: &Mutex<Vec<String>>) {
    let Some(stream) = stream else { return };
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    // Bytes, not `lines()`: a runner that prints half a character must not end the relay and block on its pipe.
    while matches!(reader.read_until(b'\n', &mut bytes), Ok(1..)) {
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        bytes.clear();
        println!("{label:>10} | {line}");
        lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(line);
    }
}

fn spoken(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    format!("`{}`", words.join(" "))
}
