//! `nudgelight schedule`: what a schedule file means, without a device and without a shop.
//!
//! The rules are those of `wasm-core`; here are only files, lines and exit codes: 0, 1 where `check` found errors, 2
//! where a file or a time cannot be read.

mod preview;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use wasm_core::schedule::{self, Diagnostic, MAX_BYTES, Moment, Schedule, Severity};

use crate::infra::clock::Clock;

/// A file or an argument that cannot be read, as for arguments that are missing.
const UNREADABLE: u8 = 2;

#[derive(Subcommand)]
pub enum Command {
    /// Say what is wrong with a file, a line each: FILE:LINE:COLUMN: error: message. Ends with 1 if there is an error
    Check {
        /// The schedule file; `-` is standard input
        file: PathBuf,
    },
    /// Say what the lamp does at each of the times: `off`, `on 100%` or `blink 200/800 40%`
    At {
        /// The schedule file; `-` is standard input
        file: PathBuf,
        /// As 2026-11-27T09:00:05, in the file's time zone, or with an offset or Z behind it
        #[arg(required = true, value_name = "TIME")]
        times: Vec<String>,
    },
    /// Say when the light changes next after a time, and to what; `none` if it does not within 366 days
    Next {
        /// The schedule file; `-` is standard input
        file: PathBuf,
        /// As 2026-11-27T09:00:05, in the file's time zone, or with an offset or Z behind it
        time: String,
    },
    /// Draw when the lamp is on and when it blinks
    Preview {
        /// The schedule file; `-` is standard input
        file: PathBuf,
        /// Seven days, a line each (the default)
        #[arg(long)]
        week: bool,
        /// The first day, as 2026-11-23; today if it is left out
        #[arg(long, value_name = "DATE")]
        from: Option<String>,
    },
}

/// Standard output and the exit code, or the sentence that goes to standard error.
type Answer = Result<(String, ExitCode), String>;

pub fn run(command: &Command) -> ExitCode {
    let answer = match command {
        Command::Check { file } => check(file),
        Command::At { file, times } => at(file, times),
        Command::Next { file, time } => next(file, time),
        Command::Preview { file, week: _, from } => preview(file, from.as_deref()),
    };
    match answer {
        Ok((text, code)) => {
            // Whoever reads may have seen enough: a closed pipe is no fault.
            let _ = io::stdout().write_all(text.as_bytes());
            code
        }
        Err(sentence) => {
            let _ = writeln!(io::stderr(), "error: {sentence}");
            ExitCode::from(UNREADABLE)
        }
    }
}

fn check(file: &Path) -> Answer {
    let (_, diagnostics) = read(file)?;
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    let code = if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    Ok((lines(file, &diagnostics), code))
}

fn at(file: &Path, times: &[String]) -> Answer {
    let moments: Vec<Moment> = times.iter().map(|time| moment(time)).collect::<Result<_, _>>()?;
    let schedule = read_and_warn(file)?;
    let lights = moments.iter().map(|moment| schedule.light_at(moment.local(schedule.time_zone())));
    Ok((lights.fold(String::new(), |text, light| text + &format!("{light}\n")), ExitCode::SUCCESS))
}

fn next(file: &Path, time: &str) -> Answer {
    let moment = moment(time)?;
    let schedule = read_and_warn(file)?;
    let zone = schedule.time_zone();
    let line = match schedule.next_change(moment.instant(zone)) {
        Some(change) => format!("{} {}\n", zone.show(change.at), change.light),
        None => "none\n".to_owned(),
    };
    Ok((line, ExitCode::SUCCESS))
}

fn preview(file: &Path, from: Option<&str>) -> Answer {
    let given = from.map(|date| moment(&format!("{date}T00:00"))).transpose()?;
    let schedule = read_and_warn(file)?;
    let now = schedule::Instant::from_unix_ms(Clock::default().now_ms());
    let first = given.unwrap_or(Moment::Instant(now)).local(schedule.time_zone());
    Ok((preview::week(&schedule, first), ExitCode::SUCCESS))
}

fn moment(text: &str) -> Result<Moment, String> {
    Moment::parse(text).ok_or_else(|| format!("`{text}` is not a time; write it as 2026-11-27T09:00:05"))
}

/// The schedule and what is wrong with its file, from the first line to the last.
fn read(file: &Path) -> Result<(Schedule, Vec<Diagnostic>), String> {
    let bytes = bytes(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let mut diagnostics = Vec::new();
    let schedule = schedule::parse(&bytes, &mut |diagnostic| diagnostics.push(diagnostic));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
    Ok((schedule, diagnostics))
}

/// The schedule, as the device would follow it: what is wrong is said beside the answer.
fn read_and_warn(file: &Path) -> Result<Schedule, String> {
    let (schedule, diagnostics) = read(file)?;
    let _ = io::stderr().write_all(lines(file, &diagnostics).as_bytes());
    Ok(schedule)
}

/// No more than tells that there is too much.
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
