//! `cargo xtask stress`: the tests of the invariants, with random schedules and inputs, for a given time.

mod counts;
mod figures;
mod report;

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use self::counts::Count;
use self::figures::Figure;
use crate::debian;
use crate::failures;
use crate::fuzz;
use crate::native::{self, StressRun};
use crate::postgres;
use crate::process::{Failure, Finished};
use crate::programs::{self, Programs};
use crate::stages::Stages;
use crate::test;
use crate::test_counts;
use crate::workspace::Workspace;

const SQLITE: &str = "SQLite";
const POSTGRES: &str = "PostgreSQL";

/// Invariants that do not depend on the database. They run on SQLite only.
const ON_SQLITE: [&str; 3] = ["bytes::", "disk::", "fsync::"];
/// The reverse proxy of the flood tests.
const NGINX: Programs = Programs {
    names: "nginx",
    package: "nginx-light",
    are_installed: || debian::find("nginx").is_some(),
    only_for: Some("the floods behind a proxy"),
};

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
    /// Run only the tests with these words in their names, and write nothing; may be repeated
    #[arg(long, value_name = "WORDS")]
    only: Vec<String>,
}

impl Options {
    /// Words in test names are joined by underscores.
    fn want(&self, name: &str) -> bool {
        let name = name.replace(' ', "_");
        self.only.is_empty() || self.only.iter().any(|words| name.contains(&words.replace(' ', "_")))
    }
}

/// All batches, and the duration of a test with weight 1.
struct Plan {
    batches: Vec<Batch>,
    fuzzing: bool,
    seconds: u64,
    seed: u64,
}

/// Invariants with the same weight on one database.
struct Batch {
    database: &'static str,
    invariants: Vec<String>,
    weight: u64,
}

impl Batch {
    fn total_weight(&self) -> u64 {
        u64::try_from(self.invariants.len()).unwrap_or(u64::MAX).saturating_mul(self.weight)
    }
}

impl Plan {
    fn new(workspace: &Workspace, options: &Options) -> Result<Self, Failure> {
        let mut invariants = native::list_invariants(workspace)?;
        invariants.retain(|name| options.want(name));
        let mut on_postgres = invariants.clone();
        on_postgres
            .retain(|name| postgres::PROGRAMS.missing().is_none() && !ON_SQLITE.iter().any(|of| is_in(name, of)));
        let batches: Vec<Batch> = [(SQLITE, invariants), (POSTGRES, on_postgres)].into_iter().flat_map(split).collect();
        let fuzzing = options.want(FUZZING) && fuzz::PROGRAMS.missing().is_none();
        let weight = batches.iter().map(Batch::total_weight).sum::<u64>().saturating_add(u64::from(fuzzing));
        if weight == 0 {
            return Err(Failure::new("no test has these words in its name"));
        }
        let seconds = options.minutes.saturating_mul(60).div_ceil(weight);
        Ok(Self { batches, fuzzing, seconds, seed: options.seed.unwrap_or_else(unix_time) })
    }

    fn run_of<'a>(&self, batch: &'a Batch) -> StressRun<'a> {
        let seconds = self.seconds.saturating_mul(batch.weight);
        StressRun { invariants: &batch.invariants, seconds, seed: self.seed, database_url: None }
    }
}

fn is_in(name: &str, module: &str) -> bool {
    name.strip_prefix(native::INVARIANTS).is_some_and(|name| name.starts_with(module))
}

/// Separates the load tests from the others.
fn split((database, invariants): (&'static str, Vec<String>)) -> [Batch; 2] {
    let (load, others) = invariants.into_iter().partition(|name| is_in(name, LOAD));
    [Batch { database, invariants: others, weight: 1 }, Batch { database, invariants: load, weight: LOAD_WEIGHT }]
}

/// The results of all batches.
#[derive(Default)]
struct Results {
    counts: Vec<Count>,
    figures: Vec<Figure>,
    has_failures: bool,
}

impl Results {
    fn add(&mut self, finished: &Finished, database: &'static str) -> Result<(), Failure> {
        self.counts.extend(counts::read(&finished.lines, database));
        self.figures.extend(figures::read(&finished.lines, database));
        Self::succeeded(finished)
    }

    fn succeeded(finished: &Finished) -> Result<(), Failure> {
        if finished.status.success() {
            return Ok(());
        }
        Err(Failure::new("an invariant was violated").with_output(failures::explain(&finished.lines)))
    }
}

pub fn stress(workspace: &Workspace, stages: &Stages, options: &Options) -> Result<ExitCode, Failure> {
    let needed = [postgres::PROGRAMS, fuzz::PROGRAMS, NGINX];
    programs::install_missing(stages, needed.iter());
    for reason in needed.iter().filter_map(Programs::missing) {
        println!("skipped: {reason}");
    }
    test::prepare(workspace, stages, &|_| true)?;
    let plan = Plan::new(workspace, options)?;
    println!("{} s for each test, {LOAD_WEIGHT} times as long for load tests, first seed {}", plan.seconds, plan.seed);
    let results = run_all(workspace, stages, &plan);
    let (counts, figures) = (counts::table(&results.counts), figures::table(&results.figures));
    println!("\n{}\n{counts}\n{figures}\n{}", stages.table(), stages.failures());
    if options.only.is_empty() {
        report::write(workspace, &report::Run { minutes: options.minutes, counts: &counts, figures: &figures })?;
    }
    Ok(if results.has_failures { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Runs every batch, even after a failed one. The stages keep the failures.
fn run_all(workspace: &Workspace, stages: &Stages, plan: &Plan) -> Results {
    let mut results = Results::default();
    for batch in plan.batches.iter().filter(|batch| !batch.invariants.is_empty()) {
        let run = plan.run_of(batch);
        let finished = stages.run(batch.database, || {
            let finished = match batch.database {
                POSTGRES => postgres::stress(workspace, &run)?,
                _ => native::stress(workspace, &run)?,
            };
            results.add(&finished, batch.database)
        });
        results.has_failures |= finished.is_err();
    }
    if plan.fuzzing {
        let finished = stages.run("fuzzing", || {
            let finished = fuzz::stress(workspace, plan.seconds, plan.seed)?;
            let (iterations, failures) = (fuzz::count(&finished.lines), test_counts::junit(&finished.lines).failed);
            results.counts.push(Count {
                name: FUZZING.to_owned(),
                database: SQLITE,
                iterations,
                seed: plan.seed,
                failures,
            });
            Results::succeeded(&finished)
        });
        results.has_failures |= finished.is_err();
    }
    results
}

/// The default seed differs between runs.
#[expect(clippy::disallowed_methods, reason = "the shop's clock is not available here")]
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs())
}
