//! `cargo xtask test`: every suite, then one line that says it all.

use std::process::ExitCode;

use crate::browser;
use crate::check::{self, COMPONENTS};
use crate::chromium;
use crate::embedded;
use crate::failures;
use crate::fuzz;
use crate::generate;
use crate::native;
use crate::packages;
use crate::postgres;
use crate::process::{Failure, Finished};
use crate::programs::{self, Programs};
use crate::setup::{self, BOARD_TARGET, BROWSER_TARGET, NEWER_BOARD_TARGET};
use crate::shell;
use crate::stages::Stages;
use crate::stripe;
use crate::tally::{self, Tally};
use crate::wasm;
use crate::workspace::{Workspace, variable};

type Script = fn(&Workspace, &[&str]) -> Result<Finished, Failure>;

/// A runner and how to read its closing lines.
struct Suite {
    name: &'static str,
    /// What it starts that the set-up of `run` does not install.
    needs: &'static [Programs],
    run: fn(&Workspace) -> Result<Finished, Failure>,
    count: fn(&[String]) -> Tally,
    /// Runs a script in a new shop: for the files that failed. Where a real browser decides when it draws and loads,
    /// one failure may be the machine's: the next try tells. All are printed.
    again: Option<Script>,
}

const NOTHING: &[Programs] = &[];
const POSTGRES: &[Programs] = &[postgres::PROGRAMS];
const BROWSER: &[Programs] = &[chromium::PROGRAMS];
const CALLS: &[Programs] = &[fuzz::PROGRAMS];

const SUITES: [Suite; 9] = [
    Suite { name: "native", needs: NOTHING, run: native::test, count: tally::cargo, again: None },
    Suite { name: "postgres", needs: POSTGRES, run: postgres::test, count: tally::cargo, again: None },
    Suite { name: "wasm", needs: NOTHING, run: wasm::test, count: tally::cargo, again: None },
    Suite { name: "packages", needs: NOTHING, run: packages::test, count: tally::node, again: None },
    Suite { name: "firmware", needs: &embedded::PROGRAMS, run: embedded::test, count: embedded::count, again: None },
    Suite { name: "shell", needs: NOTHING, run: shell::test, count: tally::vitest, again: None },
    Suite { name: "browser", needs: BROWSER, run: browser::test, count: tally::node, again: Some(browser::run) },
    Suite { name: "stripe", needs: BROWSER, run: stripe::test, count: tally::node, again: Some(stripe::run) },
    Suite { name: "calls", needs: CALLS, run: fuzz::test, count: tally::junit, again: None },
];

/// What `--only` accepts.
pub const SUITE_NAMES: [&str; 10] =
    ["check", "native", "postgres", "wasm", "packages", "firmware", "shell", "browser", "stripe", "calls"];

