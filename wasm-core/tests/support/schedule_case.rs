//! Runner of a schedule file against its expectations, one a line. Blank lines and lines that begin with `#` are
//! skipped.
//!
//! | line | meaning |
//! |---|---|
//! | `error 3:16-23 unknown-word -> on 07:00-07:30 weekdays` | line 3, characters 16 up to but excluding 23, and the line after the suggested fix |
//! | `rules 5` | number of valid rules |
//! | `wifi Home Network` | value of a setting; also `password`, `timezone`, `time-server` |
//! | `shows on 07:00-07:30 weekdays` | normalized rules, one a line, in order |
//! | `at 2026-11-27T09:00:05 on 100%` | the light at a local time, or at an instant |
//! | `line 2026-11-27T09:00:05 3` | line of the active rule; 0 without one |
//! | `lit 2026-11-27T09:00:05.250 40` | the brightness at a millisecond: 0 is dark |
//! | `next 2026-11-27T09:00:05 2026-11-27T09:00:30-05:00 off` | the next change, or `none` |
//!
//! Every diagnostic must be expected, in the order of the lines.

use wasm_core::schedule::{self, Diagnostic, Moment, Schedule};

/// Runs the case and returns the differences.
pub fn differences(file: &[u8], expectations: &str) -> Vec<String> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let schedule = schedule::parse(file, &mut |diagnostic| found.push(diagnostic));
    found.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
    let lines = || expectations.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let of_kind = |kinds: &[&str]| -> Vec<String> {
        let is_kind = |line: &&str| kinds.contains(&line.split(' ').next().unwrap_or_default());
        lines().filter(is_kind).map(str::to_owned).collect()
    };

    let mut differences = Vec::new();
    let mut compare = |expected: Vec<String>, actual: Vec<String>| {
        if expected != actual {
            differences.push(format!("expected\n{}\ngot\n{}", expected.join("\n"), actual.join("\n")));
        }
    };
    compare(of_kind(&["error", "warning"]), found.iter().map(|diagnostic| show(file, diagnostic)).collect());
    let shown = schedule.rules().iter().map(|rule| format!("shows {}", schedule.display_rule(rule)));
    let expected = of_kind(&["shows"]);
    if !expected.is_empty() {
        compare(expected, shown.collect());
    }
    for line in lines().filter(|line| !["error", "warning", "shows"].contains(&line.split(' ').next().unwrap())) {
        compare(vec![line.to_owned()], vec![answer(&schedule, line).trim_end().to_owned()]);
    }
    differences
}

/// A diagnostic in the format of the expectations.
fn show(file: &[u8], diagnostic: &Diagnostic) -> String {
    let Diagnostic { line, column, end_column, problem, .. } = diagnostic;
    let place = format!("{} {line}:{column}-{end_column} {}", diagnostic.severity(), problem.code());
    let Some(suggestion) = &diagnostic.suggestion else { return place };
    let mut mended = file[..suggestion.span.start].to_vec();
    mended.extend_from_slice(suggestion.replacement.as_str().as_bytes());
    mended.extend_from_slice(&file[suggestion.span.end..]);
    let mended = String::from_utf8_lossy(&mended).into_owned();
    let text = mended.lines().nth(usize::from(*line) - 1).unwrap_or_default();
    format!("{place} -> {}", text.trim_start_matches('\u{feff}').trim_end())
}

/// The line of an expectation with the actual value.
fn answer(schedule: &Schedule, line: &str) -> String {
    let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
    let zone = schedule.time_zone();
    let (moment, _) = rest.split_once(' ').unwrap_or((rest, ""));
    let at = || Moment::parse(moment).unwrap_or_else(|| panic!("no moment: {line}"));
    match kind {
        "rules" => format!("rules {}", schedule.rules().len()),
        "wifi" => format!("wifi {}", schedule.network().wifi().unwrap_or_default()),
        "password" => format!("password {}", schedule.network().password().unwrap_or_default()),
        "time-server" => format!("time-server {}", schedule.network().time_server().unwrap_or_default()),
        "timezone" => format!("timezone {}", zone.name()),
        "at" => format!("at {moment} {}", schedule.light_at(at().local(zone))),
        "lit" => format!("lit {moment} {}", schedule.brightness_at(at().local(zone))),
        "line" => {
            let decides = schedule.active_rule(at().local(zone));
            format!("line {moment} {}", decides.map_or(0, |decides| decides.rule.line))
        }
        "next" => match schedule.next_change(at().instant(zone)) {
            Some(change) => format!("next {moment} {} {}", zone.format(change.at), change.light),
            None => format!("next {moment} none"),
        },
        _ => panic!("no such expectation: {line}"),
    }
}
