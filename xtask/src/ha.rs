//! Builds and starts the program in `bench/src/ha/`.

use std::process::{Command, ExitCode};

use clap::Args;

use crate::process::{Failure, Finished, cannot_start, capture};
use crate::programs::{Programs, has};
use crate::stages::Stages;
use crate::workspace::Workspace;
use crate::{build, native, postgres, python};

#[derive(Args)]
pub struct Options {
    /// How often each fault is injected
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    faults: u8,
    /// Inject only this fault; may be repeated: kill-primary, restart-primary, freeze-primary,
    /// cut-network, full-disk, switchover, kill-standby, kill-etcd, lose-etcd, kill-haproxy, kill-shop
    #[arg(long, value_name = "FAULT")]
    only: Vec<String>,
    /// Inject one kill-primary only, in at most 90 s
    #[arg(long, conflicts_with_all = ["faults", "only"])]
    short: bool,
}

/// The programs of the setup. Patroni comes from PyPI.
pub const PROGRAMS: [Programs; 4] = [
    postgres::PROGRAMS,
    Programs { only_for: None, ..postgres::HAPROXY },
    Programs::new("etcd", "etcd-server", || has("etcd")),
    python::PROGRAMS,
];

/// One failover.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    native::build_ha(workspace)?;
    let mut finished = capture(Command::new(workspace.program("debug", "ha")).arg("--short"))?;
    let (passed, failed) = if finished.status.success() { (1, 0) } else { (0, 1) };
    finished.lines.push(format!("test result: failover. {passed} passed; {failed} failed"));
    Ok(finished)
}

pub fn ha(workspace: &Workspace, stages: &Stages, options: &Options) -> Result<ExitCode, Failure> {
    build::for_home(workspace, stages)?;
    stages.run("fault injection", || native::build_ha(workspace))?;
    let mut program = Command::new(workspace.program("debug", "ha"));
    program.args(options.only.iter().flat_map(|name| ["--only", name]));
    if options.short {
        program.arg("--short");
    } else {
        program.args(["--faults", &options.faults.to_string()]);
    }
    let status = program.status().map_err(|error| cannot_start("ha", &error))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
