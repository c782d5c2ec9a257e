//! Lines as people write them: "turn on from 9 to 5 on weekdays" is `on 09:00-17:00 weekdays`.
//!
//! The grammar of the device is small and exact. Here a line that it rejects is read generously, and becomes a line
//! that it accepts, or a sentence about what this light cannot do. Only the browser and the server compile it.
//!
//! | module | contents |
//! |---|---|
//! | `words` | the line as words |
//! | `clock`, `length`, `days` | times of day, durations, days |
//! | `settings` | `wifi: Home`, `time zone New York` |
//! | `unsupported` | sunsets, colors, every other week |
//! | `reading` | what was read |
//! | `draft` | the parts of a rule that have been read, and the rule they form |

mod clock;
mod days;
mod draft;
mod length;
mod reading;
mod settings;
mod unsupported;
mod words;

use wasm_core::schedule::{self, Severity};

use draft::Draft;
pub use reading::Reading;
use words::Words;

/// A longer line is not something that a person wrote.
const MAX_BYTES: usize = 200;

/// Reads a line without its comment. `None` if a word of it is unknown.
///
/// ```
/// use app::schedule::{Reading, read_phrase};
///
/// let line = Reading::Line("on 09:00-17:00 weekdays".to_owned());
/// assert_eq!(read_phrase("turn on from 9 to 5 on weekdays"), Some(line));
/// ```
#[must_use]
pub fn read_phrase(line: &str) -> Option<Reading> {
    if line.len() > MAX_BYTES {
        return None;
    }
    let reading = match settings::read(line) {
        Some(setting) => Reading::Line(setting),
        None => read_rule(line)?,
    };
    match &reading {
        Reading::Line(line) if !is_accepted(line) => None,
        _ => Some(reading),
    }
}

fn read_rule(line: &str) -> Option<Reading> {
    let words = words::split(line);
    if let Some(sentence) = unsupported::sentence(&words) {
        return Some(Reading::Sentence(sentence));
    }
    Draft::read(Words::new(&words))?.rule()
}

fn is_accepted(line: &str) -> bool {
    let mut is_accepted = true;
    schedule::parse(line, &mut |diagnostic| is_accepted &= diagnostic.severity() == Severity::Warning);
    is_accepted
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::{Reading, is_accepted, read_phrase};

    /// A line of `testdata/phrases.json`: what a person writes, and what the Lab offers.
    #[derive(Deserialize)]
    struct Phrase {
        typed: String,
        line: Option<String>,
        sentence: Option<String>,
    }

    fn phrases() -> Vec<Phrase> {
        serde_json::from_str(include_str!("../../../testdata/phrases.json")).unwrap()
    }

    #[test]
    fn each_phrase_becomes_the_line_a_person_means_or_an_honest_sentence() {
        let phrases = phrases();
        assert!(phrases.len() >= 60, "{}", phrases.len());
        let mut differences = Vec::new();
        for Phrase { typed, line, sentence } in phrases {
            assert!(!is_accepted(&typed), "the grammar knows: {typed}");
            let (read_line, read_sentence) = match read_phrase(&typed) {
                Some(Reading::Line(line)) => (Some(line), None),
                Some(Reading::Sentence(sentence)) => (None, Some(sentence.to_owned())),
                None => (None, None),
            };
            if (&read_line, &read_sentence) != (&line, &sentence) {
                differences.push(format!("{typed}: {read_line:?} {read_sentence:?}"));
            }
        }
        assert_eq!(differences, Vec::<String>::new());
    }

    #[test]
    fn an_unknown_word_makes_no_guess() {
        for line in ["", "on 09:00-17:00 wekdays", "hello", "on 7 bananas", &"on 9-5 ".repeat(2_000), "\u{0}\u{202e}"] {
            assert_eq!(read_phrase(line), None, "{line}");
        }
    }

    #[test]
    fn no_text_makes_a_line_that_the_grammar_rejects() {
        // Every pair of the phrases' words, in both orders.
        let phrases = phrases();
        let mut words: Vec<&str> = phrases.iter().flat_map(|phrase| phrase.typed.split(' ')).collect();
        words.sort_unstable();
        words.dedup();
        for first in &words {
            for second in &words {
                let typed = format!("on {first} {second}");
                if let Some(Reading::Line(line)) = read_phrase(&typed) {
                    assert!(is_accepted(&line), "{typed}: {line}");
                }
            }
        }
    }
}
