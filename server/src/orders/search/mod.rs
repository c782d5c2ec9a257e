//! Search of orders by any word of the recipient's name and of the email address, by postal code, tracking number, order
//! number, and ordered product ([ADR 64](../../../../docs/adr/0064-order-search-by-a-table-of-words.md)).

pub mod clause;
pub mod range;
pub mod store;

use std::collections::BTreeSet;

use crate::infra::words::{compact, email_words, query_words, words};

/// What an order is found by, besides its number and its products.
pub struct SearchedOrder {
    pub id: String,
    pub created_at: i64,
    pub name: String,
    pub email: String,
    pub postal_code: String,
    pub tracking_number: Option<String>,
}

impl SearchedOrder {
    fn words(&self) -> BTreeSet<String> {
        let mut all = words(&self.name);
        all.extend(email_words(&self.email));
        all.insert(compact(&self.postal_code));
        all.extend(self.tracking_number.as_deref().map(compact));
        all.remove("");
        all
    }
}

/// The parts of a query. An order matches if it has all words, or starts with the code, or has the number.
#[derive(Debug, PartialEq, Eq)]
pub struct Search {
    /// Each is the start of a word of the order or of a product in it; one letter is a whole word.
    pub words: Vec<String>,
    /// A postal code or tracking number that is typed with spaces or hyphens, such as `TRK-XYZ`.
    pub code: Option<String>,
    /// `1001`, `#1001` or `NL-1001`.
    pub number: Option<i64>,
}

impl Search {
    pub fn parse(query: &str) -> Self {
        let words: Vec<String> = query_words(query).into_iter().collect();
        let code = compact(query);
        let code = (words.len() > 1).then_some(code);
        Self { words, code, number: order_number(query) }
    }
}

/// Whether words that begin like this are found, or only this word.
fn is_start(word: &str) -> bool {
    word.chars().nth(1).is_some()
}

fn order_number(query: &str) -> Option<i64> {
    let query = query.trim();
    let query = query.strip_prefix('#').unwrap_or(query);
    let digits = match query.get(..3) {
        Some(prefix) if prefix.eq_ignore_ascii_case("NL-") => query.get(3..)?,
        _ => query,
    };
    digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_words_and_perhaps_a_code_or_an_order_number() {
        let parse = |query: &str| {
            let Search { words, code, number } = Search::parse(query);
            (words.join(" "), code, number)
        };
        assert_eq!(parse("Zo\u{eb} Love"), ("love zoe".to_owned(), Some("zoelove".to_owned()), None));
        assert_eq!(parse("nl-1001"), ("1001 nl".to_owned(), Some("nl1001".to_owned()), Some(1001)));
        assert_eq!(parse("#1001"), ("1001".to_owned(), None, Some(1001)));
        assert_eq!(parse("H2X 1Y4"), ("1y4 h2x".to_owned(), Some("h2x1y4".to_owned()), None));
        assert_eq!(parse("%"), (String::new(), None, None));
    }
}
