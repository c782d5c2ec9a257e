//! `cargo xtask stress`: the tests of the invariants, with random schedules and inputs, for a given time.

mod report;

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use self::report::Report;
use crate::native::{self, StressRun};
use crate::postgres::{self, Cluster};
use crate::process::{Failure, Finished};
use crate::programs::{self, Programs};
use crate::stages::Stages;
use crate::test_counts::TestCounts;
use crate::workspace::Workspace;
use crate::{failures, fuzz, python, test};

const SQLITE: &str = "SQLite";
const POSTGRES: &str = "PostgreSQL";

/// Invariants that do not depend on the database. They run on SQLite only.
const ON_SQLITE: [&str; 4] = ["bytes::", "::disk::", "fsync::", "litestream"];
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

/// The selected invariants on each database, and the duration of each test.
struct Plan {
    batches: [(&'static str, Vec<String>); 2],
    fuzzing: bool,
    seconds: u64,
    seed: u64,
}

impl Plan {
    fn new(workspace: &Workspace, options: &Options) -> Result<Self, Failure> {
        let mut on_sqlite = native::list_invariants(workspace)?;
        on_sqlite.retain(|name| options.is_selected(name));
        let mut on_postgres = on_sqlite.clone();
        on_postgres.retain(|name| !ON_SQLITE.iter().any(|module| name.contains(module)));
        if postgres::PROGRAMS.missing().is_some() {
            on_postgres.clear();
        }
        let fuzzing = options.is_selected(FUZZING) && python::PROGRAMS.missing().is_none();
        let count = u64::try_from(on_sqlite.len() + on_postgres.len() + usize::from(fuzzing))?;
        if count == 0 {
            return Err(Failure::new("no test has these words in its name"));
        }
        let seconds = options.minutes.saturating_mul(60).div_ceil(count);
        let batches = [(SQLITE, on_sqlite), (POSTGRES, on_postgres)];
        Ok(Self { batches, fuzzing, seconds, seed: options.seed.unwrap_or_else(unix_time) })
    }
}

pub fn stress(workspace: &Workspace, stages: &Stages, options: &Options) -> Result<ExitCode, Failure> {
    let needed = [postgres::PROGRAMS, python::PROGRAMS, postgres::NGINX, postgres::HAPROXY, postgres::PGBOUNCER];
    programs::install_missing(stages, needed.iter());
    needed.iter().filter_map(Programs::missing).for_each(|reason| println!("skipped: {reason}"));
    test::prepare(workspace, stages, &|_| true)?;
    let plan = Plan::new(workspace, options)?;
    println!("{} s for each test, first seed {}", plan.seconds, plan.seed);
    let mut report = Report::default();
    let succeeded = run_all(workspace, stages, &plan, &mut report);
    println!("\n{}\n{}\n{}", stages.table(), report.tables(), stages.failures());
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs every batch, even after a failed one. The stages keep the failures.
fn run_all(workspace: &Workspace, stages: &Stages, plan: &Plan, report: &mut Report) -> bool {
    let mut succeeded = true;
    for (database, invariants) in &plan.batches {
        let mut run_batch = || {
            let cluster = if *database == POSTGRES { Some(Cluster::start(postgres::Purpose::Tests)?) } else { None };
            let (seconds, seed, database_url) = (plan.seconds, plan.seed, cluster.as_ref().map(Cluster::url));
            let finished = native::stress(workspace, &StressRun { invariants, seconds, seed, database_url })?;
            report.read(&finished.lines, database)?;
            must_hold(&finished)
        };
        succeeded &= invariants.is_empty() || stages.run(database, &mut run_batch).is_ok();
    }
    if plan.fuzzing {
        succeeded &= stages.run("fuzzing", || run_fuzzing(workspace, plan, report)).is_ok();
    }
    succeeded
}

fn run_fuzzing(workspace: &Workspace, plan: &Plan, report: &mut Report) -> Result<(), Failure> {
    let finished = fuzz::stress(workspace, plan.seconds, plan.seed)?;
    let numbers = [fuzz::count(&finished.lines), TestCounts::read(&finished.lines)?.failed, plan.seed];
    report.add(FUZZING, SQLITE, numbers.map(|number| number.to_string()).each_ref().map(String::as_str));
    must_hold(&finished)
}

fn must_hold(finished: &Finished) -> Result<(), Failure> {
    if finished.status.success() {
        return Ok(());
    }
    Err(Failure::new("an invariant was violated").with_output(failures::explain(&finished.lines)?))
}

/// The default seed differs between runs.
#[expect(clippy::disallowed_methods, reason = "the shop's clock is not available here")]
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs())
}
