//! `cargo xtask test`: every suite, then the failures and the counts.

use std::hint;
use std::num::NonZero;
use std::ops::Add;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::thread;

use crate::durations::TimedTest;
use crate::process::{Failure, Finished, at_the_same_time, stdout_of};
use crate::programs::{self, Programs};
use crate::stages::Stages;
use crate::test_counts::{self, TestCounts};
use crate::workspace::{Workspace, variable};
use crate::{
    browser, build, check, durations, failures, firmware, fuzz, ha, native, npm_packages, postgres, python, setup,
    shell, wasm,
};

/// A test suite and its runner.
struct Suite {
    name: &'static str,
    /// Programs that it starts, beyond the requirements of `run`.
    needs: &'static [Programs],
    /// Whether the next suites run beside it, because it leaves at least one of two cores idle.
    in_background: bool,
    run: fn(&Workspace) -> Result<Finished, Failure>,
}

const SUITES: [Suite; 10] = [
    Suite { name: "calls", needs: &[python::PROGRAMS], in_background: true, run: fuzz::test },
    Suite {
        name: "native",
        needs: &[native::HLEDGER, native::PROMTOOL, native::LITESTREAM, postgres::NGINX],
        in_background: false,
        run: native::test,
    },
    Suite {
        name: "postgres",
        needs: &[postgres::PROGRAMS, postgres::NGINX, postgres::HAPROXY, postgres::PGBOUNCER],
        in_background: false,
        run: postgres::test,
    },
    Suite { name: "ha", needs: &ha::PROGRAMS, in_background: true, run: ha::test },
    Suite { name: "shell", needs: &[], in_background: false, run: shell::test },
    Suite {
        name: "browser",
        needs: &browser::PROGRAMS,
        in_background: false,
        run: |workspace| browser::test(workspace, "browser"),
    },
    Suite { name: "wasm", needs: &[], in_background: false, run: wasm::test },
    Suite { name: "firmware", needs: &firmware::PROGRAMS, in_background: false, run: firmware::test },
    Suite {
        name: "stripe",
        needs: &[browser::CHROMIUM],
        in_background: false,
        run: |workspace| browser::test(workspace, "stripe"),
    },
    Suite {
        name: "consumers",
        needs: &[browser::CHROMIUM, python::PROGRAMS],
        in_background: false,
        run: npm_packages::test,
    },
];

/// What `--only` accepts.
pub fn suite_names() -> Vec<&'static str> {
    ["check"].into_iter().chain(SUITES.map(|suite| suite.name)).collect()
}

