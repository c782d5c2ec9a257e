//! The WHERE clause of an order filter.

use sqlx::Arguments as _;
use sqlx::any::AnyArguments;

use super::query::Filter;
use crate::http::error::Error;

/// Query plan of a search. Conditions off the chosen index are written so that no index matches them, because a query
/// planner sometimes picks the wrong one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Reads every match from the search indexes, then sorts by time.
    SearchIndex,
    /// Reads orders from the newest back until there are enough matches.
    TimeIndex,
}

/// The SQL after `WHERE` with its bound values. The SQL consists of constants and placeholders only.
pub struct WhereClause {
    pub sql: String,
    pub arguments: AnyArguments,
    /// Alternatives of a search, of which at least one must match; empty without a search.
    pub search: Vec<String>,
}

impl WhereClause {
    pub fn new(filter: &Filter, binary_collation: &str, plan: Plan) -> Result<Self, Error> {
        let mut clause = Self { sql: "1 = 1".to_owned(), arguments: AnyArguments::default(), search: Vec::new() };
        if let Some(user_id) = &filter.user_id {
            let user_id = clause.bind(user_id.clone())?;
            clause.and(&format!("user_id = {user_id}"));
        }
        let (created_at, status) = match (&filter.search, plan) {
            (Some(_), Plan::SearchIndex) => ("created_at + 0", "status || ''"),
            _ => ("created_at", "status"),
        };
        if let Some(from) = filter.from {
            let from = clause.bind(from)?;
            clause.and(&format!("{created_at} >= {from}"));
        }
        if let Some(before) = filter.before {
            let before = clause.bind(before)?;
            clause.and(&format!("{created_at} < {before}"));
        }
        if let Some(wanted) = filter.status {
            let wanted = clause.bind(wanted.as_str().to_owned())?;
            clause.and(&format!("{status} = {wanted}"));
        }
        if let Some(search) = &filter.search {
            clause.search(search, binary_collation, plan)?;
        }
        Ok(clause)
    }

    /// A prefix is a range in byte order, which an index supports; a `LIKE` pattern would need a full scan.
    fn search(&mut self, search: &str, binary_collation: &str, plan: Plan) -> Result<(), Error> {
        let prefix = search.trim().to_lowercase();
        let end = match prefix_end(&prefix) {
            Some(end) => Some(self.bind(end)?),
            None => None,
        };
        let first = self.bind(prefix)?;
        let starts = |key: &str| match &end {
            Some(end) => format!("({key} {binary_collation} >= {first} AND {key} {binary_collation} < {end})"),
            None => format!("({key} {binary_collation} >= {first})"),
        };
        self.search = match plan {
            Plan::SearchIndex => vec![starts("email_key"), starts("name_key")],
            Plan::TimeIndex => vec![starts("(email_key || '')"), starts("(name_key || '')")],
        };
        if let Ok(number) = search.trim_start_matches('#').parse::<i64>() {
            let number = self.bind(number)?;
            self.search.push(format!("number = {number}"));
        }
        Ok(())
    }

    pub fn and(&mut self, condition: &str) {
        self.sql = format!("{} AND {condition}", self.sql);
    }

    /// Binds a value and returns its placeholder.
    pub fn bind<'q, T>(&mut self, value: T) -> Result<String, Error>
    where
        T: sqlx::Encode<'q, sqlx::Any> + sqlx::Type<sqlx::Any> + 'q,
    {
        self.arguments.add(value).map_err(Error::internal)?;
        Ok(format!("${}", self.arguments.len()))
    }
}

/// Exclusive upper bound of a prefix in byte order: its last character incremented, or the one before if there is no
/// next. UTF-8 sorts like its characters.
fn prefix_end(prefix: &str) -> Option<String> {
    let mut end = prefix.to_owned();
    while let Some(last) = end.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

/// Disjoint conditions, one for each alternative of a search. Each one is a range of one index, which their disjunction
/// is not.
pub fn disjoint(search: &[String]) -> impl Iterator<Item = String> {
    let conditions = search.iter().enumerate().map(|(index, alternative)| {
        let before = search.iter().take(index).map(|earlier| format!(" AND NOT {earlier}"));
        format!("{alternative}{}", before.collect::<String>())
    });
    conditions.chain(search.is_empty().then(|| "1 = 1".to_owned()))
}

/// The alternatives of a search as one condition.
pub fn any_of(search: &[String]) -> String {
    if search.is_empty() { "1 = 1".to_owned() } else { search.join(" OR ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_alike_ends_before_the_next_beginning() {
        let ends = |prefix: &str, end: &str| assert_eq!(prefix_end(prefix).as_deref(), Some(end));
        ends("ada", "adb");
        ends("50%_", "50%`");
        ends("zoé", "zoê");
        ends("a\u{d7ff}", "a\u{e000}");
        ends("a\u{10ffff}", "b");
        assert_eq!(prefix_end("\u{10ffff}"), None);
    }
}
