//! Counts of passed and failed tests, read from the closing lines of the test runners.

use std::fmt;
use std::ops::Add;

use regex::Regex;

use crate::process::Failure;

/// The lines of cargo (one for each test program), Node (TAP), vitest and Playwright. A flaky test passed on a retry.
const PASSED: &str =
    r"^test result: .* (\d+) passed|^# pass (\d+)|^\s*Tests .*?(\d+) passed|^\s*(\d+) (?:passed \(|flaky$)";
const FAILED: &str = r"^test result: .* (\d+) failed|^# (?:fail|cancelled) (\d+)|^\s*Tests +(\d+) failed|^\s*(\d+) (?:failed|interrupted|did not run)$";
/// A test that found out at run time that a program or a permission is missing. cargo counts it as passed.
const SKIPPED: &str = r"(?:^|\.\.\. )skipped: (.+)$";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TestCounts {
    pub passed: u64,
    pub failed: u64,
}

impl TestCounts {
    pub const ONE_FAILED: Self = Self { passed: 0, failed: 1 };

    /// The sum over all closing lines, without skipped tests.
    pub fn read(lines: &[String]) -> Result<Self, Failure> {
        let skipped = u64::try_from(skipped(lines)?.len())?;
        let passed = sum(lines, &Regex::new(PASSED)?).saturating_sub(skipped);
        Ok(Self { passed, failed: sum(lines, &Regex::new(FAILED)?) })
    }
}

/// The skipped tests with their reasons.
pub fn skipped(lines: &[String]) -> Result<Vec<&str>, Failure> {
    let pattern = Regex::new(SKIPPED)?;
    Ok(lines.iter().filter_map(|line| Some(pattern.captures(line)?.get(1)?.as_str())).collect())
}

/// The sum of all numbers that the pattern's groups match.
fn sum(lines: &[String], pattern: &Regex) -> u64 {
    let numbers = lines.iter().filter_map(|line| pattern.captures(line));
    numbers.filter_map(|groups| groups.iter().skip(1).flatten().next()?.as_str().parse::<u64>().ok()).sum()
}

impl Add for TestCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

impl fmt::Display for TestCounts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(printed: &str) -> Vec<String> {
        printed.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_closing_lines_of_every_runner_are_added_up() {
        let cargo = "test money::tests::a_sum ... ok\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 5 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.20s";
        let vitest = " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 28 passed | 1 skipped (31)";
        let node = "# 99 passed\nok 1 - buys\n# tests 4\n# suites 0\n# pass 2\n# fail 1\n# cancelled 1\n# skipped 0";
        let playwright =
            "  1 failed\n    [browser] › buys\n  1 flaky\n    [browser] › looks\n  2 did not run\n  139 passed (5.2m)";
        let none =
            "error: could not compile `server` due to 2 previous errors\nNo test files found\nError: No tests found";
        let expected = [(cargo, 7, 3), (vitest, 28, 2), (node, 2, 2), (playwright, 140, 3), (none, 0, 0)];
        for (printed, passed, failed) in expected {
            assert_eq!(TestCounts::read(&lines(printed)).unwrap(), TestCounts { passed, failed }, "{printed}");
        }
    }

    #[test]
    fn a_test_that_skips_itself_is_listed_and_has_not_passed() {
        let printed = lines(
            "skipped: postgres::a: needs PostgreSQL\ntest b ... skipped: b: no root\n# skipped 0\ntest result: ok. 5 passed; 0 failed",
        );
        assert_eq!(skipped(&printed).unwrap(), ["postgres::a: needs PostgreSQL", "b: no root"]);
        assert_eq!(TestCounts::read(&printed).unwrap().passed, 3);
    }
}