/// Success only if every test passed; the last line printed is the tally either way.
pub fn test<'a>(workspace: &Workspace, stages: &Stages, only: impl Iterator<Item = &'a String>) -> ExitCode {
    let only: Vec<&str> = only.map(String::as_str).collect();
    let wanted = |name: &str| only.is_empty() || only.contains(&name);
    let suites = || SUITES.iter().filter(|suite| wanted(suite.name));
    programs::install_missing(stages, suites().flat_map(|suite| suite.needs));
    let left_out: Vec<String> = if in_ci() { Vec::new() } else { suites().flat_map(Suite::left_out).collect() };
    for line in &left_out {
        println!("{line}");
    }
    let total = match prepare(workspace, stages, &wanted) {
        Ok(()) => all(workspace, stages, &wanted),
        Err(_) => Tally::ONE_FAILED,
    };
    println!("\n{}\n{}", stages.table(), stages.failures());
    for line in &left_out {
        println!("{line}");
    }
    println!("{total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The set-up of `run`, then all test programs in one build with the server.
pub fn prepare(workspace: &Workspace, stages: &Stages, wanted: &dyn Fn(&str) -> bool) -> Result<(), Failure> {
    stages.run("requirements", || {
        setup::requirements(&[BROWSER_TARGET, BOARD_TARGET, NEWER_BOARD_TARGET], &COMPONENTS)
    })?;
    generate::browser_packages(workspace, stages)?;
    stages.run("shell", || shell::build(workspace))?;
    if ["native", "postgres", "browser", "stripe", "calls"].into_iter().any(wanted) {
        stages.run("server and tests", || native::compile_tests(workspace))?;
    }
    Ok(())
}

fn all(workspace: &Workspace, stages: &Stages, wanted: &dyn Fn(&str) -> bool) -> Tally {
    let mut total = Tally::default();
    if wanted("check") {
        total = total + check::check(workspace, stages).iter().map(|_| Tally::ONE_FAILED).sum();
    }
    let suites = SUITES.iter().filter(|suite| wanted(suite.name) && (in_ci() || suite.can_run()));
    total + suites.map(|suite| one(workspace, stages, suite)).sum()
}

/// Continuous integration leaves nothing out: there, what is missing is a failure.
fn in_ci() -> bool {
    variable("CI").as_deref() == Some("true")
}

impl Suite {
    fn can_run(&self) -> bool {
        self.needs.iter().all(|programs| programs.only_for.is_some() || programs.missing().is_none())
    }

    /// What does not run on this machine, why, and how to change that: a line for each reason.
    fn left_out(&self) -> Vec<String> {
        let line = |programs: &Programs| {
            let reason = programs.missing()?;
            let tests = programs.only_for.map(|tests| format!(", {tests}")).unwrap_or_default();
            Some(format!("left out: {}{tests}: {reason}", self.name))
        };
        self.needs.iter().filter_map(line).collect()
    }
}

/// Runs one suite, and what failed of it again where that may help.
fn one(workspace: &Workspace, stages: &Stages, suite: &Suite) -> Tally {
    let first = once(stages, suite, || (suite.run)(workspace));
    let Some(again) = suite.again else { return first.tally };
    let last = last_of(TRIES, failures::files(&first.lines), |files| {
        let script = ["e2e:again", "--"].into_iter().chain(files.iter().map(String::as_str)).collect::<Vec<_>>();
        let said = once(stages, suite, || again(workspace, &script));
        (said.tally.failed, failures::files(&said.lines))
    });
    match last {
        Some(0) => Tally { passed: first.tally.passed + first.tally.failed, failed: 0 },
        _ => first.tally,
    }
}

/// What one run of a suite said.
struct Said {
    tally: Tally,
    lines: Vec<String>,
}

/// A suite that fails without a failed test (it did not compile, its runner broke) or that finds no test at all counts
/// as one failure.
fn once(stages: &Stages, suite: &Suite, run: impl FnOnce() -> Result<Finished, Failure>) -> Said {
    let mut said = Said { tally: Tally::default(), lines: Vec::new() };
    let result = stages.run(suite.name, || {
        let finished = run()?;
        said.tally = (suite.count)(&finished.lines);
        said.lines = finished.lines;
        println!("    {}: {}", suite.name, said.tally);
        let verdict = verdict(said.tally, finished.status.success());
        verdict.map_err(|failure| failure.with_output(failures::explain(&said.lines)))
    });
    if result.is_err() && said.tally.failed == 0 {
        said.tally = said.tally + Tally::ONE_FAILED;
    }
    said
}

/// How often files that failed are run again.
const TRIES: usize = 2;

/// How many tests failed in the last try; none was made where no file is known to have failed.
fn last_of(tries: usize, mut files: Vec<String>, mut run: impl FnMut(&[String]) -> (u64, Vec<String>)) -> Option<u64> {
    let mut last = None;
    for _ in 0..tries {
        if files.is_empty() {
            break;
        }
        let (failed, left) = run(&files);
        last = Some(failed);
        files = left;
    }
    last
}

fn verdict(tally: Tally, succeeded: bool) -> Result<(), Failure> {
    if tally.failed > 0 || !succeeded {
        return Err(Failure::new(tally.to_string()));
    }
    if tally.passed == 0 {
        return Err(Failure::new("no test was run"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_good_only_with_tests_that_all_passed_and_a_runner_that_agrees() {
        let passed = Tally { passed: 3, failed: 0 };
        assert!(verdict(passed, true).is_ok());
        assert!(verdict(passed, false).is_err(), "the runner failed");
        assert!(verdict(passed + Tally::ONE_FAILED, true).is_err(), "a test failed");
        assert!(verdict(Tally::default(), true).is_err(), "no test at all");
    }

    #[test]
    fn what_is_left_out_is_said_with_its_reason() {
        const fn away(names: &'static str, package: &'static str, only_for: Option<&'static str>) -> Programs {
            Programs { names, package, are_installed: || false, only_for }
        }
        const NEEDS: [Programs; 2] =
            [away("mcopy", "mtools", None), away("chronyd", "chrony", Some("the tests of the time"))];
        let suite = |needs| Suite { needs, ..SUITES[4] };
        let [whole, part] = suite(&NEEDS).left_out().try_into().unwrap();
        assert!(whole.starts_with("left out: firmware: needs mcopy (Debian: `apt-get install mtools`"));
        assert!(part.starts_with("left out: firmware, the tests of the time: needs chronyd"));
        assert!(!suite(&NEEDS).can_run() && suite(&NEEDS[1..]).can_run());
        assert!(suite(NOTHING).can_run() && suite(NOTHING).left_out().is_empty());
    }

    #[test]
    fn only_files_that_failed_are_run_again_until_none_fails() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let mut asked = Vec::new();
        let mut answers = [(1, names(&["b"])), (0, names(&[]))].into_iter();
        let last = last_of(3, names(&["a", "b"]), |files| {
            asked.push(files.to_vec());
            answers.next().unwrap()
        });
        assert_eq!((last, asked), (Some(0), vec![names(&["a", "b"]), names(&["b"])]));
        assert_eq!(last_of(2, names(&["a"]), |files| (1, files.to_vec())), Some(1), "it fails each time");
        assert_eq!(last_of(2, names(&[]), |_| (0, names(&[]))), None, "no file is known");
        // A runner that broke names no file: that is no success.
        assert_eq!(last_of(2, names(&["a"]), |_| (1, names(&[]))), Some(1));
    }

    #[test]
    fn only_takes_exactly_the_suites_there_are() {
        let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        assert_eq!(SUITE_NAMES[0], "check");
        assert_eq!(&SUITE_NAMES[1..], names);
    }
}
