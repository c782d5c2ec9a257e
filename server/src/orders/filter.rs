//! A filter as the condition of a statement.

use sqlx::Arguments as _;
use sqlx::any::AnyArguments;

use super::query::Filter;
use crate::http::error::Error;

/// Along which index a search goes. What lies off the way is written so that no index fits it: left to itself a database
/// guesses, and now and then guesses wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Through all that the search finds, whose newest are then picked.
    BySearch,
    /// From the newest order back, until enough are found.
    ByTime,
}

/// The SQL after `WHERE` and what is bound to it. The text is made of constants and placeholders alone.
pub struct Condition {
    pub sql: String,
    pub arguments: AnyArguments,
    /// Besides, one of these must hold, where there are any: the ways in which a search finds an order.
    pub search: Vec<String>,
}

impl Condition {
    pub fn of(filter: &Filter, binary_collation: &str, way: Way) -> Result<Self, Error> {
        let mut condition = Self { sql: "1 = 1".to_owned(), arguments: AnyArguments::default(), search: Vec::new() };
        if let Some(user_id) = &filter.user_id {
            let user_id = condition.bind(user_id.clone())?;
            condition.and(&format!("user_id = {user_id}"));
        }
        let (created_at, status) = match (&filter.search, way) {
            (Some(_), Way::BySearch) => ("created_at + 0", "status || ''"),
            _ => ("created_at", "status"),
        };
        if let Some(from) = filter.from {
            let from = condition.bind(from)?;
            condition.and(&format!("{created_at} >= {from}"));
        }
        if let Some(before) = filter.before {
            let before = condition.bind(before)?;
            condition.and(&format!("{created_at} < {before}"));
        }
        if let Some(wanted) = filter.status {
            let wanted = condition.bind(wanted.as_str().to_owned())?;
            condition.and(&format!("{status} = {wanted}"));
        }
        if let Some(search) = &filter.search {
            condition.search(search, binary_collation, way)?;
        }
        Ok(condition)
    }

    /// A beginning is a range of texts in the order of their bytes, which an index can find; a pattern for `LIKE`
    /// no index here would help with.
    fn search(&mut self, search: &str, binary_collation: &str, way: Way) -> Result<(), Error> {
        let beginning = search.trim().to_lowercase();
        let end = match after_all_with(&beginning) {
            Some(end) => Some(self.bind(end)?),
            None => None,
        };
        let first = self.bind(beginning)?;
        let begins = |key: &str| match &end {
            Some(end) => format!("({key} {binary_collation} >= {first} AND {key} {binary_collation} < {end})"),
            None => format!("({key} {binary_collation} >= {first})"),
        };
        self.search = match way {
            Way::BySearch => vec![begins("email_key"), begins("name_key")],
            Way::ByTime => vec![begins("(email_key || '')"), begins("(name_key || '')")],
        };
        if let Ok(number) = search.trim_start_matches('#').parse::<i64>() {
            let number = self.bind(number)?;
            self.search.push(format!("number = {number}"));
        }
        Ok(())
    }

    pub fn and(&mut self, part: &str) {
        self.sql = format!("{} AND {part}", self.sql);
    }

    /// The placeholder under which the value is bound.
    pub fn bind<'q, T>(&mut self, value: T) -> Result<String, Error>
    where
        T: sqlx::Encode<'q, sqlx::Any> + sqlx::Type<sqlx::Any> + 'q,
    {
        self.arguments.add(value).map_err(Error::internal)?;
        Ok(format!("${}", self.arguments.len()))
    }
}

/// The first text, in the order of bytes, that comes after all which begin with this one. UTF-8 sorts like its
/// characters, so it is the one whose last character is the next; where there is no next, the one before counts.
fn after_all_with(beginning: &str) -> Option<String> {
    let mut end = beginning.to_owned();
    while let Some(last) = end.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

/// One condition for each way in which an order may be found, none of which finds what one before it has found:
/// each of them is a range of one index, which their sum is not.
pub fn each_once(search: &[String]) -> impl Iterator<Item = String> {
    let ways = search.iter().enumerate().map(|(index, way)| {
        let before = search.iter().take(index).map(|earlier| format!(" AND NOT {earlier}"));
        format!("{way}{}", before.collect::<String>())
    });
    ways.chain(search.is_empty().then(|| "1 = 1".to_owned()))
}

/// The same as one condition.
pub fn either(search: &[String]) -> String {
    if search.is_empty() { "1 = 1".to_owned() } else { search.join(" OR ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_alike_ends_before_the_next_beginning() {
        let ends = |beginning: &str, end: &str| assert_eq!(after_all_with(beginning).as_deref(), Some(end));
        ends("ada", "adb");
        ends("50%_", "50%`");
        ends("zoé", "zoê");
        ends("a\u{d7ff}", "a\u{e000}");
        ends("a\u{10ffff}", "b");
        assert_eq!(after_all_with("\u{10ffff}"), None);
    }
}
