//! Failed tests and error messages in the output of the test runners and compilers.

use regex::{Error, Regex};

/// Lines that one failure may take, and all of them together. The log file has the rest.
const LONGEST: usize = 40;
const MOST_LINES: usize = 130;
/// Lines of each failure if there are many.
const SHORTEST: usize = 3;
/// Lines shown of output in which no failure is recognized.
const TAIL: usize = 30;

/// How a failure begins, and how the lines about it end.
const FORMS: [(&str, &str); 5] = [
    // Node's TAP: a YAML block.
    (r"^\s*not ok ", r"^\s*\.\.\.$"),
    // cargo: what a test printed, up to the backtrace or the note about it.
    (r"^\s*---- ", r"^\s*(stack backtrace:|note: run with)"),
    // Playwright: up to the counts.
    (r"^\s*\d+\) \[", r"^\s*\d+ (failed|flaky)$"),
    // rustc, clippy, vitest and schemathesis: up to a blank line.
    (r"^error(: |\[)|^\s*(FAIL |<failure)", r"^\s*$"),
    // cargo's line about a test: nothing belongs to it.
    (r"^\s*test .* \.\.\. FAILED$", ""),
];

/// The lines about failures; if none is recognized, the last lines.
pub fn explain(lines: &[String]) -> Vec<String> {
    match find(lines) {
        Ok(found) if found.is_empty() => lines.iter().skip(lines.len().saturating_sub(TAIL)).cloned().collect(),
        Ok(found) => found.into_iter().map(str::to_owned).collect(),
        Err(error) => vec![error.to_string()],
    }
}

fn find(lines: &[String]) -> Result<Vec<&str>, Error> {
    let forms = FORMS.iter().map(|(begin, end)| Ok((Regex::new(begin)?, Regex::new(end)?)));
    let forms = forms.collect::<Result<Vec<_>, Error>>()?;
    let end_of = |line: &str| forms.iter().find(|(begin, _)| begin.is_match(line)).map(|(_, end)| end);
    let count = lines.iter().filter(|line| end_of(line).is_some()).count();
    let longest = (MOST_LINES / count.max(1)).clamp(SHORTEST, LONGEST);
    let mut found = Vec::new();
    // The end of the current failure, and how many of its lines may still be taken.
    let mut rest: Option<(&Regex, usize)> = None;
    for line in lines {
        if let Some(end) = end_of(line) {
            found.push(line.as_str());
            rest = (!end.as_str().is_empty()).then_some((end, longest));
        } else if let Some((end, left)) = rest {
            found.push(line);
            rest = (!end.is_match(line) && left > 1).then(|| (end, left.saturating_sub(1)));
        }
    }
    Ok(found)
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
        explain(&printed.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_failure_of_node_is_told_to_the_end_of_its_block() {
        let printed = "ok 1 - looks\n  ---\n  duration_ms: 1\n  ...\nnot ok 2 - buys\n  ---\n  error: 'no button'\n  ...\nok 3 - leaves";
        assert_eq!(of(printed), ["not ok 2 - buys", "  ---", "  error: 'no button'", "  ..."]);
    }

    #[test]
    fn a_failure_of_cargo_is_told_with_what_the_test_printed() {
        let printed = "test money::sum ... ok\ntest money::tax ... FAILED\n\nfailures:\n\n---- money::tax stdout ----\n\n\
            thread 'money::tax' panicked at money.rs:7:5:\nleft: 1\nstack backtrace:\n   0: begin\n";
        let expected = [
            "test money::tax ... FAILED",
            "---- money::tax stdout ----",
            "",
            "thread 'money::tax' panicked at money.rs:7:5:",
            "left: 1",
            "stack backtrace:",
        ];
        assert_eq!(of(printed), expected);
    }

    #[test]
    fn a_failure_of_playwright_is_told_up_to_the_counts() {
        let printed = "  ✓  1 [browser] › e2e/a.e2e.mjs:3:1 › looks (1.0s)\n  1) [browser] › e2e/a.e2e.mjs:9:1 › buys ───\n\n\
            \x20   Error: no button\n\n  1 failed\n    [browser] › e2e/a.e2e.mjs:9:1 › buys\n  1 passed (2.0s)";
        let expected = ["  1) [browser] › e2e/a.e2e.mjs:9:1 › buys ───", "", "    Error: no button", "", "  1 failed"];
        assert_eq!(of(printed), expected);
    }

    #[test]
    fn flaky_tests_are_listed() {
        let printed = "  1) [browser] › a › looks ──\n\n  1 flaky\n    [browser] › a › looks ──\n  2 passed (2.0s)";
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        assert_eq!(flaky(&lines), ["[browser] › a › looks ──"]);
    }

    #[test]
    fn a_compile_error_is_told_with_its_place() {
        let printed =
            "   Compiling server v0.1.0\nerror[E0425]: cannot find value `x`\n --> a.rs:1:1\n\nwarning: unused";
        assert_eq!(of(printed), ["error[E0425]: cannot find value `x`", " --> a.rs:1:1", ""]);
    }

    #[test]
    fn a_long_failure_is_cut() {
        let printed = format!(" FAIL  cart.test.ts > adds\n{}", "a line\n".repeat(100));
        assert_eq!(of(&printed).len(), 1 + LONGEST);
        assert_eq!(of(&printed.repeat(60)).len(), 60 * (1 + SHORTEST), "each of many failures is named");
    }

    #[test]
    fn the_last_lines_explain_a_failure_of_unknown_form() {
        let printed = format!("{}the disk is full", "a line\n".repeat(100));
        let lines = of(&printed);
        assert_eq!((lines.len(), lines.last().map(String::as_str)), (TAIL, Some("the disk is full")));
    }
}
