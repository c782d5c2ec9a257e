//! Short messages about mistakes, for people who write a schedule in the browser. The device's report has its own, in
//! `wasm_core::schedule::Problem`.

use wasm_core::schedule::Problem;

/// The problem in about six words. `text` is the part of the line that it is about.
pub(crate) fn explain(problem: Problem, text: &str) -> String {
    let quoted = |before: &str, after: &str| format!("{before} “{}”{after}", shortened(text));
    match problem {
        Problem::UnknownWord | Problem::BadDay => quoted("Didn’t understand", "."),
        Problem::UnknownSetting => quoted("There’s no setting", "."),
        Problem::BadTime => quoted("Not a time:", "."),
        Problem::BadDuration => quoted("Not a duration:", "."),
        Problem::BadSpeed => quoted("Not a speed:", "."),
        Problem::BadBrightness => quoted("Not a brightness:", "."),
        Problem::BadDate => quoted("There’s no date", "."),
        Problem::BadTimeZone => quoted("Unknown time zone:", "."),
        problem => sentence(problem).to_owned(),
    }
}

const fn sentence(problem: Problem) -> &'static str {
    match problem {
        Problem::Encoding | Problem::NotUtf8 => "Save the file as UTF-8 text.",
        Problem::TooManyBytes => "Too long: the rest is skipped.",
        Problem::TooManyRules => "Too many rules: skipped from here.",
        Problem::UnknownAction => "Start with on, blink, or off.",
        Problem::MissingTime => "Add a time.",
        Problem::SplitTime => "Write the time without spaces.",
        Problem::StartAtEnd => "A rule can’t start at 24:00.",
        Problem::EmptyRange => "Start and end are the same.",
        Problem::LoneStart => "Say until when, or how long.",
        Problem::EndGiven => "Give an end or a duration.",
        Problem::NoDuration => "This duration is zero.",
        Problem::TooLong => "The longest duration is 24 hours.",
        Problem::MissingInterval => "Say how often.",
        Problem::MissingFor => "Say how long each time.",
        Problem::NotShorter => "It must be shorter than the interval.",
        Problem::DatesBackwards => "Put the earlier date first.",
        Problem::SplitDays => "Write the days without spaces.",
        Problem::DaysTwice => "Write the days once.",
        Problem::SpeedBounds => "Too fast or too slow.",
        Problem::SpeedTwice => "Write the speed once.",
        Problem::BrightnessTwice => "Write the brightness once.",
        Problem::OffTakesNone => "Off has no speed or brightness.",
        Problem::SpeedWithoutBlink => "Only blink has a speed.",
        Problem::MissingEquals => "Put = before the value.",
        Problem::ValueTooLong => "This value is too long.",
        Problem::NoValue => "This setting has no value.",
        Problem::ShortPassword => "Wi-Fi passwords have 8 characters or more.",
        Problem::SettingTwice => "Set twice: the last line counts.",
        Problem::NoTimeZone => "No time zone: times are in UTC.",
        Problem::NoSummerRule => "Daylight saving time follows US dates.",
        Problem::SignOfOffset => "Here, UTC+5 is behind UTC.",
        // Quoted by `explain`.
        Problem::UnknownWord
        | Problem::BadDay
        | Problem::UnknownSetting
        | Problem::BadTime
        | Problem::BadDuration
        | Problem::BadSpeed
        | Problem::BadBrightness
        | Problem::BadDate
        | Problem::BadTimeZone => "Didn’t understand this.",
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 24;
    let text: String = text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::Problem;

    use super::explain;

    #[test]
    fn every_message_is_a_sentence_of_seven_words_at_most() {
        for problem in Problem::ALL {
            let message = explain(problem, "every");
            assert!(message.ends_with('.') && message.starts_with(char::is_uppercase), "{message}");
            assert!(message.split(' ').count() <= 7, "{message}");
        }
    }

    #[test]
    fn a_long_text_is_cut_and_control_characters_are_replaced() {
        assert_eq!(explain(Problem::BadTime, "25:00"), "Not a time: “25:00”.");
        let message = explain(Problem::UnknownWord, &"x\u{7}".repeat(5_000));
        assert!(message.chars().count() < 50 && !message.contains('\u{7}'), "{message}");
    }
}
