//! Words of names, email addresses and queries, folded for comparison: in lower case and without accents.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

const APOSTROPHES: [char; 2] = ['\'', '\u{2019}'];
/// Largest number of words that a query uses, or that a text has in an index.
const MAX_WORDS: usize = 20;

/// `Zoë` becomes `zoe`, `Straße` becomes `strasse`.
pub fn fold(text: &str) -> String {
    let folded = text.nfkd().filter(|character| !is_combining_mark(*character)).flat_map(char::to_lowercase);
    folded.fold(String::new(), |mut folded, character| {
        match character {
            'ß' => folded.push_str("ss"),
            'ø' => folded.push('o'),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            // `İ` leaves a combining dot when it becomes lower case.
            mark if is_combining_mark(mark) => {}
            other => folded.push(other),
        }
        folded
    })
}

/// The folded letters and digits alone: `H2X 1Y4` becomes `h2x1y4`.
pub fn compact(text: &str) -> String {
    fold(text).chars().filter(|character| character.is_alphanumeric()).collect()
}

/// The folded words of a name. A dot within a word is part of it. A word with an apostrophe is also found without it:
/// `O’Brien` is `o`, `brien` and `obrien`.
pub fn words(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let is_separator = |character: char| !character.is_alphanumeric() && character != '.';
    let mut words = split(&folded, is_separator);
    if folded.contains(APOSTROPHES) {
        words.extend(split(&folded.replace(APOSTROPHES, ""), is_separator));
    }
    words
}

/// The whole folded address, the words before its `@`, and its domain.
pub fn email_words(email: &str) -> BTreeSet<String> {
    let email = fold(email);
    let (local, domain) = email.rsplit_once('@').unwrap_or((&email, ""));
    let mut words = split(local, |character| !character.is_alphanumeric());
    words.extend([domain.to_owned(), email.clone()].into_iter().filter(|word| !word.is_empty()));
    words
}

/// The folded words of a query. A part with an `@` inside is the start of an email address; `lovelace@` and `@example.com`
/// are words of one.
pub fn query_words(query: &str) -> BTreeSet<String> {
    let parts = query.split_whitespace();
    let of_part = |part: &str| match part.split_once('@') {
        Some((local, domain)) if !local.is_empty() && !domain.is_empty() => BTreeSet::from([fold(part)]),
        _ => words(part),
    };
    parts.flat_map(of_part).take(MAX_WORDS).collect()
}

fn split(folded: &str, is_separator: impl Fn(char) -> bool) -> BTreeSet<String> {
    let words = folded.split(is_separator).map(|word| word.trim_matches('.')).filter(|word| !word.is_empty());
    words.take(MAX_WORDS).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(words: BTreeSet<String>) -> Vec<String> {
        words.into_iter().collect()
    }

    #[test]
    fn accents_and_case_do_not_distinguish_words() {
        assert_eq!(fold("Zo\u{eb} M\u{fc}ller-O\u{2019}Neil"), "zoe muller-o\u{2019}neil");
        assert_eq!(fold("Zoe\u{308} STRASSE Stra\u{df}e \u{130}"), "zoe strasse strasse i");
        assert_eq!(compact("1z 999-AA1"), "1z999aa1");
    }

    #[test]
    fn a_name_is_split_at_spaces_and_punctuation() {
        assert_eq!(listed(words("J.R. M\u{fc}ller-O\u{2019}Neil, ")), ["j.r", "muller", "neil", "o", "oneil"]);
        assert!(words(" %_' ").is_empty());
    }

    #[test]
    fn an_email_address_is_a_word_and_so_are_its_parts() {
        let expected = ["ada", "ada.love_lace@example.com", "example.com", "lace", "love"];
        assert_eq!(listed(email_words("Ada.Love_Lace@Example.com")), expected);
        assert_eq!(listed(query_words("Ada@ex  lovelace")), ["ada@ex", "lovelace"]);
        assert_eq!(listed(query_words("lovelace@ @Example.com @")), ["example.com", "lovelace"]);
    }
}
