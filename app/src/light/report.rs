//! The light's report in plain words.

use serde::Serialize;
use wasm_core::schedule::Severity;
use wasm_core::status::{
    DeviceLine, Line, MomentLine, ProblemLine, ReloadError, ScheduleLine, StartReason, WifiLine, WifiStatus,
};

/// Whether a statement needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Tone {
    Good,
    /// Something to know.
    Note,
    /// The light doesn't do what was asked.
    Bad,
}

/// A line of the report in plain words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Statement {
    pub tone: Tone,
    pub message: String,
    /// What to do. Every statement that isn't good has one.
    pub fix: Option<String>,
}

/// The content of `STATUS.TXT`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LightReport {
    /// Version of the firmware that runs.
    pub version: String,
    pub serial: String,
    pub statements: Vec<Statement>,
}

/// Reads a report. `None` if the file isn't that of a light.
#[must_use]
pub fn read_report(text: &str) -> Option<LightReport> {
    let mut lines = text.lines().map(str::trim_end);
    let Some(Line::Device(DeviceLine { version, serial })) = lines.next().and_then(Line::parse) else { return None };
    let statements = lines.filter(|line| !line.is_empty()).map(statement_of).collect();
    Some(LightReport { version: version.to_owned(), serial: serial.to_owned(), statements })
}

fn statement_of(line: &str) -> Statement {
    match Line::parse(line) {
        Some(line) => statement(line),
        // Newer firmware.
        None => Statement::note(format!("Your light says: {line}"), "Reload this page to get its newest version."),
    }
}

impl Statement {
    fn good(message: impl Into<String>) -> Self {
        Self { tone: Tone::Good, message: message.into(), fix: None }
    }

    fn note(message: impl Into<String>, fix: &str) -> Self {
        Self { tone: Tone::Note, message: message.into(), fix: Some(fix.to_owned()) }
    }

    fn bad(message: impl Into<String>, fix: &str) -> Self {
        Self { tone: Tone::Bad, message: message.into(), fix: Some(fix.to_owned()) }
    }
}

fn statement(line: Line<'_>) -> Statement {
    match line {
        Line::Device(DeviceLine { version, .. }) => Statement::good(format!("The light runs firmware {version}.")),
        Line::Problem(problem) => about_problem(problem),
        Line::Omitted(count) => {
            let message = format!("The report has no room for {} more.", counted(count.into(), "problem"));
            Statement::bad(message, "Correct the lines above, and save again.")
        }
        Line::Schedule(ScheduleLine::Rejected(error)) => about_rejection(error),
        Line::Schedule(ScheduleLine::Loaded { rules, errors, .. }) => about_schedule(rules, errors),
        Line::Wifi(wifi) => about_wifi(wifi),
        // The light writes the report when it starts, before it is on the network.
        Line::Time(None) => Statement::note(
            "The light didn’t know the time yet when it wrote this report. Until it does, your schedule is paused.",
            "There’s nothing to do, unless the lamp shows three dim flashes every 10 s. Then allow outgoing UDP port 123 on your network, or set a time server.",
        ),
        Line::Time(Some(MomentLine { at, zone, .. })) => {
            Statement::good(format!("The light’s clock says {at} in {zone}."))
        }
        Line::Start(reason) => about_start(reason),
        Line::Previous(line) => {
            let Statement { tone, message, fix } = statement_of(line);
            Statement { tone, message: format!("Before its last start, the light reported: {message}"), fix }
        }
    }
}

fn about_problem(problem: ProblemLine<&str>) -> Statement {
    let ProblemLine { line, severity, message, .. } = problem;
    let message = message.replace('`', "");
    let end = if message.ends_with('?') { "" } else { "." };
    match severity {
        Severity::Error => Statement::bad(
            format!("Line {line} is skipped: {message}{end}"),
            "Correct the line in the Lab, and save again.",
        ),
        Severity::Warning => Statement::note(
            format!("Line {line} may not do what you meant: {message}{end}"),
            "Check the line in the Lab. If it’s right, there’s nothing to do.",
        ),
    }
}

fn about_schedule(rules: u8, errors: u16) -> Statement {
    let active = format!("Your schedule is active with {}", counted(rules.into(), "rule"));
    match (rules, errors) {
        (0, _) => Statement::note(
            "Your schedule is active but has no rules, so the light stays off.",
            "Add a rule in the Lab, and save again.",
        ),
        (_, 0) => Statement::good(format!("{active}.")),
        (_, errors) => {
            let skipped = counted(errors.into(), "line");
            Statement::bad(format!("{active}, and {skipped} skipped."), "Correct the lines above, and save again.")
        }
    }
}

fn about_rejection(error: ReloadError) -> Statement {
    let (reason, fix) = match error {
        ReloadError::Missing => ("SCHEDULE.TXT is missing", "Save your schedule again."),
        ReloadError::Empty => ("SCHEDULE.TXT is empty", "Save your schedule again."),
        ReloadError::PartiallyWritten => (
            "SCHEDULE.TXT is incomplete, because the light was unplugged during the save",
            "Save your schedule again, and eject the drive before you unplug the light.",
        ),
        ReloadError::NoValidRules(_) => {
            ("SCHEDULE.TXT has errors and no valid rule", "Correct the lines above, and save again.")
        }
        ReloadError::UnreadableDrive => (
            "The light can’t read its drive",
            "Copy your own files from the drive, format it as FAT, and save your schedule again.",
        ),
    };
    Statement::bad(format!("{reason}. The light follows the last good schedule."), fix)
}

