//! A rule under construction in the rule form.

use std::fmt::Write as _;

use super::parsed_text::ParsedText;

/// The three kinds of timing in the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// `09:00-17:00`
    #[default]
    Between,
    /// `09:00 for 10s`
    At,
    /// `every 30m 09:00-17:00 for 10s`
    Every,
}

impl Timing {
    pub const ALL: [Self; 3] = [Self::Between, Self::At, Self::Every];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Between => "between",
            Self::At => "at",
            Self::Every => "every",
        }
    }

    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Between => "between two times",
            Self::At => "at a time",
            Self::Every => "repeatedly",
        }
    }

    #[must_use]
    pub fn from_value(value: &str) -> Self {
        Self::ALL.into_iter().find(|timing| timing.as_str() == value).unwrap_or_default()
    }
}

/// The form's values, in the grammar's notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDraft {
    pub action: String,
    pub timing: Timing,
    pub start: String,
    pub end: String,
    pub every: String,
    pub length: String,
    /// Empty for every day.
    pub days: String,
    /// Only for `blink`.
    pub speed: String,
    /// In percent. Not for `off`.
    pub brightness: String,
}

impl Default for RuleDraft {
    fn default() -> Self {
        let [action, start, end, every, length, days, speed, brightness] =
            ["blink", "09:00", "17:00", "30m", "10s", "weekdays", "slow", "100"].map(str::to_owned);
        Self { action, timing: Timing::default(), start, end, every, length, days, speed, brightness }
    }
}

impl RuleDraft {
    /// The rule as a line of the schedule.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { action, start, end, every, length, .. } = self;
        let mut line = match self.timing {
            Timing::Between => format!("{action} {start}-{end}"),
            Timing::At => format!("{action} {start} for {length}"),
            Timing::Every => format!("{action} every {every} {start}-{end} for {length}"),
        };
        let blinks = action == "blink";
        let brightness = if action == "off" || self.brightness.trim() == "100" {
            String::new()
        } else {
            format!("{}%", self.brightness.trim())
        };
        let speed = if blinks && self.speed != "slow" { self.speed.as_str() } else { "" };
        for part in [self.days.as_str(), speed, brightness.as_str()] {
            if !part.is_empty() {
                // Writing to a String is infallible.
                let _ = write!(line, " {part}");
            }
        }
        line
    }

    /// The validated line, or an error message.
    pub fn checked(&self) -> Result<String, String> {
        let line = self.line();
        let file = format!("timezone = UTC\n{line}");
        match ParsedText::of(&file).problems.into_iter().next() {
            None => Ok(line),
            Some(problem) => Err(problem.message),
        }
    }
}

/// The grammar's names of the days.
pub(super) const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// The selected days in the grammar's shortest notation. None means every day, and so do all.
pub(super) fn days(chosen: &[bool; 7]) -> String {
    let named: Vec<&str> = DAYS.into_iter().zip(chosen).filter(|(_, chosen)| **chosen).map(|(day, _)| day).collect();
    match named.as_slice() {
        ["mon", "tue", "wed", "thu", "fri"] => "weekdays".to_owned(),
        ["sat", "sun"] => "weekends".to_owned(),
        named if named.len() == DAYS.len() => String::new(),
        named => named.join(","),
    }
}

/// Appends a line to the text. Returns the text and the cursor at the line's end.
#[must_use]
pub(super) fn with_line(text: &str, line: &str) -> (String, usize) {
    let between = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let text = format!("{text}{between}{line}\n");
    let end = text.len().saturating_sub(1);
    (text, end)
}

#[cfg(test)]
mod tests {
    use super::{RuleDraft, Timing, days, with_line};

    #[test]
    fn days_are_named_as_shortly_as_the_grammar_can() {
        let on = [true; 7];
        let off = [false; 7];
        assert_eq!([days(&on), days(&off)], ["", ""]);
        assert_eq!(days(&[true, true, true, true, true, false, false]), "weekdays");
        assert_eq!(days(&[false, false, false, false, false, true, true]), "weekends");
        assert_eq!(days(&[true, false, true, false, false, false, false]), "mon,wed");
    }

    #[test]
    fn what_was_chosen_becomes_the_line_somebody_would_write() {
        let draft = RuleDraft::default();
        assert_eq!(draft.line(), "blink 09:00-17:00 weekdays");
        let every = RuleDraft { timing: Timing::Every, speed: "fast".to_owned(), ..draft.clone() };
        assert_eq!(every.line(), "blink every 30m 09:00-17:00 for 10s weekdays fast");
        let on = RuleDraft {
            action: "on".to_owned(),
            timing: Timing::At,
            days: String::new(),
            speed: "fast".to_owned(),
            brightness: "40".to_owned(),
            ..draft
        };
        assert_eq!(on.line(), "on 09:00 for 10s 40%");
        assert_eq!(RuleDraft { action: "off".to_owned(), ..on }.line(), "off 09:00 for 10s");
    }

    #[test]
    fn every_choice_that_is_filled_in_rightly_is_a_good_rule_and_others_say_why_not() {
        for timing in Timing::ALL {
            for action in ["on", "blink", "off"] {
                let draft = RuleDraft { action: action.to_owned(), timing, ..RuleDraft::default() };
                assert_eq!(draft.checked(), Ok(draft.line()));
            }
        }
        let draft = RuleDraft { end: "09:00".to_owned(), ..RuleDraft::default() };
        assert_eq!(draft.checked().unwrap_err(), "Start and end are the same.");
    }

    #[test]
    fn a_line_is_put_below_all_others() {
        assert_eq!(with_line("", "on").0, "on\n");
        assert_eq!(with_line("a", "on").0, with_line("a\n", "on").0);
    }
}
