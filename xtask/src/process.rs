//! Child processes: their output goes to the log file of the running stage and is captured for the caller.

use std::cell::RefCell;
use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, PipeReader, Write as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use crate::failures;
use crate::workspace::{variable, variables};

/// The error of a stage: one sentence, and the lines of output that explain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    sentence: String,
    pub output: Vec<String>,
}

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), output: Vec::new() }
    }

    pub fn with_output(self, output: Vec<String>) -> Self {
        Self { output, ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.sentence)
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

/// Captured output (both streams, in order of arrival) and exit status.
pub struct Finished {
    pub status: ExitStatus,
    pub lines: Vec<String>,
}

impl Finished {
    /// Both outputs, and the status of the first failure.
    pub fn and(mut self, next: Self) -> Self {
        self.lines.extend(next.lines);
        let status = if self.status.success() { next.status } else { self.status };
        Self { status, ..self }
    }
}

/// A stage's name and log file.
pub struct StageLog {
    pub stage: &'static str,
    pub file: File,
}

thread_local! {
    static LOG: RefCell<Option<StageLog>> = const { RefCell::new(None) };
}

/// Runs `work` with `log` as the destination of all output of this thread's child processes.
pub fn logged_to<T>(log: Option<StageLog>, work: impl FnOnce() -> T) -> T {
    let outer = LOG.replace(log);
    let result = work();
    LOG.set(outer);
    result
}

/// Writes a line to the log of the running stage, if there is one. A failed write is ignored: a full disk must not end a
/// test run.
pub fn log_line(line: &str) {
    LOG.with_borrow_mut(|log| log.as_mut().map(|log| writeln!(log.file, "{line}")));
}

/// Runs a command to its end and captures its output. A non-zero exit status is not an error here.
pub fn capture(command: &mut Command) -> Result<Finished, Failure> {
    log_line(&format!("$ {}", shown(command)));
    let (output, input) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(input.try_clone()?).stderr(input);
    let mut child = command.spawn().map_err(|error| cannot_start(&command.get_program().to_string_lossy(), &error))?;
    // The pipe ends when its last writer is closed, and the command has two.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let lines = read_lines(output)?;
    Ok(Finished { status: child.wait()?, lines })
}

/// How often a running stage shows its newest line of output.
const PROGRESS: Duration = Duration::from_secs(20);

/// The lines of a child process. They are logged, and the newest one is shown now and then.
fn read_lines(output: PipeReader) -> Result<Vec<String>, Failure> {
    let (mut output, mut bytes, mut lines) = (BufReader::new(output), Vec::new(), Vec::new());
    let (began, mut shown) = (Instant::now(), Duration::ZERO);
    // Bytes, not `lines()`: invalid UTF-8 must not end the loop while the child blocks on its pipe.
    while output.read_until(b'\n', &mut bytes)? > 0 {
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        log_line(&line);
        let elapsed = began.elapsed();
        if elapsed >= shown + PROGRESS {
            shown = elapsed;
            println!("    {}: {} s, {:.100}", stage(), elapsed.as_secs(), line.trim());
        }
        lines.push(line);
        bytes.clear();
    }
    Ok(lines)
}

fn stage() -> &'static str {
    LOG.with_borrow(|log| log.as_ref().map_or("", |log| log.stage))
}

/// Like [`capture`], but a non-zero exit status is an error.
pub fn must_succeed(command: &mut Command) -> Result<Finished, Failure> {
    let finished = capture(command)?;
    if finished.status.success() {
        return Ok(finished);
    }
    let failure = Failure::new(format!("`{}` failed: {}", shown(command), finished.status));
    Err(failure.with_output(failures::explain(&finished.lines)?))
}

/// Like [`must_succeed`], without the output.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    must_succeed(command).map(drop)
}

/// The standard output of a command, `None` if it is missing or fails. Nothing is logged.
pub fn stdout_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

pub fn is_root() -> bool {
    stdout_of(Command::new("id").arg("-u")).as_deref() == Some("0")
}

/// Both, and the first failure.
pub fn at_the_same_time(
    one: impl FnOnce() -> Result<(), Failure> + Send,
    other: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        joined(one).and(other)
    })
}

/// The result of a thread.
pub fn joined<T>(thread: ScopedJoinHandle<'_, Result<T, Failure>>) -> Result<T, Failure> {
    thread.join().unwrap_or_else(|_| Err(Failure::new("a thread of this command stopped")))
}

/// Cargo in a folder, with arguments that are separated by spaces.
pub fn cargo(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(variable("CARGO").unwrap_or_else(|| "cargo".to_owned()));
    command.args(arguments.split(' ')).current_dir(folder);
    remove_cargo_variables(&mut command);
    command
}

/// Removes the variables that `cargo run` sets. Build scripts that watch `CARGO_MANIFEST_DIR` (ring's does) would
/// otherwise rebuild half the tree.
pub fn remove_cargo_variables(command: &mut Command) {
    for name in variables(&["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_NAME", "OUT_DIR"]) {
        command.env_remove(name);
    }
}

pub fn cannot_start(program: &str, error: &io::Error) -> Failure {
    Failure::new(format!("cannot run `{program}`: {error}"))
}

fn shown(command: &Command) -> String {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