fn about_wifi(wifi: WifiLine<'_>) -> Statement {
    let network = wifi.network;
    match wifi.status {
        WifiStatus::NoRadio => {
            Statement::note("This board has no Wi-Fi.", "Use a board with Wi-Fi, or set the time over its serial line.")
        }
        WifiStatus::Disabled => Statement::bad(
            "Wi-Fi is off, because the light crashed repeatedly.",
            "Unplug the light, and plug it in again.",
        ),
        WifiStatus::NotConfigured => Statement::bad(
            "Wi-Fi isn’t set up, so the light can’t get the time.",
            "Enter your Wi-Fi network and its password, and save again.",
        ),
        WifiStatus::Connecting => Statement::note(
            format!("The light was connecting to “{network}” when it wrote this report."),
            "There’s nothing to do, unless the lamp shows two dim flashes every 10 s. Then check the network and the password.",
        ),
        WifiStatus::JoinFailed => Statement::bad(
            format!("The light can’t connect to “{network}”."),
            "Check the name and the password. The network must be in range and use 2.4 GHz.",
        ),
        WifiStatus::Connected => Statement::good(format!("The light is connected to “{network}”.")),
    }
}

fn about_start(reason: StartReason) -> Statement {
    match reason {
        StartReason::PowerOn => Statement::good("The light started normally."),
        StartReason::Watchdog => Statement::bad(
            "The light restarted, because its firmware stopped responding.",
            "Update your light. If it happens again, contact us.",
        ),
        StartReason::Panic(code) => Statement::bad(
            format!("The light restarted after a crash with the code {code}."),
            "Update your light. If it happens again, contact us with this code.",
        ),
    }
}

fn counted(count: u64, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        count => format!("{count} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use wasm_core::status::PanicCode;

    use super::*;

    /// Every line that the firmware can write about its state. A status without a message doesn't compile.
    fn every_status() -> Vec<String> {
        let wifi = |status| Line::Wifi(WifiLine { status, network: "Home" });
        let lines = [
            Line::Omitted(2),
            Line::Time(None),
            Line::Schedule(ScheduleLine::Loaded { rules: 0, errors: 0, warnings: 0 }),
            Line::Schedule(ScheduleLine::Loaded { rules: 2, errors: 1, warnings: 0 }),
            Line::Start(StartReason::Panic(PanicCode { file: 0x3F2A, line: 117 })),
        ];
        let lines = lines.into_iter().chain(WifiStatus::all().map(wifi)).chain(StartReason::all().map(Line::Start));
        let rejected = ReloadError::all().map(|error| Line::Schedule(ScheduleLine::Rejected(error)));
        lines.chain(rejected).map(|line| line.to_string()).collect()
    }

    #[test]
    fn every_status_has_a_message_of_its_own_and_what_is_not_good_has_a_fix() {
        let mut messages = Vec::new();
        for line in every_status() {
            let Statement { tone, message, fix } = statement_of(&line);
            assert!(!message.starts_with("Your light says"), "no message for: {line}");
            assert!(message.ends_with('.') && fix.iter().all(|fix| fix.ends_with('.')), "{message} {fix:?}");
            assert_eq!(fix.is_none(), tone == Tone::Good, "{line}: {message}");
            messages.push(message);
        }
        let count = messages.len();
        messages.sort();
        messages.dedup();
        assert_eq!(messages.len(), count, "two statuses have the same message");
    }

    #[test]
    fn a_report_is_read_line_by_line() {
        let text = "Nudgelight 0.1.0+3f2a9c1d, serial number E6614103E7452D2F\r\n\r\n\
            SCHEDULE.TXT line 2, column 1: error: unknown; did you mean `blink`?\r\n\
            SCHEDULE.TXT not loaded: the file has 1 error and no valid rules. The last good schedule is still active.\r\n\
            \r\nWi-Fi: connecting to \"Home\"\r\nTime: not known yet, so the schedule is paused\r\nStart: plugged in\r\n\
            Before this start: Wi-Fi: can't connect to \"Home\": out of range or wrong password\r\nNew: line\r\n";
        let report = read_report(text).unwrap();
        assert_eq!((report.version.as_str(), report.serial.as_str()), ("0.1.0+3f2a9c1d", "E6614103E7452D2F"));
        let said: Vec<&str> = report.statements.iter().map(|said| said.message.as_str()).collect();
        let expected = [
            "Line 2 is skipped: unknown; did you mean blink?",
            "SCHEDULE.TXT has errors and no valid rule. The light follows the last good schedule.",
            "The light was connecting to “Home” when it wrote this report.",
            "The light didn’t know the time yet when it wrote this report. Until it does, your schedule is paused.",
            "The light started normally.",
            "Before its last start, the light reported: The light can’t connect to “Home”.",
            "Your light says: New: line",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn another_file_is_no_report() {
        for text in ["", "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\n", "\r\nNudgelight 1, serial number 2\r\n"]
        {
            assert_eq!(read_report(text), None, "{text}");
        }
    }
}
