//! Builds and starts the benchmarks in `bench/`.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::Args;

use crate::process::{Failure, cannot_start};
use crate::stages::Stages;
use crate::workspace::Workspace;
use crate::{build, native};

#[derive(Args)]
pub struct Options {
    /// Run only this measurement; may be repeated: reads, footprint, browser, lighthouse, functions, packages, orders,
    /// network, admin, soak (only by its name)
    #[arg(long, value_name = "MEASUREMENT")]
    only: Vec<String>,
    /// An earlier release build of the server that the orders over a network are compared with
    #[arg(long, value_name = "PROGRAM")]
    before: Option<PathBuf>,
    /// How long the soak takes
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
}

pub fn bench(workspace: &Workspace, stages: &Stages, options: &Options) -> Result<ExitCode, Failure> {
    build::embedded(workspace, stages)?;
    stages.run("benchmarks", || native::build_benchmarks(workspace))?;
    let mut program = Command::new(workspace.program("release", "bench"));
    program.args(options.only.iter().flat_map(|name| ["--only", name]));
    program.args(options.before.iter().flat_map(|before| ["--before".as_ref(), before.as_os_str()]));
    program.args(["--minutes", &options.minutes.to_string()]);
    let status = program.status().map_err(|error| cannot_start("bench", &error))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
