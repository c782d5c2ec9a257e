//! Counts of passed and failed tests, read from the closing lines of the test runners.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use regex::Regex;

use crate::process::Failure;

/// The lines of cargo (one for each test program), Node (TAP), vitest and Playwright. A flaky test passed on a retry.
const PASSED: &str =
    r"^test result: .* (\d+) passed|^# pass (\d+)|^\s*Tests .*?(\d+) passed|^\s*(\d+) (?:passed \(|flaky$)";
const FAILED: &str = r"^test result: .* (\d+) failed|^# (?:fail|cancelled) (\d+)|^\s*Tests +(\d+) failed|^\s*(\d+) (?:failed|interrupted|did not run)$";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TestCounts {
    pub passed: u64,
    pub failed: u64,
}

impl TestCounts {
    pub const ONE_FAILED: Self = Self { passed: 0, failed: 1 };

    /// The sum over all closing lines.
    pub fn read(lines: &[String]) -> Result<Self, Failure> {
        Ok(Self { passed: sum(lines, &Regex::new(PASSED)?), failed: sum(lines, &Regex::new(FAILED)?) })
    }
}

/// The sum of all numbers that the pattern's groups match.
fn sum(lines: &[String], pattern: &Regex) -> u64 {
    let found = lines.iter().filter_map(|line| pattern.captures(line));
    found
        .filter_map(|groups| groups.iter().skip(1).flatten().find_map(|number| number.as_str().parse::<u64>().ok()))
        .sum()
}

impl Add for TestCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

impl Sum for TestCounts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::add)
    }
}

impl fmt::Display for TestCounts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::TestCounts;

    fn counts(printed: &str) -> (u64, u64) {
        let TestCounts { passed, failed } =
            TestCounts::read(&printed.lines().map(str::to_owned).collect::<Vec<_>>()).unwrap();
        (passed, failed)
    }

    #[test]
    fn the_programs_of_one_cargo_test_are_added_up() {
        let printed = "running 2 tests\ntest money::tests::a_sum ... ok\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 5 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.20s\n\
            error: test failed, to rerun pass `-p server --test it`";
        assert_eq!(counts(printed), (7, 3));
        assert_eq!(counts("error: could not compile `server` (lib) due to 2 previous errors"), (0, 0));
    }

    #[test]
    fn vitest_with_and_without_failures() {
        let good = " Test Files  4 passed (4)\n      Tests  31 passed (31)\n   Start at  10:00:00\n   Duration  2.10s";
        assert_eq!(counts(good), (31, 0));
        let bad = " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 28 passed | 1 skipped (31)";
        assert_eq!(counts(bad), (28, 2));
        assert_eq!(counts("No test files found, exiting with code 1"), (0, 0));
    }

    #[test]
    fn what_a_test_of_node_prints_is_no_count() {
        let tap =
            "# 99 passed\nok 1 - buys\n1..1\n# tests 4\n# suites 0\n# pass 2\n# fail 1\n# cancelled 1\n# skipped 0";
        assert_eq!(counts(tap), (2, 2));
    }

    #[test]
    fn a_test_of_playwright_that_passed_on_a_retry_counts_as_passed() {
        let printed = "  1 failed\n    [browser] › e2e/a.e2e.mjs:9:1 › buys\n  1 flaky\n    [browser] › e2e/b.e2e.mjs:1:1 › looks\n\
            \x20 2 did not run\n  139 passed (5.2m)";
        assert_eq!(counts(printed), (140, 3));
        assert_eq!(counts("Error: No tests found"), (0, 0));
    }
}
