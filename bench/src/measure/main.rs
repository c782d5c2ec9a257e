//! Benchmarks: `cargo xtask bench`.
//!
//! Each measurement is a function that returns rows, in a file of its own; [`MEASUREMENTS`] lists them.

mod admin;
mod browser;
mod cpu_time;
mod databases;
mod delay;
mod footprint;
mod functions;
mod lighthouse;
mod network;
mod nginx;
mod orders;
mod packages;
mod program;
mod reads;
mod report;
mod resource;
mod row;
mod soak;
mod wrk;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use xtask::process::Failure;
use xtask::stages::Stages;
use xtask::workspace::Workspace;

use crate::row::Row;

struct Measurement {
    /// The name for `--only`.
    name: &'static str,
    /// The title of its section in the report.
    title: &'static str,
    /// Introduction of the section: the method.
    how: &'static str,
    run: fn(&Bench) -> Result<Vec<Row>, Failure>,
}

const MEASUREMENTS: [Measurement; 10] = [
    reads::MEASUREMENT,
    footprint::MEASUREMENT,
    browser::MEASUREMENT,
    lighthouse::MEASUREMENT,
    functions::MEASUREMENT,
    packages::MEASUREMENT,
    orders::MEASUREMENT,
    network::MEASUREMENT,
    admin::MEASUREMENT,
    soak::MEASUREMENT,
];

/// Measures the shop and other servers and writes docs/performance.md
#[derive(Parser)]
struct Arguments {
    /// Run only this measurement; may be repeated
    #[arg(long, value_name = "MEASUREMENT", value_parser = MEASUREMENTS.map(|measurement| measurement.name))]
    only: Vec<String>,
    /// An earlier release build of the server that the orders over a network are compared with
    #[arg(long, value_name = "PROGRAM")]
    before: Option<PathBuf>,
    /// How long the soak takes on the databases
    #[arg(long, value_name = "MINUTES", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
}

/// The measured programs, compiled as a shop ships them.
struct Bench<'a> {
    pub workspace: &'a Workspace,
    before: Option<&'a Path>,
    /// How long the soak takes.
    soak: Duration,
}

impl Bench<'_> {
    pub fn server(&self) -> PathBuf {
        self.workspace.program("release", "nudgelight")
    }

    /// Bare axum routes with the shop's responses.
    pub fn bare(&self) -> PathBuf {
        self.workspace.program("release", "bare")
    }

    /// Bare axum routes that run the shop's statements.
    pub fn bare_orders(&self) -> PathBuf {
        self.workspace.program("release", "bare_orders")
    }
}

fn main() -> ExitCode {
    match Workspace::locate().and_then(|workspace| run(&workspace, &Arguments::parse())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.output.iter().for_each(|line| eprintln!("{line}"));
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and writes the report. A missed target is reported but is no error, because machines differ.
fn run(workspace: &Workspace, arguments: &Arguments) -> Result<(), Failure> {
    let stages = Stages::new(workspace.test_results());
    let soak = Duration::from_secs(arguments.minutes * 60);
    let bench = Bench { workspace, before: arguments.before.as_deref(), soak };
    // The soak takes an hour: only by its name.
    let is_wanted = |one: &&Measurement| match arguments.only.as_slice() {
        [] => one.name != soak::MEASUREMENT.name,
        names => names.iter().any(|name| name == one.name),
    };
    for measurement in MEASUREMENTS.iter().filter(is_wanted) {
        let rows = stages.run(measurement.name, || (measurement.run)(&bench))?;
        for row in &rows {
            println!("{}", row.cells().join(" | "));
        }
        report::write(workspace, measurement, &rows)?;
        let missed = rows.iter().filter(|row| row.is_met() == Some(false)).count();
        println!("{}: {} rows, {missed} missed", measurement.name, rows.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
