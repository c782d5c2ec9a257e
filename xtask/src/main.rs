//! Every command the project has: `cargo xtask --help`.

mod bench;
mod board;
mod browser;
mod build;
mod calls;
mod check;
mod chromium;
mod coverage;
mod debian;
mod dependencies;
mod embedded;
mod failures;
mod fuzz;
mod generate;
mod lighthouse;
mod marks;
mod native;
mod packages;
mod postgres;
mod process;
mod programs;
mod proof;
mod retired_names;
mod run;
mod schedule;
mod screenshots;
mod setup;
mod shell;
mod shop;
mod size;
mod stages;
mod stamp;
mod test;
mod test_counts;
mod tools;
mod uf2;
mod wasm;
mod workspace;

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::process::Failure;
use crate::stages::Stages;
use crate::workspace::Workspace;

fn main() -> ExitCode {
    let matches = commands().get_matches();
    let workspace = match Workspace::locate() {
        Ok(workspace) => workspace,
        Err(failure) => return failed(&failure),
    };
    let stages = Stages::new(workspace.root.join("test-results"));
    dispatch(&matches, &workspace, &stages).unwrap_or_else(|failure| {
        match stages.failures() {
            explained if explained.is_empty() => failure.output.iter().for_each(|line| eprintln!("{line}")),
            explained => eprint!("\n{explained}"),
        }
        failed(&failure)
    })
}

fn failed(failure: &Failure) -> ExitCode {
    eprintln!("error: {failure}");
    ExitCode::FAILURE
}

fn commands() -> Command {
    Command::new("cargo xtask")
        .about("Every command the project has")
        .bin_name("cargo xtask")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("run")
                .about("Installs what is missing, builds everything and serves the shop")
                .long_about(
                    "Installs what is missing, builds everything and serves the shop on http://127.0.0.1:3000.\n\
                     Settings are environment variables, or lines of a .env file: see .env.example.",
                )
                .arg(
                    Arg::new("arguments")
                        .help("Handed to the server, for example `admin --help`")
                        .action(ArgAction::Append)
                        .trailing_var_arg(true)
                        .allow_hyphen_values(true),
                ),
        )
        .subcommand(Command::new("build").about("Does what `run` does, without serving: target/release/nudgelight"))
        .subcommand(
            Command::new("test")
                .about("Runs every test; the last line is `N passed, N failed`")
                .long_about(
                    "Runs every test; the last line is `N passed, N failed`.\n\
                     As root on Debian it installs the programs that tests need: PostgreSQL, Chromium, dosfstools, mtools, \
                     chrony, Python's venv. Elsewhere it leaves out the tests whose programs are missing, and says so.",
                )
                .arg(
                Arg::new("only")
                    .long("only")
                    .value_name("SUITE")
                    .help("Runs this suite alone; may be given several times")
                    .action(ArgAction::Append)
                    .value_parser(test::SUITE_NAMES),
            ),
        )
        .subcommand(
            Command::new("prove")
                .about("Tries for a while what must never happen, counts, and writes docs/proof.md")
                .arg(
                    Arg::new("minutes")
                        .long("minutes")
                        .help("How long, spent evenly; building is not counted")
                        .default_value("30")
                        .value_parser(clap::value_parser!(u64).range(1..)),
                )
                .arg(
                    Arg::new("seed")
                        .long("seed")
                        .help("Where chance begins; without it at the clock")
                        .value_parser(clap::value_parser!(u64)),
                )
                .arg(
                    Arg::new("only")
                        .long("only")
                        .value_name("WORDS")
                        .help("Tries what has these words in its name, and writes nothing; may be given several times")
                        .action(ArgAction::Append),
                ),
        )
        .subcommand(
            Command::new("check")
                .about("Formatting, lints with warnings denied, types: what to run before each commit"),
        )
        .subcommand(Command::new("gen").about(
            "Makes the generated files: the browser packages of wasm-core and app, the TypeScript types of all calls, \
             the time zones, the schedule's guide, and which test shows which line of the specification and which rule",
        ))
        .subcommand(Command::new("firmware").about("Builds the light's program: target/firmware/nudgelight-pico-w.uf2"))
        .subcommand(
            Command::new("screenshots").about(
                "Takes screenshots of every page, at three widths and in both themes: test-results/screenshots",
            ),
        )
        .subcommand(
            Command::new("bench")
                .about("Measures how fast and how small the shop is, beside other servers: docs/performance.md")
                .arg(
                    Arg::new("only")
                        .long("only")
                        .value_name("MEASUREMENT")
                        .help("Makes this measurement alone; may be given several times")
                        .action(ArgAction::Append)
                        .value_parser(bench::NAMES),
                )
                .arg(
                    Arg::new("profile")
                        .long("profile")
                        .help("How the programs are compiled: as they are shipped, or, sooner, as they are tested")
                        .default_value("dist")
                        .value_parser(bench::PROFILE_NAMES),
                ),
        )
        .subcommand(Command::new("lighthouse").about("Asks Lighthouse about the home page, the products and a product"))
        .subcommand(
            Command::new("size-schedule")
                .about("Says what the schedule takes on the board, and fails above its bounds"),
        )
        .subcommand(
            Command::new("size").about("Says what a browser loads, and fails above react-shell/size-budget.json"),
        )
        .subcommand(Command::new("setup").about("Installs what is missing and builds nothing"))
}

fn dispatch(matches: &ArgMatches, workspace: &Workspace, stages: &Stages) -> Result<ExitCode, Failure> {
    let done = match matches.subcommand() {
        Some(("run", given)) => run::run(workspace, stages, given.get_many::<String>("arguments").unwrap_or_default()),
        Some(("build", _)) => build::everything(workspace, stages).inspect(|()| println!("\n{}", stages.table())),
        Some(("test", given)) => {
            return Ok(test::test(workspace, stages, given.get_many::<String>("only").unwrap_or_default()));
        }
        Some(("prove", given)) => return proof::prove(workspace, stages, &proof::Orders::of(given)),
        Some(("check", _)) => check::prepared(workspace, stages),
        Some(("gen", _)) => generate::generate(workspace, stages),
        Some(("firmware", _)) => board::make(workspace, stages),
        Some(("screenshots", _)) => screenshots::take(workspace, stages),
        Some(("bench", given)) => {
            let profile = given.get_one::<String>("profile").map_or("dist", String::as_str);
            bench::bench(workspace, stages, profile, given.get_many::<String>("only").unwrap_or_default())
        }
        Some(("lighthouse", _)) => lighthouse::measure(workspace, stages),
        Some(("size", _)) => size::measure(workspace, stages),
        Some(("size-schedule", _)) => schedule::budget::keep(workspace),
        Some(("setup", _)) => setup::everything(workspace, stages),
        _ => Err(Failure::new("no such command; `cargo xtask --help` names them")),
    };
    done.map(|()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        super::commands().debug_assert();
    }
}
