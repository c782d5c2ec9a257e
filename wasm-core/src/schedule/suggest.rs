//! The word somebody probably meant.

/// The longest word that is compared.
const WIDTH: usize = 40;

/// The closest of the known words, if it is close enough to be what was meant: one wrong letter in three.
pub(super) fn closest(typed: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let mut best: Option<(&str, usize)> = None;
    for word in known {
        let apart = distance(typed, word.bytes());
        if best.is_none_or(|(_, least)| apart < least) {
            best = Some((word, apart));
        }
    }
    best.filter(|(_, apart)| *apart <= allowed(typed)).map(|(word, _)| word)
}

/// How many letters of a word may be wrong.
pub(super) fn allowed(typed: &str) -> usize {
    (typed.len() / 3).max(1)
}

/// How many letters have to be changed, added or left out to come from one word to the other, in whatever case
/// (Levenshtein's distance, with one row kept). Words too long to compare are far apart.
pub(super) fn distance(typed: &str, known: impl Iterator<Item = u8> + Clone) -> usize {
    if typed.len() > WIDTH || known.clone().count() > WIDTH {
        return usize::MAX;
    }
    let mut row = [0_usize; WIDTH + 1];
    for (column, cell) in row.iter_mut().enumerate() {
        *cell = column;
    }
    let mut last = known.clone().count();
    for (number, letter) in typed.bytes().enumerate() {
        let (mut above_left, mut left) = (number, number.saturating_add(1));
        for (other, cell) in known.clone().zip(row.iter_mut().skip(1)) {
            let changed = above_left.saturating_add(usize::from(!letter.eq_ignore_ascii_case(&other)));
            above_left = *cell;
            left = changed.min(cell.saturating_add(1)).min(left.saturating_add(1));
            *cell = left;
        }
        last = left;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_letters_to_change_add_or_leave_out() {
        let apart = |typed: &str, known: &'static str| distance(typed, known.bytes());
        assert_eq!(apart("blink", "blink"), 0);
        assert_eq!(apart("BLINK", "blink"), 0);
        assert_eq!(apart("blik", "blink"), 1);
        assert_eq!(apart("wekdyas", "weekdays"), 3);
        assert_eq!(apart("", "on"), 2);
        assert_eq!(apart("on", ""), 2);
    }

    #[test]
    fn a_word_that_is_like_no_other_suggests_none() {
        let known = ["on", "blink", "off"];
        assert_eq!(closest("onn", known.into_iter()), Some("on"));
        assert_eq!(closest("blnk", known.into_iter()), Some("blink"));
        assert_eq!(closest("lamp", known.into_iter()), None);
    }
}
