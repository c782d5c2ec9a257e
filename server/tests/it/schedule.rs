//! `nudgelight schedule`, with the real binary: output, error messages and exit codes.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::harness::Folder;

const FILE: &str = "timezone = America/New_York\n\
                    on    07:00-07:30  mon-fri\n\
                    blink 09:00 for 30s weekdays 200ms/800ms 40%\n";

struct CommandResult {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

/// Runs the command in a folder that contains `text` as `schedule.txt`. Standard input is the same text.
fn schedule(text: &str, arguments: &[&str]) -> CommandResult {
    let folder = Folder::new();
    std::fs::write(folder.path().join("schedule.txt"), text).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_nudgelight"))
        .arg("schedule")
        .args(arguments)
        .current_dir(folder.path())
        // The command reads no settings, so an invalid one must not matter.
        .env("SHOP_ADDR", "nowhere")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Writing fails if the command ends without reading its input.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    let output = child.wait_with_output().unwrap();
    CommandResult {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

#[test]
fn check_says_nothing_about_a_good_file_and_ends_with_0() {
    let result = schedule(FILE, &["check", "schedule.txt"]);
    assert_eq!((result.stdout.as_str(), result.stderr.as_str(), result.code), ("", "", Some(0)));
}

#[test]
fn check_names_file_line_and_column_of_each_mistake_and_ends_with_1() {
    let result = schedule("on 07:00-07:30 wekdays\nblik 09:00 for 30s\n", &["check", "schedule.txt"]);
    let lines: Vec<&str> = result.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", result.stdout);
    assert!(lines[0].starts_with("schedule.txt:1:1: warning: no time zone is set"), "{}", lines[0]);
    assert!(lines[1].starts_with("schedule.txt:1:16: error: "), "{}", lines[1]);
    assert!(lines[1].ends_with("did you mean `weekdays`?"), "{}", lines[1]);
    assert!(lines[2].starts_with("schedule.txt:2:1: error: "), "{}", lines[2]);
    assert_eq!(result.code, Some(1));
}

#[test]
fn warnings_alone_end_with_0() {
    let result = schedule("on 07:00-07:30\n", &["check", "schedule.txt"]);
    assert!(result.stdout.starts_with("schedule.txt:1:1: warning: "), "{}", result.stdout);
    assert_eq!(result.code, Some(0));
}

#[test]
fn a_minus_is_standard_input() {
    let result = schedule("onn 07:00-07:30\n", &["check", "-"]);
    assert!(result.stdout.contains("-:1:1: error: "), "{}", result.stdout);
    assert_eq!(result.code, Some(1));
    let result = schedule(FILE, &["at", "-", "2026-11-27T07:15:00"]);
    assert_eq!(result.stdout, "on 100%\n");
}

#[test]
fn at_prints_a_line_for_each_time_local_or_with_an_offset() {
    let times = [
        "2026-11-27T09:00:05",
        "2026-11-27T14:00:05Z",
        "2026-11-27T15:00:05+01:00",
        "2026-11-27T07:15",
        "2026-11-28T09:00:05",
    ];
    let result = schedule(FILE, &[&["at", "schedule.txt"][..], &times].concat());
    let blinks = "blink 200/800 40%";
    assert_eq!(result.stdout.lines().collect::<Vec<_>>(), [blinks, blinks, blinks, "on 100%", "off"]);
    assert_eq!(result.code, Some(0));
}

#[test]
fn next_prints_the_instant_with_its_offset_and_the_new_light() {
    let next = |time: &str| schedule(FILE, &["next", "schedule.txt", time]).stdout;
    assert_eq!(next("2026-11-27T07:15:00"), "2026-11-27T07:30:00-05:00 off\n");
    assert_eq!(next("2026-11-27T13:00:00Z"), "2026-11-27T09:00:00-05:00 blink 200/800 40%\n");
    assert_eq!(next("2027-03-13T12:00:00"), "2027-03-15T07:00:00-04:00 on 100%\n");
    assert_eq!(schedule("timezone = UTC\n", &["next", "schedule.txt", "2026-11-27T09:00:05"]).stdout, "none\n");
}

#[test]
fn preview_draws_a_week_with_the_hour_that_is_skipped_left_out() {
    let result = schedule(FILE, &["preview", "schedule.txt", "--week", "--from", "2027-03-13"]);
    let lines: Vec<&str> = result.stdout.lines().collect();
    assert_eq!(lines[1], format!("Sat 2027-03-13  {}", ".".repeat(48)));
    assert_eq!(lines[2], format!("Sun 2027-03-14  ....  {}", ".".repeat(42)));
    assert_eq!(lines[3], format!("Mon 2027-03-15  {}#...*{}", ".".repeat(14), ".".repeat(29)));
    assert_eq!(lines[9], "# on  * blinks  . off  (America/New_York)");
    assert_eq!(result.code, Some(0));
}

#[test]
fn a_preview_without_a_date_begins_today() {
    let result = schedule(FILE, &["preview", "schedule.txt", "--week"]);
    assert_eq!(result.stdout.lines().filter(|line| line.contains("20")).count(), 7, "{}", result.stdout);
    assert_eq!(result.code, Some(0));
}

#[test]
fn an_answer_about_a_file_with_mistakes_has_them_beside_it() {
    let result = schedule(&format!("{FILE}nonsense\n"), &["at", "schedule.txt", "2026-11-27T07:15"]);
    assert_eq!(result.stdout, "on 100%\n");
    assert!(result.stderr.starts_with("schedule.txt:4:1: error: "), "{}", result.stderr);
    assert_eq!(result.code, Some(0));
}

#[test]
fn a_file_or_a_time_that_cannot_be_read_ends_with_2() {
    for arguments in [
        &["check", "missing.txt"][..],
        &["check", "."],
        &["at", "schedule.txt", "soon"],
        &["at", "schedule.txt"],
        &["next", "schedule.txt", "2026-13-01T00:00"],
        &["preview", "schedule.txt", "--from", "monday"],
    ] {
        let result = schedule(FILE, arguments);
        assert_eq!((result.stdout.as_str(), result.code), ("", Some(2)), "{arguments:?}");
        assert!(result.stderr.starts_with("error: "), "{}", result.stderr);
    }
}