/// Runs the suites beside `load` busy threads a core, and prints the counts in the last line. Success only if every test
/// passed.
pub fn test(workspace: &Workspace, stages: &Stages, only: &[String], load: u8) -> ExitCode {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|wanted| wanted == name);
    let suites = || SUITES.iter().filter(|suite| wanted(suite.name));
    programs::install_missing(stages, suites().flat_map(|suite| suite.needs));
    let skipped: Vec<String> = if in_ci() { Vec::new() } else { suites().flat_map(Suite::skipped).collect() };
    versions().iter().for_each(|version| println!("{version}"));
    let (total, timed) = match prepare(workspace, stages, &wanted) {
        Ok(()) => {
            keep_cores_busy(load);
            run_suites(workspace, stages, &wanted)
        }
        Err(_) => (TestCounts::ONE_FAILED, Vec::new()),
    };
    println!("\nslowest tests:\n{}\n\n{}\n{}", durations::slowest(timed).join("\n"), stages.table(), stages.failures());
    skipped.iter().for_each(|line| println!("{line}"));
    println!("{total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Builds everything that `run` builds, and all test programs.
pub fn prepare(workspace: &Workspace, stages: &Stages, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Result<(), Failure> {
    stages.run("requirements", setup::for_tests)?;
    let server =
        ["check", "native", "postgres", "consumers", "browser", "stripe", "ha", "calls"].into_iter().any(wanted);
    at_the_same_time(
        || if server { stages.run("server and tests", || native::compile_tests(workspace)) } else { Ok(()) },
        || build::for_browsers(workspace, stages).and_then(|()| build::for_npm(workspace, stages)),
    )
}

/// Starts this many busy threads for each core. They end with this process.
fn keep_cores_busy(load: u8) {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    for _ in 0..cores * usize::from(load) {
        thread::spawn(|| {
            loop {
                hint::black_box(0);
            }
        });
    }
}

/// The counts of a suite, and its tests' durations.
type Ran = (TestCounts, Vec<TimedTest>);

fn run_suites(workspace: &Workspace, stages: &Stages, wanted: &dyn Fn(&str) -> bool) -> Ran {
    let checks = if wanted("check") { check::run_all(workspace, stages, &[]).len() } else { 0 };
    let mut ran: Vec<Ran> = (0..checks).map(|_| (TestCounts::ONE_FAILED, Vec::new())).collect();
    let suites = SUITES.iter().filter(|suite| wanted(suite.name) && (in_ci() || suite.can_run()));
    thread::scope(|scope| {
        let mut background = Vec::new();
        for suite in suites {
            if suite.in_background {
                background.push((suite, scope.spawn(|| run_suite(workspace, stages, suite))));
            } else {
                ran.push(run_suite(workspace, stages, suite));
            }
        }
        ran.extend(
            background.into_iter().map(|(suite, thread)| thread.join().unwrap_or_else(|_| stopped(stages, suite))),
        );
    });
    let (counts, timed): (Vec<_>, Vec<_>) = ran.into_iter().unzip();
    (counts.into_iter().fold(TestCounts::default(), Add::add), timed.into_iter().flatten().collect())
}

/// A suite whose thread panicked, as a failed stage.
fn stopped(stages: &Stages, suite: &Suite) -> Ran {
    let failure = Failure::new("a thread of this command stopped");
    let _ = stages.run(suite.name, || Err::<(), _>(failure));
    (TestCounts::ONE_FAILED, Vec::new())
}

/// The versions of the programs that make a difference between two test runs.
fn versions() -> Vec<String> {
    let postgres = postgres::programs().map(|folder| folder.join("postgres"));
    let named = ["rustc", "node", "firefox-esr", "firefox", "WebKitWebDriver"].map(programs::find);
    let programs = named.into_iter().chain([postgres, browser::chromium().ok()]).flatten();
    let version = |program: &PathBuf| stdout_of(Command::new(program).arg("--version"));
    programs.filter_map(|program| Some(format!("{}: {}", program.display(), version(&program)?))).collect()
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
fn run_suite(workspace: &Workspace, stages: &Stages, suite: &Suite) -> Ran {
    let (mut counts, mut timed) = Ran::default();
    let result = stages.run(suite.name, || {
        let finished = (suite.run)(workspace)?;
        counts = TestCounts::read(&finished.lines)?;
        timed = durations::read(suite.name, &finished.lines)?;
        let skipped = test_counts::skipped(&finished.lines)?;
        println!("    {}: {counts}, {} skipped", suite.name, skipped.len());
        skipped.iter().for_each(|test| println!("    {}: skipped: {test}", suite.name));
        failures::flaky(&finished.lines).iter().for_each(|test| println!("    {}: flaky: {test}", suite.name));
        let output = failures::explain(&finished.lines)?;
        suite_result(counts, finished.status.success()).map_err(|failure| failure.with_output(output))
    });
    if result.is_err() && counts.failed == 0 {
        counts = counts + TestCounts::ONE_FAILED;
    }
    (counts, timed)
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
        const NEEDS: [Programs; 2] = [
            Programs::new("mcopy", "mtools", || false),
            Programs::new("chronyd", "chrony", || false).only_for("the tests of the time"),
        ];
        let suite = |needs| Suite { name: "firmware", needs, in_background: false, run: firmware::test };
        let [whole, part] = suite(&NEEDS).skipped().try_into().unwrap();
        assert!(whole.starts_with("skipped: firmware: needs mcopy (Debian: `apt-get install mtools`"));
        assert!(part.starts_with("skipped: firmware, the tests of the time: needs chronyd"));
        assert!(!suite(&NEEDS).can_run() && suite(&NEEDS[1..]).can_run());
        assert!(suite(&[]).can_run() && suite(&[]).skipped().is_empty());
    }
}
