//! Child processes: their output goes to the log file of the running stage and is captured for the caller.

use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failures;
use crate::workspace::{variable, variables};

/// Interval between two progress lines of a child process.
const PROGRESS: Duration = Duration::from_secs(60);

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

impl From<regex::Error> for Failure {
    fn from(error: regex::Error) -> Self {
        Self::new(error.to_string())
    }
}

/// Captured output (both streams, in order of arrival) and exit status.
pub struct Finished {
    pub status: ExitStatus,
    pub lines: Vec<String>,
}

/// A stage's name and log file.
pub struct StageLog {
    pub stage: &'static str,
    pub file: File,
}

thread_local! {
    static LOG: RefCell<Option<Arc<StageLog>>> = const { RefCell::new(None) };
}

/// Runs `work` with `log` as the destination of all output of this thread's child processes.
pub fn logged_to<T>(log: Option<StageLog>, work: impl FnOnce() -> T) -> T {
    let outer = LOG.replace(log.map(Arc::new));
    let result = work();
    LOG.set(outer);
    result
}

/// Writes a line to the log of the running stage, or to the terminal outside a stage.
pub fn log_line(line: &str) {
    match LOG.with_borrow(Clone::clone) {
        Some(log) => log.write(line),
        None => println!("{line}"),
    }
}

impl StageLog {
    /// A full disk must not end a test run, so a failed write is ignored.
    fn write(&self, line: &str) {
        let _ = writeln!(&self.file, "{line}");
    }
}

/// Runs a command to its end and captures its output. A non-zero exit status is not an error here.
pub fn capture(command: &mut Command) -> Result<Finished, Failure> {
    log_line(&format!("$ {}", shown(command)));
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(&program, &error))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let relay = Relay { log: LOG.with_borrow(Clone::clone), lines: Mutex::default(), passed: AtomicUsize::new(0) };
    thread::scope(|scope| {
        let (running, ended) = mpsc::channel::<()>();
        scope.spawn(|| relay.report_progress(ended));
        let both = [scope.spawn(|| relay.read(out)), scope.spawn(|| relay.read(err))];
        both.into_iter().for_each(|stream| drop(stream.join()));
        drop(running);
    });
    let status = child.wait().map_err(|error| cannot_start(&program, &error))?;
    Ok(Finished { status, lines: relay.lines.into_inner().unwrap_or_else(PoisonError::into_inner) })
}

/// Like [`capture`], but a non-zero exit status is an error.
pub fn must_succeed(command: &mut Command) -> Result<Finished, Failure> {
    let finished = capture(command)?;
    if finished.status.success() {
        return Ok(finished);
    }
    let failure = Failure::new(format!("`{}` failed: {}", shown(command), finished.status));
    Err(failure.with_output(failures::explain(&finished.lines)))
}

/// The standard output of a command, `None` if it is missing or fails. Nothing is logged.
pub fn stdout_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

pub fn is_root() -> bool {
    stdout_of(Command::new("id").arg("-u")).as_deref() == Some("0")
}

/// Cargo without the variables of the `cargo run` that started this program: build scripts that watch
/// `CARGO_MANIFEST_DIR` (ring's does) would otherwise rebuild half the tree.
pub fn cargo() -> Command {
    let mut command = Command::new(variable("CARGO").unwrap_or_else(|| "cargo".to_owned()));
    remove_cargo_variables(&mut command);
    command
}

/// Removes the variables that `cargo run` sets.
pub fn remove_cargo_variables(command: &mut Command) {
    for name in variables(&["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_NAME", "OUT_DIR"]) {
        command.env_remove(name);
    }
}

pub fn cannot_start(program: &str, error: &io::Error) -> Failure {
    Failure::new(format!("cannot run `{program}`: {error}"))
}

/// Collects the output of one child process.
struct Relay {
    log: Option<Arc<StageLog>>,
    lines: Mutex<Vec<String>>,
    passed: AtomicUsize,
}

impl Relay {
    fn read(&self, stream: Option<impl Read>) {
        let Some(stream) = stream else { return };
        let mut reader = BufReader::new(stream);
        let mut bytes = Vec::new();
        // Bytes, not `lines()`: invalid UTF-8 must not end the relay while the child blocks on its pipe.
        while matches!(reader.read_until(b'\n', &mut bytes), Ok(1..)) {
            self.keep(String::from_utf8_lossy(&bytes).trim_end().to_owned());
            bytes.clear();
        }
    }

    fn keep(&self, line: String) {
        if let Some(log) = &self.log {
            log.write(&line);
        }
        if failures::is_passed_test(&line) {
            self.passed.fetch_add(1, Ordering::Relaxed);
        }
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Prints a line a minute until the sender of `ended` is dropped.
    fn report_progress(&self, ended: mpsc::Receiver<()>) {
        let began = Instant::now();
        while ended.recv_timeout(PROGRESS) == Err(RecvTimeoutError::Timeout) {
            let (minutes, passed) = (began.elapsed().as_secs() / 60, self.passed.load(Ordering::Relaxed));
            let stage = self.log.as_ref().map_or("", |log| log.stage);
            let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            let newest = lines.last().map_or("", |line| line.trim());
            match passed {
                0 => println!("    {stage}: {minutes} min, {newest:.100}"),
                _ => println!("    {stage}: {minutes} min, {passed} tests passed so far"),
            }
        }
    }
}

fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}
