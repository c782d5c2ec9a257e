//! What people ask a light for and this one cannot do.

const SKIPS_WEEKS: &str = "This light can’t skip days or weeks. List the dates, such as 2026-12-01,2026-12-15.";
const ASKS_FOR_DATES: &str = "Write dates with their year, such as 2026-12-24 or 2026-12-24..2027-01-02.";
const ASKS_FOR_A_TIME: &str = "The light follows the clock only. Write a time such as 09:00.";
const ONE_COLOR: &str = "A rule can’t change the color. It sets times, days, brightness and blinking.";

/// Words that stand for something unsupported, and the sentence about it.
const SENTENCES: [(&[&str], &str); 14] = [
    (&["sunset", "sundown"], "This light has no sunset. Write a time such as 18:00."),
    (&["sunrise", "sunup", "dawn", "daybreak"], "This light has no sunrise. Write a time such as 06:30."),
    (&["dusk", "twilight"], "This light has no dusk. Write a time such as 18:00."),
    (&["biweekly", "fortnightly", "alternate", "alternating"], SKIPS_WEEKS),
    (
        &["monthly", "month", "months", "yearly", "annually", "year", "years", "1st", "2nd", "3rd", "15th", "birthday"],
        "Rules repeat by day of the week. List other dates, such as 2026-12-01.",
    ),
    (&["today", "tomorrow", "tonight", "holiday", "holidays", "christmas", "thanksgiving", "easter"], ASKS_FOR_DATES),
    (
        &[
            "january",
            "february",
            "march",
            "april",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ],
        ASKS_FOR_DATES,
    ),
    (&["jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"], ASKS_FOR_DATES),
    (&["red", "green", "blue", "yellow", "orange", "white", "purple", "pink", "color", "colour", "rainbow"], ONE_COLOR),
    (
        &["fade", "fades", "gradually", "ramp"],
        "The light doesn’t fade. Write a line for each brightness, such as on 06:30-07:00 20%.",
    ),
    (
        &["beep", "sound", "ring", "chime", "buzz", "music", "play", "vibrate"],
        "The light makes no sound. It can blink.",
    ),
    (
        &["if", "when", "whenever", "unless", "motion", "weather", "rain", "rains", "dark", "now", "after"],
        ASKS_FOR_A_TIME,
    ),
    (&["random", "randomly", "sometimes"], "The light does nothing at random. Write a time such as 09:00."),
    (&["twice", "thrice"], "Write one line for each time of day."),
];

/// The sentence about the first unsupported wish.
pub(super) fn sentence(words: &[String]) -> Option<&'static str> {
    let mut previous = "";
    for (index, word) in words.iter().enumerate() {
        let next = words.get(index.saturating_add(1)).map_or("", String::as_str);
        if let Some(sentence) = about(previous, word, next) {
            return Some(sentence);
        }
        previous = word;
    }
    None
}

fn about(previous: &str, word: &str, next: &str) -> Option<&'static str> {
    match (previous, word, next) {
        ("every", "other", _) => return Some(SKIPS_WEEKS),
        // "Every second Tuesday", and not "for a second".
        ("every", "second" | "third", next) if !next.is_empty() && next != "for" => return Some(SKIPS_WEEKS),
        (_, "days" | "weeks", _) if previous.parse::<u32>().is_ok() => return Some(SKIPS_WEEKS),
        ("two" | "three" | "four" | "few", "days" | "weeks", _) => return Some(SKIPS_WEEKS),
        // "12/24": the grammar's dates have a year.
        (_, "24/7", _) => return None,
        (_, date, _) if is_day_of_year(date) => return Some(ASKS_FOR_DATES),
        // "Twice an hour" is an interval.
        (_, "twice", "an") | ("past", "after", _) => return None,
        _ => {}
    }
    SENTENCES.into_iter().find(|(words, _)| words.contains(&word)).map(|(_, sentence)| sentence)
}

fn is_day_of_year(word: &str) -> bool {
    word.split_once('/').is_some_and(|(month, day)| {
        [month, day]
            .into_iter()
            .all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
    })
}
