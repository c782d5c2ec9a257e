//! Counts of passed and failed tests, read from the closing lines of the test runners.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TestCounts {
    pub passed: u64,
    pub failed: u64,
}

impl TestCounts {
    pub const ONE_FAILED: Self = Self { passed: 0, failed: 1 };
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

/// `cargo test`, native and WASM: the sum of one closing line for each test program.
pub fn cargo(lines: &[String]) -> TestCounts {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("test result: "))
        .map(|result| TestCounts { passed: before(result, "passed"), failed: before(result, "failed") })
        .sum()
}

/// vitest: `Tests  1 failed | 11 passed (12)`. A file that cannot be loaded counts as one failed test.
pub fn vitest(lines: &[String]) -> TestCounts {
    let closing = |start: &str| lines.iter().rev().find_map(|line| line.trim_start().strip_prefix(start));
    let tests = closing("Tests ").unwrap_or_default();
    let files = closing("Test Files ").unwrap_or_default();
    let failed = before(tests, "failed");
    TestCounts { passed: before(tests, "passed"), failed: if failed == 0 { before(files, "failed") } else { failed } }
}

/// Node's test runner: `# pass 3` (TAP) or `ℹ pass 3`.
pub fn node(lines: &[String]) -> TestCounts {
    let last = |word: &str| {
        let number = |line: &String| {
            let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))?;
            rest.strip_prefix(word)?.trim().parse::<u64>().ok()
        };
        lines.iter().rev().find_map(number).unwrap_or(0)
    };
    TestCounts { passed: last("pass "), failed: last("fail ") + last("cancelled ") }
}

/// Playwright: `1 failed`, `2 flaky`, `140 passed (5.2m)`, each on a line. A flaky test passed on a retry.
pub fn playwright(lines: &[String]) -> TestCounts {
    let last = |word: &str| {
        let number = |line: &String| {
            let (number, rest) = line.trim_start().split_once(' ')?;
            let is_count = rest.split(" (").next() == Some(word);
            is_count.then(|| number.parse::<u64>().ok()).flatten()
        };
        lines.iter().rev().find_map(number).unwrap_or(0)
    };
    TestCounts {
        passed: last("passed") + last("flaky"),
        failed: last("failed") + last("interrupted") + last("did not run"),
    }
}

/// schemathesis: the root element of each run's JUnit report.
pub fn junit(lines: &[String]) -> TestCounts {
    let number = |line: &str, name: &str| -> u64 {
        let rest = line.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
        rest.split('"').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
    };
    let of = |line: &String| {
        let failed = number(line, "failures") + number(line, "errors");
        let passed = number(line, "tests").saturating_sub(failed + number(line, "skipped"));
        TestCounts { passed, failed }
    };
    lines.iter().filter(|line| line.starts_with("<testsuites ")).map(of).sum()
}

/// The number before `word`, or 0.
fn before(text: &str, word: &str) -> u64 {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c == ';').filter(|w| !w.is_empty()).collect();
    words
        .windows(2)
        .find_map(|pair| match pair {
            [number, found] if *found == word => number.parse().ok(),
            _ => None,
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_programs_of_one_cargo_test_are_added_up() {
        let printed = lines(
            "     Running unittests src/lib.rs (target/release/deps/wasm_core-5b1c)\n\
             running 2 tests\n\
             test money::tests::a_sum ... ok\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             test result: FAILED. 5 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.20s\n\
             error: test failed, to rerun pass `-p server --test it`",
        );
        assert_eq!(cargo(&printed), TestCounts { passed: 7, failed: 3 });
    }

    #[test]
    fn a_compile_error_has_no_tests() {
        assert_eq!(
            cargo(&lines("error: could not compile `server` (lib) due to 2 previous errors")),
            TestCounts::default()
        );
    }

    #[test]
    fn vitest_with_and_without_failures() {
        let good =
            lines(" Test Files  4 passed (4)\n      Tests  31 passed (31)\n   Start at  10:00:00\n   Duration  2.10s");
        assert_eq!(vitest(&good), TestCounts { passed: 31, failed: 0 });
        let bad = lines(" Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 28 passed | 1 skipped (31)");
        assert_eq!(vitest(&bad), TestCounts { passed: 28, failed: 2 });
    }

    #[test]
    fn a_vitest_file_that_cannot_be_loaded_is_a_failure() {
        let broken = lines(" Test Files  1 failed | 3 passed (4)\n      Tests  28 passed (28)");
        assert_eq!(vitest(&broken), TestCounts { passed: 28, failed: 1 });
        let none = lines("No test files found, exiting with code 1");
        assert_eq!(vitest(&none), TestCounts::default());
    }

    #[test]
    fn node_in_both_of_its_forms() {
        let tap =
            lines("ok 1 - buys\n1..1\n# tests 4\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0");
        assert_eq!(node(&tap), TestCounts { passed: 3, failed: 1 });
        let spec = lines("ℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 1\nℹ skipped 0");
        assert_eq!(node(&spec), TestCounts { passed: 2, failed: 1 });
    }

    #[test]
    fn a_test_of_playwright_that_passed_on_a_retry_counts_as_passed() {
        let printed = lines(
            "  1 failed\n    [browser] › e2e/a.e2e.mjs:9:1 › buys\n  1 flaky\n    [browser] › e2e/b.e2e.mjs:1:1 › looks\n\
             \x20 2 did not run\n  139 passed (5.2m)",
        );
        assert_eq!(playwright(&printed), TestCounts { passed: 140, failed: 3 });
        assert_eq!(playwright(&lines("Error: No tests found")), TestCounts::default());
    }

    #[test]
    fn the_reports_of_two_runs_are_added_up() {
        let printed = lines(
            "<testsuites errors=\"1\" failures=\"2\" skipped=\"0\" tests=\"35\" time=\"54.03\">\n\
             <testsuites errors=\"0\" failures=\"0\" skipped=\"1\" tests=\"35\" time=\"54.03\">",
        );
        assert_eq!(junit(&printed), TestCounts { passed: 66, failed: 3 });
    }

    #[test]
    fn what_a_test_prints_does_not_count_when_the_closing_lines_follow() {
        let printed = lines("# pass 99\n# tests 1\n# pass 1\n# fail 0");
        assert_eq!(node(&printed), TestCounts { passed: 1, failed: 0 });
    }
}
