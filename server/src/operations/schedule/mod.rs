//! `nudgelight schedule`: explains and previews a schedule file, without a device or a shop.
//!
//! `wasm-core` has the rules; here are only files, lines and exit codes: 0, 1 if `check` finds errors, 2 if a file or a
//! time cannot be read.

mod preview;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use wasm_core::schedule::{self, Diagnostic, MAX_BYTES, Moment, Schedule, Severity};

use crate::infra::clock::Clock;

/// Exit code for an unreadable file or argument, the same as for missing arguments.
const UNREADABLE: u8 = 2;

#[derive(Subcommand)]
pub enum Command {
    /// List the errors of a file as FILE:LINE:COLUMN: error: message. Exit status 1 if there is one
    Check {
        /// Schedule file; `-` for standard input
        file: PathBuf,
    },
    /// Print the state of the lamp at each time: `off`, `on 100%` or `blink 200/800 40%`
    At {
        /// Schedule file; `-` for standard input
        file: PathBuf,
        /// Like 2026-11-27T09:00:05, in the file's time zone, or with an offset or Z
        #[arg(required = true, value_name = "TIME")]
        times: Vec<String>,
    },
    /// Print the next change after a time; `none` if there is none within 366 days
    Next {
        /// Schedule file; `-` for standard input
        file: PathBuf,
        /// Like 2026-11-27T09:00:05, in the file's time zone, or with an offset or Z
        time: String,
    },
    /// Draw a timeline of the lamp
    Preview {
        /// Schedule file; `-` for standard input
        file: PathBuf,
        /// Seven days, one line each (default)
        #[arg(long)]
        week: bool,
        /// First day, like 2026-11-23; default: today
        #[arg(long, value_name = "DATE")]
        from: Option<String>,
    },
}

/// Standard output and exit code, or an error message.
type CommandResult = Result<(String, ExitCode), String>;

pub fn run(command: &Command) -> ExitCode {
    let result = match command {
        Command::Check { file } => check(file),
        Command::At { file, times } => at(file, times),
        Command::Next { file, time } => next(file, time),
        Command::Preview { file, week: _, from } => preview(file, from.as_deref()),
    };
    match result {
        Ok((text, code)) => {
            // A closed pipe is not an error: the reader has seen enough.
            let _ = io::stdout().write_all(text.as_bytes());
            code
        }
        Err(message) => {
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::from(UNREADABLE)
        }
    }
}

fn check(file: &Path) -> CommandResult {
    let (_, diagnostics) = read(file)?;
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    let code = if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    Ok((lines(file, &diagnostics), code))
}

fn at(file: &Path, times: &[String]) -> CommandResult {
    let moments: Vec<Moment> = times.iter().map(|time| moment(time)).collect::<Result<_, _>>()?;
    let schedule = read_and_warn(file)?;
    let lights = moments.iter().map(|moment| schedule.light_at(moment.local(schedule.time_zone())));
    Ok((lights.fold(String::new(), |text, light| text + &format!("{light}\n")), ExitCode::SUCCESS))
}

fn next(file: &Path, time: &str) -> CommandResult {
    let moment = moment(time)?;
    let schedule = read_and_warn(file)?;
    let zone = schedule.time_zone();
    let line = match schedule.next_change(moment.instant(zone)) {
        Some(change) => format!("{} {}\n", zone.format(change.at), change.light),
        None => "none\n".to_owned(),
    };
    Ok((line, ExitCode::SUCCESS))
}

fn preview(file: &Path, from: Option<&str>) -> CommandResult {
    let given = from.map(|date| moment(&format!("{date}T00:00"))).transpose()?;
    let schedule = read_and_warn(file)?;
    let now = schedule::Instant::from_unix_ms(Clock::default().now_ms());
    let first = given.unwrap_or(Moment::Instant(now)).local(schedule.time_zone());
    Ok((preview::week(&schedule, first), ExitCode::SUCCESS))
}

fn moment(text: &str) -> Result<Moment, String> {
    Moment::parse(text).ok_or_else(|| format!("`{text}` is not a time; write it as 2026-11-27T09:00:05"))
}

/// The schedule and the diagnostics of its file, in line order.
fn read(file: &Path) -> Result<(Schedule, Vec<Diagnostic>), String> {
    let bytes = bytes(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let mut diagnostics = Vec::new();
    let schedule = schedule::parse(&bytes, &mut |diagnostic| diagnostics.push(diagnostic));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
    Ok((schedule, diagnostics))
}

/// The schedule as the device would run it. Diagnostics go to standard error.
fn read_and_warn(file: &Path) -> Result<Schedule, String> {
    let (schedule, diagnostics) = read(file)?;
    let _ = io::stderr().write_all(lines(file, &diagnostics).as_bytes());
    Ok(schedule)
}

/// Reads one byte more than the limit, to detect a file that is too large.
fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(2);
    if file == Path::new("-") {
        io::stdin().take(most).read_to_end(&mut bytes)?;
    } else {
        File::open(file)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn lines(file: &Path, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let (line, column, severity) = (diagnostic.line, diagnostic.column, diagnostic.severity());
        let _ = writeln!(text, "{}:{line}:{column}: {severity}: {diagnostic}", file.display());
    }
    text
}
