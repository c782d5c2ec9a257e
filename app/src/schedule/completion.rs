//! Autocompletion of the word at the cursor.

use std::ops::Range;

use wasm_core::schedule::{KEYWORDS, zone_names};

/// Limit of the suggestions.
const MAX_SUGGESTIONS: usize = 6;

/// Keywords at the start of a line. A setting continues with `=`.
const ACTIONS: [&str; 3] = ["on", "blink", "off"];
const SETTINGS: [&str; 4] = ["wifi", "password", "timezone", "time-server"];

/// Suggestions for a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub span: Range<usize>,
    pub words: Vec<String>,
}

/// Suggestions for the word before the cursor, or `None`.
#[must_use]
pub fn complete(text: &str, cursor: usize) -> Option<Completion> {
    let before = text.get(..cursor)?;
    let line = before.rsplit(['\n']).next().unwrap_or(before);
    if line.trim_start().starts_with('#') {
        return None;
    }
    let (typed, words) = match line.split_once('=') {
        Some((setting, value)) if setting.trim().eq_ignore_ascii_case("timezone") => {
            (value.trim_start(), zones(value.trim()))
        }
        Some(_) => return None,
        None => {
            let typed = line.rsplit([' ', '\t', ',', '-']).next().unwrap_or(line);
            let place = if line.trim_start().len() == typed.len() { Place::First } else { Place::Later };
            (typed, keywords(typed, place))
        }
    };
    let start = cursor.checked_sub(typed.len())?;
    (!typed.is_empty() && !words.is_empty()).then_some(Completion { span: start..cursor, words })
}

fn keywords(typed: &str, place: Place) -> Vec<String> {
    let fits = |word: &&str| {
        let begins = ACTIONS.contains(word) || SETTINGS.contains(word);
        begins == (place == Place::First) && word.len() > typed.len() && begins_with(word, typed)
    };
    let written = |word: &str| {
        let sign = if SETTINGS.contains(&word) { " = " } else { "" };
        format!("{word}{sign}")
    };
    KEYWORDS.into_iter().filter(fits).take(MAX_SUGGESTIONS).map(written).collect()
}

/// Position of a word in its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Later,
}

/// Matches the whole name or its city: `toron` completes to `America/Toronto`.
fn zones(typed: &str) -> Vec<String> {
    let names = zone_names().map(|(name, _)| name.as_str().to_owned());
    let fits = |name: &String| {
        let city = name.rsplit(['/']).next().unwrap_or(name);
        (begins_with(name, typed) || begins_with(city, typed)) && !name.eq_ignore_ascii_case(typed)
    };
    names.filter(fits).take(MAX_SUGGESTIONS).collect()
}

fn begins_with(word: &str, typed: &str) -> bool {
    word.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
}

#[cfg(test)]
mod tests {
    use super::complete;

    fn words(before: &str) -> Vec<String> {
        complete(before, before.len()).map(|found| found.words).unwrap_or_default()
    }

    #[test]
    fn a_line_begins_with_an_action_or_a_setting_and_goes_on_with_the_rest() {
        assert_eq!(words("timezone = UTC\nb"), ["blink"]);
        assert_eq!(words("ti"), ["timezone = ", "time-server = "]);
        assert_eq!(words("on 07:00-07:30 wee"), ["weekdays", "weekends"]);
        assert_eq!(words("blink 09:00 for 30s mon,w"), ["weekdays", "weekends", "wed"]);
        assert_eq!(words("on 07:00-07:30 mon-F"), ["for", "fast", "fri"]);
    }

    #[test]
    fn a_city_finds_its_time_zone() {
        assert_eq!(words("timezone = toron"), ["America/Toronto"]);
        let found = complete("timezone = toron", 16).unwrap();
        assert_eq!(found.span, 11..16);
    }

    #[test]
    fn comments_values_and_finished_words_are_left_alone() {
        for line in ["# o", "wifi = o", "password = blin", "on 07:00-07:30 weekdays", "on ", ""] {
            assert_eq!(words(line), Vec::<String>::new(), "{line}");
        }
    }
}
