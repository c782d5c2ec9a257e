//! Which tests failed, with what was said about each: printed once more behind everything, where it is looked for.

/// More about one failure is in the run itself.
const LONGEST: usize = 40;

/// The lines that tell of failed tests, in the words of whichever runner printed them: cargo (`test NAME ... FAILED`
/// and what the test printed), Node's TAP (`not ok`, to the end of its block), vitest (` FAIL `), schemathesis
/// (`<failure`).
pub fn told(lines: &[String]) -> Vec<&str> {
    let mut told = Vec::new();
    // Whether lines belong to the last failure, and until which line.
    let mut rest: Option<(End, usize)> = None;
    for line in lines {
        let text = line.trim_start();
        if let Some(end) = begins(text) {
            told.push(line.as_str());
            rest = end.map(|end| (end, LONGEST));
        } else if let Some((end, left)) = rest {
            told.push(line);
            rest = (!end.is(text) && left > 1).then(|| (end, left.saturating_sub(1)));
        }
    }
    told
}

/// The files in which Node's runner says that tests failed, each once.
pub fn files(lines: &[String]) -> Vec<String> {
    let mut files: Vec<String> = told(lines)
        .into_iter()
        .filter_map(|line| line.trim_start().strip_prefix("location: '")?.split_once(':'))
        .map(|(path, _)| path.to_owned())
        .collect();
    files.sort();
    files.dedup();
    files
}

/// What closes the lines about a failure.
#[derive(Clone, Copy)]
enum End {
    /// Node closes the block behind a result with three dots.
    Dots,
    /// Cargo shows the way to a panic, or how to have it shown, behind what a test printed.
    Backtrace,
    /// Elsewhere a blank line follows.
    Blank,
}

impl End {
    fn is(self, text: &str) -> bool {
        match self {
            Self::Dots => text == "...",
            Self::Backtrace => text.starts_with("stack backtrace:") || text.starts_with("note: run with"),
            Self::Blank => text.is_empty(),
        }
    }
}

/// Whether a line tells of a failure, and what closes what follows it, if that is about it too.
fn begins(text: &str) -> Option<Option<End>> {
    if text.starts_with("not ok ") {
        return Some(Some(End::Dots));
    }
    if text.starts_with("---- ") {
        return Some(Some(End::Backtrace));
    }
    if text.starts_with("FAIL ") || text.starts_with("<failure") {
        return Some(Some(End::Blank));
    }
    (text.starts_with("test ") && text.ends_with(" ... FAILED")).then_some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(printed: &str) -> Vec<String> {
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        told(&lines).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn a_failure_of_node_is_told_to_the_end_of_its_block() {
        let printed = "ok 1 - looks\n  ---\n  duration_ms: 1\n  ...\nnot ok 2 - buys\n  ---\n  error: 'no button'\n  ...\nok 3 - leaves";
        assert_eq!(of(printed), ["not ok 2 - buys", "  ---", "  error: 'no button'", "  ..."]);
    }

    #[test]
    fn the_files_of_failed_tests_are_known() {
        let printed = "    not ok 1 - buys\n      ---\n      location: '/shop/e2e/buy.e2e.mjs:29:3'\n      ...\n\
            not ok 2 - a light\n  ---\n  location: '/shop/e2e/buy.e2e.mjs:26:1'\n  ...\n\
            ok 3 - looks\n  ---\n  location: '/shop/e2e/look.e2e.mjs:1:1'\n  ...";
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        assert_eq!(files(&lines), ["/shop/e2e/buy.e2e.mjs"]);
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
    fn a_long_failure_is_cut() {
        let printed = format!(" FAIL  cart.test.ts > adds\n{}", "a line\n".repeat(100));
        assert_eq!(of(&printed).len(), 1 + LONGEST);
    }

    #[test]
    fn what_passed_is_not_told() {
        assert_eq!(of("ok 1 - buys\ntest money::sum ... ok\n ✓ cart.test.ts (3 tests)"), [""; 0]);
    }
}
