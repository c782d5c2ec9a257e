//! `cargo xtask stress`: the tests of the invariants, with random schedules and inputs, for a given time.

mod report;

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use self::report::{Count, POSTGRES, Report, SQLITE};
use crate::failures;
use crate::fuzz;
use crate::native::{self, StressRun};
use crate::postgres;
use crate::process::{Failure, Finished};
use crate::programs::{self, Programs};
use crate::stages::Stages;
use crate::test;
use crate::test_counts::TestCounts;
use crate::workspace::Workspace;

/// Invariants that do not depend on the database. They run on SQLite only.
const ON_SQLITE: [&str; 3] = ["bytes::", "disk::", "fsync::"];
/// The reverse proxy of the flood tests.
const NGINX: Programs =
    Programs::new("nginx", "nginx-light", || programs::find("nginx").is_some()).only_for("the floods behind a proxy");

/// Load tests. They run longer than the others.
const LOAD: &str = "load::";
const LOAD_WEIGHT: u64 = 3;
const FUZZING: &str = "API fuzzing by schemathesis";

#[derive(Args)]
pub struct Options {
    /// Total duration without the build
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
    /// Seed of the first iteration; by default the current time
    #[arg(long)]
    seed: Option<u64>,
    /// Run only the tests with these words in their names; may be repeated
    #[arg(long, value_name = "WORDS")]
    only: Vec<String>,
}

impl Options {
    /// Words in test names are joined by underscores.
    fn is_selected(&self, name: &str) -> bool {
        let name = name.replace(' ', "_");
        self.only.is_empty() || self.only.iter().any(|words| name.contains(&words.replace(' ', "_")))
    }
}

/// Invariants with the same weight on one database.
struct Batch {
    database: &'static str,
    invariants: Vec<String>,
    weight: u64,
}

/// All batches, and the duration of a test with weight 1.
struct Plan {
    batches: Vec<Batch>,
    fuzzing: bool,
    seconds: u64,
    seed: u64,
}

impl Plan {
    fn new(workspace: &Workspace, options: &Options) -> Result<Self, Failure> {
        let mut invariants = native::list_invariants(workspace)?;
        invariants.retain(|name| options.is_selected(name));
        let batches = batches(invariants);
        let fuzzing = options.is_selected(FUZZING) && fuzz::PROGRAMS.missing().is_none();
        let weights = batches.iter().flat_map(|batch| batch.invariants.iter().map(|_| batch.weight));
        let weight = weights.sum::<u64>().saturating_add(u64::from(fuzzing));
        if weight == 0 {
            return Err(Failure::new("no test has these words in its name"));
        }
        let seconds = options.minutes.saturating_mul(60).div_ceil(weight);
        Ok(Self { batches, fuzzing, seconds, seed: options.seed.unwrap_or_else(unix_time) })
    }
}

/// The invariants on each database, with the load tests in batches of their own.
fn batches(invariants: Vec<String>) -> Vec<Batch> {
    let (load, others): (Vec<_>, Vec<_>) = invariants.into_iter().partition(|name| is_in(name, LOAD));
    let mut batches = Vec::new();
    for database in [SQLITE, POSTGRES] {
        for (weight, invariants) in [(1, &others), (LOAD_WEIGHT, &load)] {
            let mut invariants = invariants.clone();
            if database == POSTGRES {
                invariants.retain(|name| !ON_SQLITE.iter().any(|module| is_in(name, module)));
            }
            batches.push(Batch { database, invariants, weight });
        }
    }
    batches.retain(|batch| !batch.invariants.is_empty());
    batches.retain(|batch| batch.database == SQLITE || postgres::PROGRAMS.missing().is_none());
    batches
}

fn is_in(name: &str, module: &str) -> bool {
    name.strip_prefix(native::INVARIANTS).is_some_and(|name| name.starts_with(module))
}

pub fn stress(workspace: &Workspace, stages: &Stages, options: &Options) -> Result<ExitCode, Failure> {
    let needed = [postgres::PROGRAMS, fuzz::PROGRAMS, NGINX];
    programs::install_missing(stages, needed.iter());
    needed.iter().filter_map(Programs::missing).for_each(|reason| println!("skipped: {reason}"));
    test::prepare(workspace, stages, &|_| true)?;
    let plan = Plan::new(workspace, options)?;
    println!("{} s for each test, {LOAD_WEIGHT} times as long for load tests, first seed {}", plan.seconds, plan.seed);
    let mut report = Report::default();
    let succeeded = run_all(workspace, stages, &plan, &mut report);
    println!("\n{}\n{}\n{}", stages.table(), report.tables(), stages.failures());
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs every batch, even after a failed one. The stages keep the failures.
fn run_all(workspace: &Workspace, stages: &Stages, plan: &Plan, report: &mut Report) -> bool {
    let mut succeeded = true;
    for batch in &plan.batches {
        succeeded &= stages.run(batch.database, || run_batch(workspace, plan, batch, report)).is_ok();
    }
    if plan.fuzzing {
        succeeded &= stages.run("fuzzing", || run_fuzzing(workspace, plan, report)).is_ok();
    }
    succeeded
}

fn run_batch(workspace: &Workspace, plan: &Plan, batch: &Batch, report: &mut Report) -> Result<(), Failure> {
    let seconds = plan.seconds.saturating_mul(batch.weight);
    let run = StressRun { invariants: &batch.invariants, seconds, seed: plan.seed, database_url: None };
    let stress = if batch.database == POSTGRES { postgres::stress } else { native::stress };
    let finished = stress(workspace, &run)?;
    report.read(&finished.lines, batch.database)?;
    must_hold(&finished)
}

fn run_fuzzing(workspace: &Workspace, plan: &Plan, report: &mut Report) -> Result<(), Failure> {
    let finished = fuzz::stress(workspace, plan.seconds, plan.seed)?;
    let (iterations, failures) = (fuzz::count(&finished.lines), TestCounts::read(&finished.lines)?.failed);
    report.add(FUZZING, Count { database: SQLITE, iterations, seed: plan.seed, failures });
    must_hold(&finished)
}

fn must_hold(finished: &Finished) -> Result<(), Failure> {
    if finished.status.success() {
        return Ok(());
    }
    Err(Failure::new("an invariant was violated").with_output(failures::explain(&finished.lines)))
}

/// The default seed differs between runs.
#[expect(clippy::disallowed_methods, reason = "the shop's clock is not available here")]
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs())
}
