//! `cargo xtask test`: every suite, then the failures and the counts.

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
use crate::test_counts::{self, TestCounts};
use crate::wasm;
use crate::workspace::{Workspace, variable};

/// A test suite: its runner, and the parser of the runner's counts.
struct Suite {
    name: &'static str,
    /// Programs that it starts, beyond the requirements of `run`.
    needs: &'static [Programs],
    run: fn(&Workspace) -> Result<Finished, Failure>,
    count: fn(&[String]) -> TestCounts,
}

const NOTHING: &[Programs] = &[];
const POSTGRES: &[Programs] = &[postgres::PROGRAMS];
const BROWSER: &[Programs] = &[chromium::PROGRAMS];
const CALLS: &[Programs] = &[fuzz::PROGRAMS];

const SUITES: [Suite; 9] = [
    Suite { name: "native", needs: NOTHING, run: native::test, count: test_counts::cargo },
    Suite { name: "postgres", needs: POSTGRES, run: postgres::test, count: test_counts::cargo },
    Suite { name: "wasm", needs: NOTHING, run: wasm::test, count: test_counts::cargo },
    Suite { name: "packages", needs: NOTHING, run: packages::test, count: test_counts::node },
    Suite { name: "firmware", needs: &embedded::PROGRAMS, run: embedded::test, count: embedded::count },
    Suite { name: "shell", needs: NOTHING, run: shell::test, count: test_counts::vitest },
    Suite { name: "browser", needs: BROWSER, run: browser::test, count: test_counts::playwright },
    Suite { name: "stripe", needs: BROWSER, run: browser::mock_stripe, count: test_counts::playwright },
    Suite { name: "calls", needs: CALLS, run: fuzz::test, count: test_counts::junit },
];

/// What `--only` accepts.
pub const SUITE_NAMES: [&str; 10] =
    ["check", "native", "postgres", "wasm", "packages", "firmware", "shell", "browser", "stripe", "calls"];

/// Runs the suites and prints the counts in the last line. Success only if every test passed.
pub fn test(workspace: &Workspace, stages: &Stages, only: &[String]) -> ExitCode {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|wanted| wanted == name);
    let suites = || SUITES.iter().filter(|suite| wanted(suite.name));
    programs::install_missing(stages, suites().flat_map(|suite| suite.needs));
    let skipped: Vec<String> = if in_ci() { Vec::new() } else { suites().flat_map(Suite::skipped).collect() };
    for line in &skipped {
        println!("{line}");
    }
    let total = match prepare(workspace, stages, &wanted) {
        Ok(()) => run_suites(workspace, stages, &wanted),
        Err(_) => TestCounts::ONE_FAILED,
    };
    println!("\n{}\n{}", stages.table(), stages.failures());
    for line in &skipped {
        println!("{line}");
    }
    println!("{total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Builds everything that `run` builds, and all test programs.
pub fn prepare(workspace: &Workspace, stages: &Stages, wanted: &dyn Fn(&str) -> bool) -> Result<(), Failure> {
    stages.run("requirements", || {
        setup::requirements(&[BROWSER_TARGET, BOARD_TARGET, NEWER_BOARD_TARGET], &COMPONENTS)
    })?;
    generate::browser_packages(workspace, stages)?;
    stages.run("shell build", || shell::build(workspace))?;
    if ["native", "postgres", "browser", "stripe", "calls"].into_iter().any(wanted) {
        stages.run("server and tests", || native::compile_tests(workspace))?;
    }
    Ok(())
}

fn run_suites(workspace: &Workspace, stages: &Stages, wanted: &dyn Fn(&str) -> bool) -> TestCounts {
    let mut total = TestCounts::default();
    if wanted("check") {
        total = total + check::check(workspace, stages, &[]).iter().map(|_| TestCounts::ONE_FAILED).sum();
    }
    let suites = SUITES.iter().filter(|suite| wanted(suite.name) && (in_ci() || suite.can_run()));
    total + suites.map(|suite| run_suite(workspace, stages, suite)).sum()
}

/// Continuous integration skips nothing: a missing program is a failure.
fn in_ci() -> bool {
    variable("CI").as_deref() == Some("true")
}

impl Suite {
    fn can_run(&self) -> bool {
        self.needs.iter().all(|programs| programs.only_for.is_some() || programs.missing().is_none())
    }

    /// A line for each missing program: the skipped tests, and how to install it.
    fn skipped(&self) -> Vec<String> {
        let line = |programs: &Programs| {
            let reason = programs.missing()?;
            let tests = programs.only_for.map(|tests| format!(", {tests}")).unwrap_or_default();
            Some(format!("skipped: {}{tests}: {reason}", self.name))
        };
        self.needs.iter().filter_map(line).collect()
    }
}

/// Runs one suite. A suite that fails without a failed test (a compile error, a broken runner) counts as one failure.
fn run_suite(workspace: &Workspace, stages: &Stages, suite: &Suite) -> TestCounts {
    let mut counts = TestCounts::default();
    let result = stages.run(suite.name, || {
        let finished = (suite.run)(workspace)?;
        counts = (suite.count)(&finished.lines);
        println!("    {}: {counts}", suite.name);
        failures::flaky(&finished.lines).iter().for_each(|test| println!("    flaky: {test}"));
        let result = suite_result(counts, finished.status.success());
        result.map_err(|failure| failure.with_output(failures::explain(&finished.lines)))
    });
    if result.is_err() && counts.failed == 0 {
        counts = counts + TestCounts::ONE_FAILED;
    }
    counts
}

fn suite_result(counts: TestCounts, succeeded: bool) -> Result<(), Failure> {
    if counts.failed > 0 || !succeeded {
        return Err(Failure::new(counts.to_string()));
    }
    if counts.passed == 0 {
        return Err(Failure::new("no test was run"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_good_only_with_tests_that_all_passed_and_a_runner_that_agrees() {
        let passed = TestCounts { passed: 3, failed: 0 };
        assert!(suite_result(passed, true).is_ok());
        assert!(suite_result(passed, false).is_err(), "the runner failed");
        assert!(suite_result(passed + TestCounts::ONE_FAILED, true).is_err(), "a test failed");
        assert!(suite_result(TestCounts::default(), true).is_err(), "no test at all");
    }

    #[test]
    fn what_is_skipped_is_said_with_its_reason() {
        const fn away(names: &'static str, package: &'static str, only_for: Option<&'static str>) -> Programs {
            Programs { names, package, are_installed: || false, only_for }
        }
        const NEEDS: [Programs; 2] =
            [away("mcopy", "mtools", None), away("chronyd", "chrony", Some("the tests of the time"))];
        let suite = |needs| Suite { needs, ..SUITES[4] };
        let [whole, part] = suite(&NEEDS).skipped().try_into().unwrap();
        assert!(whole.starts_with("skipped: firmware: needs mcopy (Debian: `apt-get install mtools`"));
        assert!(part.starts_with("skipped: firmware, the tests of the time: needs chronyd"));
        assert!(!suite(&NEEDS).can_run() && suite(&NEEDS[1..]).can_run());
        assert!(suite(NOTHING).can_run() && suite(NOTHING).skipped().is_empty());
    }

    #[test]
    fn only_takes_exactly_the_suites_there_are() {
        let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        assert_eq!(SUITE_NAMES[0], "check");
        assert_eq!(&SUITE_NAMES[1..], names);
    }
}
