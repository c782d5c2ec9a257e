//! How many tests passed and failed, read from what the runners print last.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
}

impl Tally {
    pub const ONE_FAILED: Self = Self { passed: 0, failed: 1 };
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::add)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// `cargo test`, natively and in WASM: one closing line for each test program, to be added up.
pub fn cargo(lines: &[String]) -> Tally {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("test result: "))
        .map(|result| Tally { passed: before(result, "passed"), failed: before(result, "failed") })
        .sum()
}

/// vitest: `Tests  1 failed | 11 passed (12)`. A file that cannot be loaded fails without a test of its own.
pub fn vitest(lines: &[String]) -> Tally {
    let closing = |start: &str| lines.iter().rev().find_map(|line| line.trim_start().strip_prefix(start));
    let tests = closing("Tests ").unwrap_or_default();
    let files = closing("Test Files ").unwrap_or_default();
    let failed = before(tests, "failed");
    Tally { passed: before(tests, "passed"), failed: if failed == 0 { before(files, "failed") } else { failed } }
}

/// Node's own runner: `# pass 3` (TAP) or `ℹ pass 3`, each word once at the end.
pub fn node(lines: &[String]) -> Tally {
    let last = |word: &str| {
        let number = |line: &String| {
            let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))?;
            rest.strip_prefix(word)?.trim().parse::<u64>().ok()
        };
        lines.iter().rev().find_map(number).unwrap_or(0)
    };
    Tally { passed: last("pass "), failed: last("fail ") + last("cancelled ") }
}

/// schemathesis: the root of its report in JUnit's form, one for each run.
pub fn junit(lines: &[String]) -> Tally {
    let number = |line: &str, name: &str| -> u64 {
        let rest = line.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
        rest.split('"').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
    };
    let of = |line: &String| {
        let failed = number(line, "failures") + number(line, "errors");
        let passed = number(line, "tests").saturating_sub(failed + number(line, "skipped"));
        Tally { passed, failed }
    };
    lines.iter().filter(|line| line.starts_with("<testsuites ")).map(of).sum()
}

/// The number in front of `word`, 0 where there is none.
fn before(text: &str, word: &str) -> u64 {
    let words: Vec<&str> =
        text.split(|sign: char| sign.is_whitespace() || sign == ';').filter(|w| !w.is_empty()).collect();
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
        assert_eq!(cargo(&printed), Tally { passed: 7, failed: 3 });
    }

    #[test]
    fn a_compile_error_has_no_tests() {
        assert_eq!(cargo(&lines("error: could not compile `server` (lib) due to 2 previous errors")), Tally::default());
    }

    #[test]
    fn vitest_with_and_without_failures() {
        let good =
            lines(" Test Files  4 passed (4)\n      Tests  31 passed (31)\n   Start at  10:00:00\n   Duration  2.10s");
        assert_eq!(vitest(&good), Tally { passed: 31, failed: 0 });
        let bad = lines(" Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 28 passed | 1 skipped (31)");
        assert_eq!(vitest(&bad), Tally { passed: 28, failed: 2 });
    }

    #[test]
    fn a_vitest_file_that_cannot_be_loaded_is_a_failure() {
        let broken = lines(" Test Files  1 failed | 3 passed (4)\n      Tests  28 passed (28)");
        assert_eq!(vitest(&broken), Tally { passed: 28, failed: 1 });
        let none = lines("No test files found, exiting with code 1");
        assert_eq!(vitest(&none), Tally::default());
    }

    #[test]
    fn node_in_both_of_its_forms() {
        let tap =
            lines("ok 1 - buys\n1..1\n# tests 4\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0");
        assert_eq!(node(&tap), Tally { passed: 3, failed: 1 });
        let spec = lines("ℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 1\nℹ skipped 0");
        assert_eq!(node(&spec), Tally { passed: 2, failed: 1 });
    }

    #[test]
    fn the_reports_of_two_runs_are_added_up() {
        let printed = lines(
            "<testsuites errors=\"1\" failures=\"2\" skipped=\"0\" tests=\"35\" time=\"54.03\">\n\
             <testsuites errors=\"0\" failures=\"0\" skipped=\"1\" tests=\"35\" time=\"54.03\">",
        );
        assert_eq!(junit(&printed), Tally { passed: 66, failed: 3 });
    }

    #[test]
    fn what_a_test_prints_does_not_count_when_the_closing_lines_follow() {
        let printed = lines("# pass 99\n# tests 1\n# pass 1\n# fail 0");
        assert_eq!(node(&printed), Tally { passed: 1, failed: 0 });
    }
}
