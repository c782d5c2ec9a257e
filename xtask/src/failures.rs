//! Failed tests and error messages in the output of the test runners and compilers.

/// Lines that one failure may take, and all of them together. The log file has the rest.
const LONGEST: usize = 40;
const MOST_LINES: usize = 130;
/// Lines of each failure if there are many.
const SHORTEST: usize = 3;
/// Lines shown of output in which no failure is recognized.
const TAIL: usize = 30;

/// The lines about failures; if none is recognized, the last lines.
pub fn explain(lines: &[String]) -> Vec<String> {
    let count = lines.iter().filter(|line| begins(line, line.trim_start()).is_some()).count();
    let found = find(lines, (MOST_LINES / count.max(1)).clamp(SHORTEST, LONGEST));
    if !found.is_empty() {
        return found.into_iter().map(str::to_owned).collect();
    }
    lines.iter().skip(lines.len().saturating_sub(TAIL)).cloned().collect()
}

/// The lines about failures, as printed by cargo (`test NAME ... FAILED` and the captured output), rustc and clippy
/// (`error`), Node's TAP (`not ok`), Playwright (`1) [project] ›`), vitest (` FAIL `) and schemathesis (`<failure`).
fn find(lines: &[String], longest: usize) -> Vec<&str> {
    let mut found = Vec::new();
    // The end marker of the current failure, and how many of its lines may still be taken.
    let mut rest: Option<(End, usize)> = None;
    for line in lines {
        let text = line.trim_start();
        if let Some(end) = begins(line, text) {
            found.push(line.as_str());
            rest = end.map(|end| (end, longest));
        } else if let Some((end, left)) = rest {
            found.push(line);
            rest = (!end.is(text) && left > 1).then(|| (end, left.saturating_sub(1)));
        }
    }
    found
}

/// The tests of Playwright that passed on a retry.
pub fn flaky(lines: &[String]) -> Vec<&str> {
    let listed = lines.iter().skip_while(|line| !line.trim_end().ends_with(" flaky") || !is_count(line.trim_start()));
    listed.skip(1).take_while(|line| line.trim_start().starts_with('[')).map(|line| line.trim()).collect()
}

/// Whether a line reports a passed test, in the form of any of the runners.
pub fn is_passed_test(line: &str) -> bool {
    let text = line.trim_start();
    (text.starts_with("test ") && text.ends_with(" ... ok")) || text.starts_with("ok ") || text.starts_with("✓ ")
}

/// The marker that ends the lines about a failure.
#[derive(Clone, Copy)]
enum End {
    /// Three dots end a YAML block in Node's TAP.
    Dots,
    /// The backtrace, or cargo's note about it, follows a panic message.
    Backtrace,
    /// The counts follow Playwright's failures.
    Counts,
    /// Elsewhere a blank line.
    Blank,
}

impl End {
    fn is(self, text: &str) -> bool {
        match self {
            Self::Dots => text == "...",
            Self::Backtrace => text.starts_with("stack backtrace:") || text.starts_with("note: run with"),
            Self::Counts => is_count(text),
            Self::Blank => text.is_empty(),
        }
    }
}

/// `2 failed`, as Playwright prints it.
fn is_count(text: &str) -> bool {
    let (number, word) = text.split_once(' ').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && ["failed", "flaky"].contains(&word)
}

/// Whether a line begins a failure, and the marker that ends it if more lines belong to it.
fn begins(line: &str, text: &str) -> Option<Option<End>> {
    if text.starts_with("not ok ") {
        return Some(Some(End::Dots));
    }
    if text.starts_with("---- ") {
        return Some(Some(End::Backtrace));
    }
    if text.split_once(") [").is_some_and(|(number, _)| number.parse::<u32>().is_ok()) {
        return Some(Some(End::Counts));
    }
    let is_error = ["error: ", "error["].iter().any(|start| line.starts_with(start));
    if is_error || text.starts_with("FAIL ") || text.starts_with("<failure") {
        return Some(Some(End::Blank));
    }
    (text.starts_with("test ") && text.ends_with(" ... FAILED")).then_some(None)
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

    #[test]
    fn passed_tests_of_all_runners_are_counted() {
        let passed =
            ["test money::sum ... ok", "ok 1 - buys", "    ok 2 - buys", "  ✓  1 [browser] › buys", " ✓ cart.test.ts"];
        assert!(passed.into_iter().all(is_passed_test));
        assert!(!is_passed_test("test money::sum ... FAILED") && !is_passed_test("not ok 2 - buys"));
    }
}
