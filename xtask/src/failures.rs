//! Failed tests and error messages in the output of the test runners and compilers.

use regex::Regex;

use crate::process::Failure;

/// Lines that one failure may take, and all of them together. The log file has the rest.
const LONGEST: usize = 40;
const MOST_LINES: usize = 130;
/// Lines of each failure if there are many.
const SHORTEST: usize = 3;
/// Lines shown of output in which no failure is recognized.
const TAIL: usize = 30;

/// How a failure begins: Node's TAP; cargo's output of a test; Playwright; rustc, clippy, vitest and schemathesis.
const BEGIN: &str = r"^\s*(not ok |---- |\d+\) \[|FAIL |<failure)|^error(: |\[)";
/// How it ends: TAP's YAML block; the backtrace or the note about it; Playwright's counts.
const END: &str = r"^\s*(\.\.\.$|stack backtrace:|note: run with|\d+ (failed|flaky)$)";

/// The lines about failures; if none is recognized, the last lines.
pub fn explain(lines: &[String]) -> Result<Vec<String>, Failure> {
    let (begin, end) = (Regex::new(BEGIN)?, Regex::new(END)?);
    let count = lines.iter().filter(|line| begin.is_match(line)).count();
    let longest = (MOST_LINES / count.max(1)).clamp(SHORTEST, LONGEST);
    let (mut found, mut left) = (Vec::new(), 0_usize);
    for line in lines {
        left = if begin.is_match(line) { longest } else { left };
        if left > 0 {
            found.push(line.clone());
            left = if end.is_match(line) { 0 } else { left.saturating_sub(1) };
        }
    }
    Ok(if found.is_empty() { lines.iter().skip(lines.len().saturating_sub(TAIL)).cloned().collect() } else { found })
}

/// The tests of Playwright that passed on a retry.
pub fn flaky(lines: &[String]) -> Vec<&str> {
    let is_count = |line: &str| line.trim().strip_suffix(" flaky").is_some_and(|number| number.parse::<u32>().is_ok());
    let listed = lines.iter().skip_while(|line| !is_count(line));
    listed.skip(1).take_while(|line| line.trim_start().starts_with('[')).map(|line| line.trim()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(printed: &str) -> Vec<String> {
        explain(&printed.lines().map(str::to_owned).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_failure_is_told_to_its_end() {
        let node = "ok 1 - looks\n  ---\n  ...\nnot ok 2 - buys\n  ---\n  error: 'no button'\n  ...\nok 3 - leaves";
        assert_eq!(of(node), ["not ok 2 - buys", "  ---", "  error: 'no button'", "  ..."]);
        let cargo = "test a ... ok\n---- money::tax stdout ----\n\nleft: 1\nstack backtrace:\n   0: begin\n";
        assert_eq!(of(cargo), ["---- money::tax stdout ----", "", "left: 1", "stack backtrace:"]);
        let playwright = "  1) [browser] › buys ───\n\n    Error: no button\n\n  1 failed\n  1 passed (2.0s)";
        assert_eq!(of(playwright), ["  1) [browser] › buys ───", "", "    Error: no button", "", "  1 failed"]);
        let rustc = "   Compiling server v0.1.0\nerror[E0425]: cannot find value `x`\n --> a.rs:1:1\n";
        assert_eq!(of(rustc), ["error[E0425]: cannot find value `x`", " --> a.rs:1:1"]);
    }

    #[test]
    fn flaky_tests_are_listed() {
        let printed = "  1) [browser] › a › looks ──\n\n  1 flaky\n    [browser] › a › looks ──\n  2 passed (2.0s)";
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        assert_eq!(flaky(&lines), ["[browser] › a › looks ──"]);
    }

    #[test]
    fn a_long_failure_is_cut() {
        let printed = format!(" FAIL  cart.test.ts > adds\n{}", "a line\n".repeat(100));
        assert_eq!(of(&printed).len(), LONGEST);
        assert_eq!(of(&printed.repeat(60)).len(), 60 * SHORTEST, "each of many failures is named");
    }

    #[test]
    fn the_last_lines_explain_a_failure_of_unknown_form() {
        let printed = format!("{}the disk is full", "a line\n".repeat(100));
        let lines = of(&printed);
        assert_eq!((lines.len(), lines.last().map(String::as_str)), (TAIL, Some("the disk is full")));
    }
}
