//! Spelling suggestions by edit distance.

/// Length of the longest word that is compared.
const WIDTH: usize = 40;

/// The closest known word, if at most one letter in three differs.
pub(super) fn closest(typed: &str, known: &[&'static str]) -> Option<&'static str> {
    let mut best: Option<(&str, usize)> = None;
    for &word in known {
        let apart = distance(typed, "", word);
        if best.is_none_or(|(_, least)| apart < least) {
            best = Some((word, apart));
        }
    }
    best.filter(|(_, apart)| *apart <= allowed(typed)).map(|(word, _)| word)
}

/// Largest distance of a suggestion.
pub(super) fn allowed(typed: &str) -> usize {
    (typed.len() / 3).max(1)
}

/// Damerau–Levenshtein distance, ignoring case: the number of letters to replace, insert, delete or swap with a
/// neighbor. The known word is in two parts. Words above [`WIDTH`] have the largest distance.
pub(super) fn distance(typed: &str, front: &str, back: &str) -> usize {
    let known = || front.bytes().chain(back.bytes());
    let width = front.len().saturating_add(back.len());
    if typed.len() > WIDTH || width > WIDTH {
        return usize::MAX;
    }
    let mut older = [0_usize; WIDTH + 1];
    let mut row = older;
    for (column, cell) in row.iter_mut().enumerate() {
        *cell = column;
    }
    let mut previous = 0;
    for (number, letter) in typed.bytes().map(|letter| letter.to_ascii_lowercase()).enumerate() {
        let above = row;
        let mut left = number.saturating_add(1);
        let mut known_before = 0;
        // The cells above, above left, and two rows above and two columns to the left.
        let around = above.iter().skip(1).zip(above.iter()).zip([0].iter().chain(older.iter()));
        let first = [left];
        for ((cell, other), ((up, up_left), corner)) in
            row.iter_mut().skip(1).zip(known().map(|other| other.to_ascii_lowercase())).zip(around)
        {
            let changed = up_left.saturating_add(usize::from(letter != other));
            let mut least = changed.min(up.saturating_add(1)).min(left.saturating_add(1));
            if number > 0 && letter == known_before && previous == other {
                least = least.min(corner.saturating_add(1));
            }
            *cell = least;
            left = least;
            known_before = other;
        }
        row.iter_mut().zip(first).for_each(|(cell, number)| *cell = number);
        older = above;
        previous = letter;
    }
    row.get(width).copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_letters_to_change_add_leave_out_or_swap() {
        let apart = |typed: &str, known: &'static str| distance(typed, "", known);
        assert_eq!(apart("blink", "blink"), 0);
        assert_eq!(apart("BLINK", "blink"), 0);
        assert_eq!(apart("blik", "blink"), 1);
        assert_eq!(apart("blikn", "blink"), 1);
        assert_eq!(apart("wekdyas", "weekdays"), 2);
        assert_eq!(apart("", "on"), 2);
        assert_eq!(apart("on", ""), 2);
    }

    #[test]
    fn a_word_that_is_like_no_other_suggests_none() {
        let known = ["on", "blink", "off"];
        assert_eq!(closest("onn", &known), Some("on"));
        assert_eq!(closest("blnk", &known), Some("blink"));
        assert_eq!(closest("lamp", &known), None);
    }
}
