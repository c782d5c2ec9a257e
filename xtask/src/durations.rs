//! The durations of tests, read from the output of cargo's and Playwright's test runners.

use std::time::Duration;

use regex::Regex;

use crate::process::Failure;

/// cargo's with `--report-time`, and Playwright's list.
const TIMED: &str = r"^test (?<test>\S+) \.\.\. .*<(?<seconds>[\d.]+)s>$|^\s*\S+\s+\d+ (?<step>\[.+) \((?<number>[\d.]+)(?<unit>s|m)\)$";
const SHOWN: usize = 10;

/// A test with its duration.
#[derive(Debug, PartialEq)]
pub struct TimedTest {
    name: String,
    took: Duration,
}

/// The timed tests of a suite.
pub fn read(suite: &str, lines: &[String]) -> Result<Vec<TimedTest>, Failure> {
    let pattern = Regex::new(TIMED)?;
    let timed = |line: &String| {
        let found = pattern.captures(line)?;
        let name = found.name("test").or(found.name("step"))?.as_str();
        let number = found.name("seconds").or(found.name("number"))?.as_str().parse().ok()?;
        let is_in_minutes = found.name("unit").is_some_and(|unit| unit.as_str() == "m");
        let took = Duration::try_from_secs_f64(number).ok()? * if is_in_minutes { 60 } else { 1 };
        Some(TimedTest { name: format!("{suite}: {name}"), took })
    };
    Ok(lines.iter().filter_map(timed).collect())
}

/// The slowest tests, a line each.
pub fn slowest(mut tests: Vec<TimedTest>) -> Vec<String> {
    tests.sort_by_key(|test| std::cmp::Reverse(test.took));
    tests.iter().take(SHOWN).map(|TimedTest { name, took }| format!("{:>8}  {name}", format!("{took:.1?}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_tests_of_both_runners_come_first() {
        let printed = "test money::a_sum ... ok <0.010s>\ntest photos::large ... FAILED <41.500s>\ntest b ... ok\n  ✓    3 [browser] › e2e/cart.e2e.mjs:9:3 › the cart › adds (1.2m)\n  ✓   4 [browser] › e2e/cart.e2e.mjs:19:3 › clears (850ms)";
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        assert_eq!(
            slowest(read("native", &lines).unwrap()),
            [
                "   72.0s  native: [browser] › e2e/cart.e2e.mjs:9:3 › the cart › adds",
                "   41.5s  native: photos::large",
                "  10.0ms  native: money::a_sum",
            ]
        );
    }
}
