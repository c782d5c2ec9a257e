//! The SQL of an order filter.

use sqlx::Arguments as _;
use sqlx::any::AnyArguments;

use super::prefix::prefix_end;
use super::query::Filter;
use crate::http::error::Error;

/// The rows to choose from, and the conditions after `WHERE` with their bound values. The SQL consists of constants and
/// placeholders only.
pub struct WhereClause {
    /// The matches of a search as a common table expression; empty without a search.
    pub with: String,
    /// The table of the rows to choose from.
    pub from: &'static str,
    pub sql: String,
    pub arguments: AnyArguments,
}

impl WhereClause {
    pub fn new(filter: &Filter, binary_collation: &str) -> Result<Self, Error> {
        let arguments = AnyArguments::default();
        let mut clause = Self { with: String::new(), from: "orders", sql: "1 = 1".to_owned(), arguments };
        if let Some(user_id) = &filter.user_id {
            clause.and("user_id =", user_id.clone())?;
        }
        if let Some(from) = filter.from {
            clause.and("created_at >=", from)?;
        }
        if let Some(before) = filter.before {
            clause.and("created_at <", before)?;
        }
        if let Some(status) = filter.status {
            clause.and("status =", status.as_str().to_owned())?;
        }
        if let Some(numbers) = &filter.numbers {
            clause.numbers(numbers)?;
        }
        if let Some(search) = &filter.search {
            clause.search(search, binary_collation)?;
        }
        Ok(clause)
    }

    /// One query per index, each without the matches of the ones before. `MATERIALIZED` runs them before the filter:
    /// otherwise a planner may read every order of a status or of a year to find a few matches.
    fn search(&mut self, search: &str, binary_collation: &str) -> Result<(), Error> {
        let prefix = search.trim().to_lowercase();
        let end = prefix_end(&prefix).map(|end| self.bind(end)).transpose()?;
        let first = self.bind(prefix)?;
        let starts = |key: &str| match &end {
            Some(end) => format!("({key} {binary_collation} >= {first} AND {key} {binary_collation} < {end})"),
            None => format!("({key} {binary_collation} >= {first})"),
        };
        let (email, name) = (starts("email_key"), starts("name_key"));
        let mut queries = vec![email.clone(), format!("{name} AND NOT {email}")];
        if let Ok(number) = search.trim_start_matches('#').parse::<i64>() {
            let number = self.bind(number)?;
            queries.push(format!("number = {number} AND NOT {email} AND NOT {name}"));
        }
        let queries = queries.iter().map(|found| format!("SELECT created_at, id, status FROM orders WHERE {found}"));
        let matches = queries.collect::<Vec<_>>().join(" UNION ALL ");
        self.with = format!("WITH matches AS MATERIALIZED ({matches}) ");
        self.from = "matches";
        Ok(())
    }

    /// By id, because the matches of a search have no number.
    fn numbers(&mut self, numbers: &[i64]) -> Result<(), Error> {
        let bound = numbers.iter().map(|number| self.bind(*number)).collect::<Result<Vec<_>, _>>()?.join(", ");
        self.sql = format!("{} AND id IN (SELECT id FROM orders WHERE number IN ({bound}))", self.sql);
        Ok(())
    }

    fn and<'q, T>(&mut self, comparison: &str, value: T) -> Result<(), Error>
    where
        T: sqlx::Encode<'q, sqlx::Any> + sqlx::Type<sqlx::Any> + 'q,
    {
        let value = self.bind(value)?;
        self.sql = format!("{} AND {comparison} {value}", self.sql);
        Ok(())
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
