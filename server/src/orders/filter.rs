//! The SQL of an order filter.

use sqlx::Arguments as _;
use sqlx::any::AnyArguments;
use wasm_core::orders::{OrderStatus, PaymentStatus};

use super::alerts::store::ORDERS_WITH_OPEN;
use super::query::Filter;
use crate::db::prefix::prefix_end;
use crate::error::Error;

/// The rows to choose from, and the conditions after `WHERE` with their bound values. The SQL consists of constants and
/// placeholders only.
pub struct WhereClause {
    /// The matches of a search, or the orders with open alerts, as a common table expression; empty without them.
    pub with: String,
    /// The table of the rows to choose from.
    pub from: &'static str,
    pub sql: String,
    /// Newest first.
    pub order_by: &'static str,
    pub arguments: AnyArguments,
}

impl WhereClause {
    pub fn new(filter: &Filter, binary_collation: &str) -> Result<Self, Error> {
        let arguments = AnyArguments::default();
        let (from, sql, order_by) = ("orders", "1 = 1".to_owned(), "created_at DESC, id DESC");
        let mut clause = Self { with: String::new(), from, sql, order_by, arguments };
        clause.columns(filter)?;
        if let Some(search) = &filter.search {
            clause.search(search, filter, binary_collation)?;
        } else if filter.open_alerts {
            clause.open_alerts();
        }
        if let Some(product_id) = &filter.product_id {
            clause.product(product_id, filter)?;
        }
        Ok(clause)
    }

    /// Conditions on columns of the order.
    fn columns(&mut self, filter: &Filter) -> Result<(), Error> {
        if let Some(user_id) = &filter.user_id {
            self.and("user_id =", user_id.clone())?;
        }
        if let Some(from) = filter.from {
            self.and("created_at >=", from)?;
        }
        if let Some(before) = filter.before {
            self.and("created_at <", before)?;
        }
        if let Some(status) = filter.status {
            self.and("status =", status.as_str().to_owned())?;
        }
        if let Some(country) = filter.country {
            self.and("country =", country.code().to_owned())?;
        }
        if let Some(numbers) = &filter.numbers {
            self.numbers(numbers)?;
        }
        filter.payment.map_or(Ok(()), |payment| self.payment(payment))
    }

    /// Repeats the condition of the partial index, without which a planner does not use it.
    fn payment(&mut self, payment: PaymentStatus) -> Result<(), Error> {
        if payment != PaymentStatus::Paid {
            self.sql.push_str(" AND payment_status <> 'paid'");
        }
        self.and("payment_status =", payment.as_str().to_owned())
    }

    /// The orders with open alerts, of which there are few, before the filter's other conditions.
    fn open_alerts(&mut self) {
        let matches = format!("SELECT {ALL_COLUMNS} FROM orders WHERE id IN ({ORDERS_WITH_OPEN})");
        self.with = format!("WITH matches AS MATERIALIZED ({matches}) ");
        self.from = "matches";
    }

    /// Looks for the product in each of few orders, or follows the index of its lines, whose order ids sort by time.
    /// `CROSS JOIN` keeps SQLite from starting with another index and sorting all matches.
    fn product(&mut self, product_id: &str, filter: &Filter) -> Result<(), Error> {
        if self.from == "matches" || has_few(filter) {
            let (product, from) = (self.bind(product_id.to_owned())?, self.from);
            let line = format!("SELECT 1 FROM order_lines WHERE product_id = {product} AND order_id = {from}.id");
            self.sql = format!("{} AND EXISTS ({line})", self.sql);
            return Ok(());
        }
        (self.from, self.order_by) = ("order_lines CROSS JOIN orders", "order_id DESC");
        self.sql.push_str(" AND id = order_id");
        self.and("product_id =", product_id.to_owned())
    }

    /// One query per index, each without the matches of the ones before. `MATERIALIZED` runs them before the filter:
    /// otherwise a planner may read every order of a status or of a year to find a few matches.
    fn search(&mut self, search: &str, filter: &Filter, binary_collation: &str) -> Result<(), Error> {
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
        let columns = search_columns(filter);
        let open = if filter.open_alerts { format!(" AND id IN ({ORDERS_WITH_OPEN})") } else { String::new() };
        let queries = queries.iter().map(|found| format!("SELECT {columns} FROM orders WHERE {found}{open}"));
        let matches = queries.collect::<Vec<_>>().join(" UNION ALL ");
        self.with = format!("WITH matches AS MATERIALIZED ({matches}) ");
        self.from = "matches";
        Ok(())
    }

    /// Reads the newest of the orders, at most `limit`, once for several uses.
    pub fn materialize_newest(&mut self, limit: i64) -> Result<(), Error> {
        let limit = self.bind(limit)?;
        let Self { with, from, sql, order_by, .. } = self;
        let next = if with.is_empty() { "WITH" } else { "," };
        self.with = format!(
            "{with}{next} newest AS MATERIALIZED (SELECT created_at, id FROM {from} WHERE {sql} \
             ORDER BY {order_by} LIMIT {limit}) "
        );
        (self.from, self.sql, self.order_by) = ("newest", "1 = 1".to_owned(), "created_at DESC, id DESC");
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

/// Columns of the filter's conditions.
const ALL_COLUMNS: &str = "created_at, id, status, payment_status, country";

/// The columns of the matches: those of the covering indexes, or all.
fn search_columns(filter: &Filter) -> &'static str {
    if filter.payment.is_some() || filter.country.is_some() { ALL_COLUMNS } else { "created_at, id, status" }
}

/// Whether few orders have the filter's status: most are delivered and paid.
fn has_few(filter: &Filter) -> bool {
    let is_open = filter.status.is_some_and(|status| status != OrderStatus::Delivered);
    is_open || filter.payment.is_some_and(|payment| payment != PaymentStatus::Paid)
}
