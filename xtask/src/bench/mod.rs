//! `cargo xtask bench`: how fast, how small, beside what.
//!
//! A measurement is a function that gives rows; [`MEASUREMENTS`] lists them, and each has a file here.

mod admin;
mod browser;
mod databases;
mod functions;
mod http;
mod lighthouse;
mod machine;
mod nginx;
mod orders;
mod processor;
mod program;
mod purchase;
mod reads;
mod report;
mod row;
mod small;
mod wrk;

use std::path::PathBuf;

pub use self::program::PROFILE_NAMES;
use self::program::Profile;
use self::row::Row;
use crate::build;
use crate::native;
use crate::process::Failure;
use crate::stages::Stages;
use crate::workspace::Workspace;

pub struct Measurement {
    /// What `--only` knows it by.
    name: &'static str,
    /// Of its section in the report.
    title: &'static str,
    /// One sentence or two on how it is done.
    how: &'static str,
    run: fn(&Bench) -> Result<Vec<Row>, Failure>,
}

const MEASUREMENTS: [Measurement; 7] = [
    reads::MEASUREMENT,
    small::MEASUREMENT,
    browser::MEASUREMENT,
    lighthouse::MEASUREMENT,
    functions::MEASUREMENT,
    orders::MEASUREMENT,
    admin::MEASUREMENT,
];

/// What `--only` accepts.
pub const NAMES: [&str; 7] = ["reads", "small", "browser", "lighthouse", "functions", "orders", "admin"];

/// Where the programs that are measured lie, and what they may use.
pub struct Bench<'a> {
    pub workspace: &'a Workspace,
    profile: Profile,
}

impl Bench<'_> {
    pub fn server(&self) -> PathBuf {
        self.profile.program(self.workspace, "nudgelight")
    }

    /// The bare axum route.
    pub fn bare(&self) -> PathBuf {
        self.profile.program(self.workspace, "bare")
    }

    /// The bare axum routes that sell.
    pub fn bare_orders(&self) -> PathBuf {
        self.profile.program(self.workspace, "bare_orders")
    }
}

/// Builds, measures and writes the report. A missed target is told, not an error: machines differ.
pub fn bench<'a>(
    workspace: &Workspace,
    stages: &Stages,
    profile: &str,
    only: impl Iterator<Item = &'a String>,
) -> Result<(), Failure> {
    let only: Vec<&str> = only.map(String::as_str).collect();
    let profile = Profile::named(profile);
    build::carried(workspace, stages)?;
    stages.run("measured programs", || native::build_measured(workspace, profile.name()))?;
    let bench = Bench { workspace, profile };
    for measurement in MEASUREMENTS.iter().filter(|one| only.is_empty() || only.contains(&one.name)) {
        let rows = stages.run(measurement.name, || (measurement.run)(&bench))?;
        for row in &rows {
            println!("{:>10} | {}", measurement.name, row.cells().join(" | "));
        }
        report::write(workspace, profile, measurement, &rows)?;
        let missed = rows.iter().filter(|row| row.is_met() == Some(false)).count();
        println!("{}: {} rows, {missed} missed", measurement.name, rows.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MEASUREMENTS, NAMES};

    #[test]
    fn only_takes_exactly_the_measurements_there_are() {
        assert_eq!(NAMES.to_vec(), MEASUREMENTS.map(|one| one.name));
    }
}
