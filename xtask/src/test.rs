//! `cargo xtask test`: every suite, then one line that says it all.

use std::process::ExitCode;

use crate::browser;
use crate::check::{self, COMPONENTS};
use crate::embedded;
use crate::failures;
use crate::fuzz;
use crate::generate;
use crate::native;
use crate::packages;
use crate::postgres;
use crate::process::{Failure, Finished};
use crate::setup::{self, BOARD_TARGET, BROWSER_TARGET, NEWER_BOARD_TARGET};
use crate::shell;
use crate::stages::Stages;
use crate::stripe;
use crate::tally::{self, Tally};
use crate::wasm;
use crate::workspace::{Workspace, variable};

/// A runner and how to read its closing lines.
struct Suite {
    name: &'static str,
    /// Why it cannot run on this machine, if it cannot.
    missing: fn() -> Option<String>,
    run: fn(&Workspace) -> Result<Finished, Failure>,
    count: fn(&[String]) -> Tally,
    /// How often it is run at most before it counts as failed. Where a real browser decides when it draws and loads,
    /// one failure may be the machine's: a second try, in a new shop, tells. Both are printed.
    tries: usize,
}

const SUITES: [Suite; 9] = [
    Suite { name: "native", missing: nothing, run: native::test, count: tally::cargo, tries: 1 },
    Suite { name: "postgres", missing: postgres::missing, run: postgres::test, count: tally::cargo, tries: 1 },
    Suite { name: "wasm", missing: nothing, run: wasm::test, count: tally::cargo, tries: 1 },
    Suite { name: "packages", missing: nothing, run: packages::test, count: tally::node, tries: 1 },
    Suite { name: "firmware", missing: embedded::missing, run: embedded::test, count: embedded::count, tries: 1 },
    Suite { name: "shell", missing: nothing, run: shell::test, count: tally::vitest, tries: 1 },
    Suite { name: "browser", missing: nothing, run: browser::test, count: tally::node, tries: 2 },
    Suite { name: "stripe", missing: nothing, run: stripe::test, count: tally::node, tries: 2 },
    Suite { name: "calls", missing: fuzz::missing, run: fuzz::test, count: tally::junit, tries: 1 },
];

/// Everything it needs is installed by the set-up.
fn nothing() -> Option<String> {
    None
}

/// What `--only` accepts.
pub const SUITE_NAMES: [&str; 10] =
    ["check", "native", "postgres", "wasm", "packages", "firmware", "shell", "browser", "stripe", "calls"];

/// Success only if every test passed; the last line printed is the tally either way.
pub fn test<'a>(workspace: &Workspace, stages: &Stages, only: impl Iterator<Item = &'a String>) -> ExitCode {
    let only: Vec<&str> = only.map(String::as_str).collect();
    let wanted = |name: &str| only.is_empty() || only.contains(&name);
    let mut failed = Vec::new();
    let total = match prepare(workspace, stages, &wanted) {
        Ok(()) => all(workspace, stages, &wanted, &mut failed),
        Err(_) => Tally::ONE_FAILED,
    };
    println!("\n{}", stages.table());
    for line in &failed {
        println!("{line}");
    }
    for suite in SUITES.iter().filter(|suite| wanted(suite.name)) {
        if let Some(reason) = left_out(suite) {
            println!("{} was left out: {reason}", suite.name);
        }
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

/// Adds what was said about each failed test to `failed`.
fn all(workspace: &Workspace, stages: &Stages, wanted: &dyn Fn(&str) -> bool, failed: &mut Vec<String>) -> Tally {
    let mut total = Tally::default();
    if wanted("check") {
        total = total + check::check(workspace, stages).iter().map(|_| Tally::ONE_FAILED).sum();
    }
    let suites = SUITES.iter().filter(|suite| wanted(suite.name) && left_out(suite).is_none());
    total + suites.map(|suite| last_of(suite.tries, || one(workspace, stages, suite, failed))).sum()
}

/// Why a suite does not run on this machine. In continuous integration it must, and fails instead.
fn left_out(suite: &Suite) -> Option<String> {
    let in_ci = variable("CI").as_deref() == Some("true");
    if in_ci { None } else { (suite.missing)() }
}

/// Runs one suite. A suite that fails without a failed test (it did not compile, its runner broke)
/// or that finds no test at all counts as one failure.
fn one(workspace: &Workspace, stages: &Stages, suite: &Suite, failed: &mut Vec<String>) -> Tally {
    let mut tally = Tally::default();
    let result = stages.run(suite.name, || {
        let finished = (suite.run)(workspace)?;
        tally = (suite.count)(&finished.lines);
        failed.extend(failures::told(&finished.lines).iter().map(|line| format!("{:>10} | {line}", suite.name)));
        verdict(tally, finished.status.success())
    });
    if result.is_err() && tally.failed == 0 { tally + Tally::ONE_FAILED } else { tally }
}

/// What the last try said; the first that is good is the last.
fn last_of(tries: usize, mut run: impl FnMut() -> Tally) -> Tally {
    let mut tally = run();
    for _ in 1..tries {
        if tally.failed == 0 {
            break;
        }
        tally = run();
    }
    tally
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
    fn a_second_try_is_made_only_after_a_failure_and_decides() {
        let good = Tally { passed: 2, failed: 0 };
        let bad = Tally { passed: 1, failed: 1 };
        for (tries, said, expected) in
            [(2, [good, bad], good), (2, [bad, good], good), (2, [bad, bad], bad), (1, [bad, good], bad)]
        {
            let mut left = said.into_iter();
            assert_eq!(last_of(tries, || left.next().unwrap_or_default()), expected, "{tries} tries of {said:?}");
        }
    }

    #[test]
    fn only_takes_exactly_the_suites_there_are() {
        let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        assert_eq!(SUITE_NAMES[0], "check");
        assert_eq!(&SUITE_NAMES[1..], names);
    }
}
