//! A line as lowercase words, and a cursor on them.

/// Splits a line into words. Ranges are split at their dash: `mon-fri` is `mon`, `to`, `fri`. Dates keep theirs.
pub(super) fn split(line: &str) -> Vec<String> {
    let line = line.to_lowercase().replace(['–', '—', '−'], "-").replace(['\'', '’', '"', '“', '”'], "");
    let line = line.replace("a.m.", "am").replace("p.m.", "pm").replace("o clock", "oclock").replace("wi-fi", "wifi");
    let line = line.replace('@', " at ").replace([',', ';', '&', '+'], " and ").replace("%", "% ");
    line.split_whitespace().flat_map(pieces).collect()
}

fn pieces(word: &str) -> Vec<String> {
    let word = word.trim_matches(['.', ':', '!', '?', '(', ')', '*']);
    if word.is_empty() {
        return Vec::new();
    }
    if word.starts_with(|letter: char| letter.is_ascii_digit()) && is_date(word) {
        return vec![word.to_owned()];
    }
    let mut pieces: Vec<String> = Vec::new();
    for (index, part) in word.split('-').enumerate() {
        if index > 0 {
            pieces.push("to".to_owned());
        }
        if !part.is_empty() {
            pieces.push(part.to_owned());
        }
    }
    pieces
}

/// `2026-12-24`, or a range of them with `..`.
pub(super) fn is_date(word: &str) -> bool {
    word.split("..").all(|date| {
        let parts: Vec<usize> = date.split('-').map(str::len).collect();
        parts == [4, 2, 2] && date.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
    })
}

/// Cursor on the words.
#[derive(Clone, Copy)]
pub(super) struct Words<'t> {
    rest: &'t [String],
}

impl<'t> Words<'t> {
    pub fn new(words: &'t [String]) -> Self {
        Self { rest: words }
    }

    pub fn peek(&self) -> Option<&'t str> {
        self.rest.first().map(String::as_str)
    }

    pub fn next(&mut self) -> Option<&'t str> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// Skips the words if they are the next ones.
    pub fn skip(&mut self, words: &[&str]) -> bool {
        match self.rest.split_at_checked(words.len()) {
            Some((next, rest)) if next == words => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Skips the next word if it is one of these.
    pub fn skip_any(&mut self, words: &[&str]) -> bool {
        match self.rest.split_first() {
            Some((next, rest)) if words.contains(&next.as_str()) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Reads something, or stays where it is.
    pub fn try_read<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mut ahead = *self;
        let value = read(&mut ahead)?;
        *self = ahead;
        Some(value)
    }
}

/// A number in digits or as a word.
pub(super) fn number(word: &str) -> Option<u32> {
    const NUMBERS: [(&str, u32); 20] = [
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
        ("eleven", 11),
        ("twelve", 12),
        ("fifteen", 15),
        ("twenty", 20),
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("ninety", 90),
        ("hundred", 100),
    ];
    match NUMBERS.into_iter().find(|(name, _)| *name == word) {
        Some((_, number)) => Some(number),
        None => digits(word, 5),
    }
}

/// A number of at most this many digits.
pub(super) fn digits(text: &str, most: usize) -> Option<u32> {
    let is_number = !text.is_empty() && text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}
