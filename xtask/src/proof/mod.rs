//! `cargo xtask prove`: what must never happen is tried for a while, and `docs/proof.md` says how often.
//!
//! The page has two parts. The counts are those of the last whole run. The rules come from `xtask/rules.md`, with the
//! tests that carry their marks (`// rule N, M`); `cargo xtask gen` writes them anew and leaves the counts alone.

mod counts;
mod machine;
mod page;
mod rules;

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ArgMatches;

use self::counts::Count;
use crate::fuzz;
use crate::native::{self, LongForm};
use crate::postgres;
use crate::process::{Failure, Finished};
use crate::stages::Stages;
use crate::tally;
use crate::test;
use crate::workspace::Workspace;

pub use self::page::{is_fresh, write_rules};

/// Laws about texts alone and about files that the shop itself writes, which are the same whatever the database is.
const ON_SQLITE: [&str; 3] = ["proof::bytes::", "proof::disk::", "proof::syncs::"];
const CALLS: &str = "calls made up by schemathesis";

/// What was asked for on the command line.
pub struct Orders {
    minutes: u64,
    seed: Option<u64>,
    only: Vec<String>,
}

impl Orders {
    pub fn of(given: &ArgMatches) -> Self {
        Self {
            minutes: given.get_one("minutes").copied().unwrap_or(30),
            seed: given.get_one("seed").copied(),
            only: given.get_many::<String>("only").unwrap_or_default().cloned().collect(),
        }
    }

    /// Words are found in the path of a law, where they are joined by underscores.
    fn want(&self, name: &str) -> bool {
        let name = name.replace(' ', "_");
        self.only.is_empty() || self.only.iter().any(|words| name.contains(&words.replace(' ', "_")))
    }
}

/// Everything that will be tried, each part for the same time.
struct Plan {
    laws: Vec<String>,
    on_postgres: Vec<String>,
    calls: bool,
    seconds: u64,
    seed: u64,
}

impl Plan {
    fn of(workspace: &Workspace, orders: &Orders) -> Result<Self, Failure> {
        let mut laws = native::list_laws(workspace)?;
        laws.retain(|law| orders.want(law));
        let mut on_postgres = laws.clone();
        on_postgres.retain(|law| postgres::missing().is_none() && !ON_SQLITE.iter().any(|laws| law.starts_with(laws)));
        let calls = orders.want(CALLS) && fuzz::missing().is_none();
        let parts = laws.len().saturating_add(on_postgres.len()).saturating_add(usize::from(calls));
        let parts = u64::try_from(parts).unwrap_or(u64::MAX);
        if parts == 0 {
            return Err(Failure::new("nothing has these words in its name"));
        }
        let seconds = orders.minutes.saturating_mul(60).div_ceil(parts);
        Ok(Self { laws, on_postgres, calls, seconds, seed: orders.seed.unwrap_or_else(seconds_now) })
    }

    fn form<'a>(&self, laws: &'a [String]) -> LongForm<'a> {
        LongForm { laws, seconds: self.seconds, seed: self.seed, database_url: None }
    }
}

pub fn prove(workspace: &Workspace, stages: &Stages, orders: &Orders) -> Result<ExitCode, Failure> {
    test::prepare(workspace, stages, &|_| true)?;
    let plan = Plan::of(workspace, orders)?;
    println!("each part is tried for {} s, from seed {} on", plan.seconds, plan.seed);
    let mut counts = Vec::new();
    let mut all_held = true;
    let mut attempt = |place, run: &dyn Fn() -> Result<(Finished, Vec<Count>), Failure>| {
        let held = stages.run(place, || {
            let (finished, counted) = run()?;
            counts.extend(counted);
            if finished.status.success() { Ok(()) } else { Err(Failure::new("something did not hold")) }
        });
        all_held &= held.is_ok();
    };
    if !plan.laws.is_empty() {
        attempt("SQLite", &|| {
            let finished = native::prove(workspace, "sqlite", &plan.form(&plan.laws))?;
            let counted = counts::read(&finished.lines, "SQLite");
            Ok((finished, counted))
        });
    }
    if !plan.on_postgres.is_empty() {
        attempt("PostgreSQL", &|| {
            let finished = postgres::prove(workspace, &plan.form(&plan.on_postgres))?;
            let counted = counts::read(&finished.lines, "PostgreSQL");
            Ok((finished, counted))
        });
    }
    if plan.calls {
        attempt("calls", &|| {
            let finished = fuzz::prove(workspace, plan.seconds, plan.seed)?;
            let (trials, failures) = (fuzz::count(&finished.lines), tally::junit(&finished.lines).failed);
            let counted = Count { name: CALLS.to_owned(), place: "SQLite", trials, seed: plan.seed, failures };
            Ok((finished, vec![counted]))
        });
    }
    let table = counts::table(&counts);
    println!("\n{}\n{table}", stages.table());
    if orders.only.is_empty() {
        page::write_counts(workspace, &page::Run { minutes: orders.minutes, table: &table })?;
    }
    Ok(if all_held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Chance has to begin somewhere else each time.
#[allow(clippy::disallowed_methods, reason = "the shop's clock is not this program's")]
fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs())
}
