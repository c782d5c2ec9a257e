//! The command line.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};

use crate::process::Failure;
use crate::stages::Stages;
use crate::workspace::Workspace;
use crate::{bench, browser, build, check, firmware, generate, ha, stress, test};

/// Every command of the project
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing, build everything and serve the shop
    ///
    /// The shop listens on http://127.0.0.1:3000. Settings are environment variables or lines of a .env file: see
    /// .env.example.
    Run {
        /// Build and start again after each change; React pages with hot reload on http://localhost:5173
        #[arg(long)]
        watch: bool,
        /// Arguments for the server, for example `admin --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Build what a shop runs: target/release/nudgelight
    Build,
    /// Run all tests; the last line is `N passed, N failed`
    ///
    /// As root on Debian this installs the programs that the tests need: PostgreSQL, Chromium, dosfstools, mtools,
    /// nginx, HAProxy, chrony, Python's venv. Elsewhere it skips the tests whose programs are missing and lists them. The
    /// whole output of each stage is in test-results/.
    Test {
        /// Run only this suite; may be repeated
        #[arg(long, value_name = "SUITE", value_parser = PossibleValuesParser::new(test::suite_names()))]
        only: Vec<String>,
        /// Keep each core busy with this many threads, to find tests whose verdict depends on the machine's load
        #[arg(long, value_name = "THREADS", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=16))]
        load: u8,
    },
    /// Run the randomized tests of the invariants for a while
    Stress(stress::Options),
    /// Run formatters, linters and other static checks; run this before each commit
    Check {
        /// Run only this check, without building generated files first; may be repeated
        #[arg(long, value_name = "CHECK", value_parser = check::names())]
        only: Vec<String>,
    },
    /// Generate all generated files
    ///
    /// The WASM packages of wasm-core and app, the TypeScript types of the API, the public surface, the time zone table
    /// and the schedule guide.
    Gen,
    /// Build the npm packages for other developers: packages/dist
    Packages,
    /// Build the firmware: target/firmware/nudgelight-pico-w.uf2
    Firmware,
    /// Take screenshots of every page at three widths and in both themes: test-results/screenshots
    Screenshots {
        /// Take only the README's screenshots: docs/images
        #[arg(long)]
        readme: bool,
    },
    /// Measure speed, memory and size, with other servers as references, and write docs/performance.md
    Bench(bench::Options),
    /// Run the high-availability setup of deploy/ha on this machine, inject faults under load, and count what is lost
    ///
    /// Needs etcd, HAProxy, PostgreSQL, and Patroni or Python's venv. As root, the databases run as user postgres.
    Ha(ha::Options),
    /// Measure the Lighthouse scores of the home page, the product list, a product page, and the Schedule Lab
    Lighthouse,
    /// Print the size of what a browser loads, and fail above react-shell/size-budget.json
    Size,
    /// Print the flash and stack usage of the schedule's code on the board, and fail above its limits
    SizeSchedule,
}

/// Runs the command of the command line.
pub fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    run(command).unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        ExitCode::FAILURE
    })
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    let workspace = Workspace::locate()?;
    let stages = Stages::new(workspace.test_results());
    dispatch(command, &workspace, &stages).inspect_err(|failure| match stages.failures() {
        explained if explained.is_empty() => failure.output.iter().for_each(|line| eprintln!("{line}")),
        explained => eprint!("\n{explained}"),
    })
}

fn dispatch(command: Command, workspace: &Workspace, stages: &Stages) -> Result<ExitCode, Failure> {
    match command {
        Command::Run { watch, arguments } => build::run_server(workspace, stages, watch, &arguments)?,
        Command::Build => build::release(workspace, stages).inspect(|()| println!("\n{}", stages.table()))?,
        Command::Test { only, load } => return Ok(test::test(workspace, stages, &only, load)),
        Command::Stress(options) => return stress::stress(workspace, stages, &options),
        Command::Check { only } => check::check(workspace, stages, &only)?,
        Command::Gen => generate::generate(workspace, stages)?,
        Command::Packages => build::npm_packages(workspace, stages)?,
        Command::Firmware => firmware::make(workspace, stages)?,
        Command::Screenshots { readme } => browser::take_screenshots(workspace, stages, readme)?,
        Command::Bench(options) => return bench::bench(workspace, stages, &options),
        Command::Ha(options) => return ha::ha(workspace, stages, &options),
        Command::Lighthouse => browser::measure_lighthouse(workspace, stages)?,
        Command::Size => build::measure_sizes(workspace, stages)?,
        Command::SizeSchedule => firmware::schedule_size(workspace)?.iter().for_each(|line| println!("{line}")),
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
