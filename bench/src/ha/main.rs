//! High availability: `cargo xtask ha`.
//!
//! Runs the setup of `deploy/ha` on loopback, injects faults under load, and counts what is lost.

mod cluster;
mod counts;
mod daemon;
mod disk;
mod etcd;
mod faults;
mod haproxy;
mod journal;
mod load;
mod network;
mod ports;
mod programs;
mod provider;
mod report;
mod round;
mod scratch;
mod setup;
mod shops;
mod template;
mod wait;

use std::process::ExitCode;
use std::thread;

use clap::Parser;
use xtask::process::Failure;
use xtask::workspace::Workspace;

use crate::faults::{FAULTS, Fault, Needs};
use crate::journal::Journal;
use crate::programs::missing_for_root;
use crate::round::Round;
use crate::scratch::Scratch;
use crate::setup::Setup;

/// Runs the setup of deploy/ha on loopback, injects faults under load, and counts what is lost
///
/// The exit status is 1 if an acknowledged order, a payment or an audit is lost, or another count that must be 0 is not.
#[derive(Parser)]
struct Arguments {
    /// How often each fault is injected
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    faults: u8,
    /// Inject only this fault; may be repeated
    #[arg(long, value_name = "FAULT", value_parser = FAULTS.map(|fault| fault.name))]
    only: Vec<String>,
    /// Inject one kill-primary only, in at most 90 s
    #[arg(long, conflicts_with_all = ["faults", "only"])]
    short: bool,
}

impl Arguments {
    fn wanted(&self) -> Result<Vec<&'static Fault>, Failure> {
        if self.short {
            return Ok(FAULTS.iter().take(1).collect());
        }
        let is_named = |fault: &&Fault| self.only.iter().any(|name| name == fault.name);
        let mut wanted: Vec<&Fault> = FAULTS.iter().filter(|fault| self.only.is_empty() || is_named(fault)).collect();
        let needs_root = |fault: &&Fault| fault.needs != Needs::Nothing;
        if let Some(missing) = missing_for_root().filter(|_| wanted.iter().any(needs_root)) {
            if !self.only.is_empty() {
                return Err(Failure::new(missing));
            }
            println!("Skipped: {missing}");
            wanted.retain(|fault| !needs_root(fault));
        }
        Ok(wanted.repeat(usize::from(self.faults)))
    }
}

fn main() -> ExitCode {
    match Workspace::locate().and_then(|workspace| run(&workspace, &Arguments::parse())) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            failure.output.iter().for_each(|line| eprintln!("{line}"));
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all counts that must be 0 are. The logs are kept if not.
fn run(workspace: &Workspace, arguments: &Arguments) -> Result<bool, Failure> {
    let programs = programs::find_all(workspace)?;
    let (faults, scratch) = (arguments.wanted()?, Scratch::create()?);
    let setup = Setup::start(workspace, &programs, &scratch.folder, &faults);
    // So many that they sell out meanwhile.
    let units = if arguments.short { 20 } else { 400 };
    let is_good = setup.and_then(|setup| inject(&setup, &faults, units));
    if !matches!(is_good, Ok(true)) {
        scratch.keep();
    }
    is_good
}

/// Injects the faults one after the other, under load, and prints the results, also if one of them ends with an error.
fn inject(setup: &Setup, faults: &[&'static Fault], units: u64) -> Result<bool, Failure> {
    let (journal, lights, mut rounds) = (Journal::default(), load::add_lights(setup, units)?, Vec::new());
    let finished = thread::scope(|scope| {
        load::start(scope, setup, &journal, &lights);
        let finished = faults.iter().try_for_each(|fault| {
            rounds.push(round::run(setup, &journal, &lights, fault)?);
            Ok(())
        });
        journal.stop();
        finished
    });
    report::print(&rounds);
    finished.map(|()| rounds.iter().all(Round::is_good))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
