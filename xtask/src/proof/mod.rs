//! `cargo xtask prove`: what must never happen is tried for a while, and `docs/proof.md` says how often.
//!
//! The page has two parts. Counts and figures are those of the last whole run. The rules come from `xtask/rules.md`, with the
//! tests that carry their marks (`// rule N, M`); `cargo xtask gen` writes them anew and leaves those alone.

mod counts;
mod figures;
mod machine;
mod page;
mod rules;

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ArgMatches;

use self::counts::Count;
use self::figures::Figure;
use crate::debian;
use crate::fuzz;
use crate::native::{self, LongForm};
use crate::postgres;
use crate::process::{Failure, Finished};
use crate::programs::{self, Programs};
use crate::stages::Stages;
use crate::test;
use crate::test_counts;
use crate::workspace::Workspace;

pub use self::page::{is_fresh, write_rules};

const SQLITE: &str = "SQLite";
const POSTGRES: &str = "PostgreSQL";

/// Laws about texts alone and about files that the shop itself writes, which are the same whatever the database is.
const ON_SQLITE: [&str; 3] = ["proof::bytes::", "proof::disk::", "proof::syncs::"];
/// What the shop is flooded through.
const NGINX: Programs = Programs {
    names: "nginx",
    package: "nginx-light",
    are_installed: || debian::find("nginx").is_some(),
    only_for: Some("floods behind a proxy"),
};

/// Laws that put the shop under load, which need longer to come to something.
const UNDER_LOAD: &str = "proof::load::";
const SHARES_UNDER_LOAD: u64 = 3;
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

/// Everything that will be tried. What puts the shop under load gets three times as long as the rest.
struct Plan {
    parts: Vec<Part>,
    calls: bool,
    seconds: u64,
    seed: u64,
}

/// Laws that are tried on one database for equally long.
struct Part {
    place: &'static str,
    laws: Vec<String>,
    shares: u64,
}

impl Part {
    fn weight(&self) -> u64 {
        u64::try_from(self.laws.len()).unwrap_or(u64::MAX).saturating_mul(self.shares)
    }
}

impl Plan {
    fn of(workspace: &Workspace, orders: &Orders) -> Result<Self, Failure> {
        let mut laws = native::list_laws(workspace)?;
        laws.retain(|law| orders.want(law));
        let mut on_postgres = laws.clone();
        on_postgres.retain(|law| {
            postgres::PROGRAMS.missing().is_none() && !ON_SQLITE.iter().any(|laws| law.starts_with(laws))
        });
        let parts: Vec<Part> = [(SQLITE, laws), (POSTGRES, on_postgres)].into_iter().flat_map(parted).collect();
        let calls = orders.want(CALLS) && fuzz::PROGRAMS.missing().is_none();
        let weight = parts.iter().map(Part::weight).sum::<u64>().saturating_add(u64::from(calls));
        if weight == 0 {
            return Err(Failure::new("nothing has these words in its name"));
        }
        let seconds = orders.minutes.saturating_mul(60).div_ceil(weight);
        Ok(Self { parts, calls, seconds, seed: orders.seed.unwrap_or_else(seconds_now) })
    }

    fn form<'a>(&self, part: &'a Part) -> LongForm<'a> {
        let seconds = self.seconds.saturating_mul(part.shares);
        LongForm { laws: &part.laws, seconds, seed: self.seed, database_url: None }
    }
}

/// Those that put the shop under load apart from the others.
fn parted((place, laws): (&'static str, Vec<String>)) -> [Part; 2] {
    let (under_load, others) = laws.into_iter().partition(|law| law.starts_with(UNDER_LOAD));
    [Part { place, laws: others, shares: 1 }, Part { place, laws: under_load, shares: SHARES_UNDER_LOAD }]
}

/// What one run came to.
#[derive(Default)]
struct Found {
    counts: Vec<Count>,
    figures: Vec<Figure>,
}

impl Found {
    fn in_lines(lines: &[String], place: &'static str) -> Self {
        Self { counts: counts::read(lines, place), figures: figures::read(lines, place) }
    }
}

pub fn prove(workspace: &Workspace, stages: &Stages, orders: &Orders) -> Result<ExitCode, Failure> {
    let needed = [postgres::PROGRAMS, fuzz::PROGRAMS, NGINX];
    programs::install_missing(stages, needed.iter());
    for reason in needed.iter().filter_map(Programs::missing) {
        println!("left out: {reason}");
    }
    test::prepare(workspace, stages, &|_| true)?;
    let plan = Plan::of(workspace, orders)?;
    println!("each law is tried for {} s, under load for longer, from seed {} on", plan.seconds, plan.seed);
    let mut found = Found::default();
    let mut all_held = true;
    let mut attempt = |place, run: &dyn Fn() -> Result<(Finished, Found), Failure>| {
        let held = stages.run(place, || {
            let (finished, more) = run()?;
            found.counts.extend(more.counts);
            found.figures.extend(more.figures);
            if finished.status.success() { Ok(()) } else { Err(Failure::new("something did not hold")) }
        });
        all_held &= held.is_ok();
    };
    for part in plan.parts.iter().filter(|part| !part.laws.is_empty()) {
        attempt(part.place, &|| {
            let finished = match part.place {
                POSTGRES => postgres::prove(workspace, &plan.form(part))?,
                _ => native::prove(workspace, &plan.form(part))?,
            };
            let found = Found::in_lines(&finished.lines, part.place);
            Ok((finished, found))
        });
    }
    if plan.calls {
        attempt("calls", &|| {
            let finished = fuzz::prove(workspace, plan.seconds, plan.seed)?;
            let (trials, failures) = (fuzz::count(&finished.lines), test_counts::junit(&finished.lines).failed);
            let count = Count { name: CALLS.to_owned(), place: SQLITE, trials, seed: plan.seed, failures };
            Ok((finished, Found { counts: vec![count], figures: Vec::new() }))
        });
    }
    let (counts, figures) = (counts::table(&found.counts), figures::table(&found.figures));
    println!("\n{}\n{counts}\n{figures}", stages.table());
    if orders.only.is_empty() {
        page::write_counts(workspace, &page::Run { minutes: orders.minutes, counts: &counts, figures: &figures })?;
    }
    Ok(if all_held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Chance has to begin somewhere else each time.
#[allow(clippy::disallowed_methods, reason = "the shop's clock is not this program's")]
fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs())
}
