//! The SQL of an order filter.

use sqlx::any::AnyArguments;
use wasm_core::orders::{OrderStatus, PaymentStatus};

use super::alerts::store::ORDERS_WITH_OPEN;
use super::owed::store::ORDERS_WITH_REFUNDS;
use super::query::Filter;
use super::search::Search;
use super::search::clause::{First, Matches, matches};
use super::search::range::bind;
use super::sort::Sort;
use crate::db::Db;
use crate::error::Error;

/// The rows to choose from, and the conditions after `WHERE` with their bound values. The SQL consists of constants and
/// placeholders only.
pub struct WhereClause {
    /// The matches of a search, or orders of which there are few, as a common table expression; empty without them.
    pub with: String,
    /// The table of the rows to choose from.
    pub from: &'static str,
    pub sql: String,
    pub order_by: &'static str,
    pub sort: Sort,
    pub arguments: AnyArguments,
    /// Whether the rows are the first matches only.
    pub is_limited: bool,
}

impl WhereClause {
    pub async fn load(db: &Db, filter: &Filter) -> Result<Self, Error> {
        Self::load_matches(db, filter, None).await
    }

    /// A word of products, or a frequent word, has very many matches: reads the first of each, at most `limit`.
    pub async fn load_first(db: &Db, filter: &Filter, limit: i64) -> Result<Self, Error> {
        Self::load_matches(db, filter, Some(limit)).await
    }

    async fn load_matches(db: &Db, filter: &Filter, limit: Option<i64>) -> Result<Self, Error> {
        let arguments = AnyArguments::default();
        let (from, sql, sort) = ("orders", "1 = 1".to_owned(), filter.sort);
        let order_by = sort.by_time();
        let mut clause = Self { with: String::new(), from, sql, order_by, sort, arguments, is_limited: false };
        clause.columns(filter)?;
        if let Some(search) = &filter.search {
            clause.search(db, search, filter, limit).await?;
            return Ok(clause);
        }
        if filter.open_alerts {
            clause.few(ORDERS_WITH_OPEN);
        } else if filter.held == Some(true) {
            clause.few(ORDERS_ON_HOLD);
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
        if let Some(held) = filter.held {
            let is_among = if held { "IN" } else { "NOT IN" };
            self.sql = format!("{} AND id {is_among} ({ORDERS_ON_HOLD})", self.sql);
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

    /// The orders with these ids, of which there are few, before the filter's other conditions.
    fn few(&mut self, ids: &str) {
        let matches = format!("SELECT {ALL_COLUMNS} FROM orders WHERE id IN ({ids})");
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
        (self.from, self.order_by) = ("order_lines CROSS JOIN orders", filter.sort.by_order_id());
        self.sql.push_str(" AND id = order_id");
        self.and("product_id =", product_id.to_owned())
    }

    /// `MATERIALIZED` runs the search before the filter: otherwise a planner may read every order of a status or of a year
    /// to find a few matches.
    async fn search(&mut self, db: &Db, search: &str, filter: &Filter, limit: Option<i64>) -> Result<(), Error> {
        if filter.open_alerts {
            self.sql = format!("{} AND id IN ({ORDERS_WITH_OPEN})", self.sql);
        }
        if let Some(product_id) = &filter.product_id {
            let product = self.bind(product_id.clone())?;
            let line = format!("SELECT 1 FROM order_lines l WHERE l.product_id = {product} AND l.order_id = id");
            self.sql = format!("{} AND EXISTS ({line})", self.sql);
        }
        let reads_orders = filter.status.is_some() || filter.payment.is_some() || filter.country.is_some();
        let reads_rows = reads_orders || filter.product_id.is_some();
        let first = limit.map(|limit| First { filter: &self.sql, reads_rows, sort: filter.sort, limit });
        let Matches { sql, is_limited } = matches(db, &Search::parse(search), first, &mut self.arguments).await?;
        self.is_limited = is_limited;
        self.with = format!("WITH hits AS MATERIALIZED ({sql}) ");
        self.from = "hits";
        if reads_orders {
            self.with = format!(
                "{}, matches AS MATERIALIZED (SELECT o.created_at, o.id, o.status, o.payment_status, o.country \
                 FROM hits CROSS JOIN orders o WHERE o.id = hits.id) ",
                self.with
            );
            self.from = "matches";
        }
        Ok(())
    }

    /// Reads the first of the orders, at most `limit`, once for several uses.
    pub fn materialize_first(&mut self, limit: i64) -> Result<(), Error> {
        let limit = self.bind(limit)?;
        let Self { with, from, sql, order_by, .. } = self;
        let next = if with.is_empty() { "WITH" } else { "," };
        self.with = format!(
            "{with}{next} first AS MATERIALIZED (SELECT created_at, id FROM {from} WHERE {sql} \
             ORDER BY {order_by} LIMIT {limit}) "
        );
        (self.from, self.sql, self.order_by) = ("first", "1 = 1".to_owned(), self.sort.by_time());
        Ok(())
    }

    /// Keeps the orders that may have no package: those with refunds, and those on hold.
    pub fn may_be_left_out(&mut self) {
        self.sql = format!("{} AND (id IN ({ORDERS_WITH_REFUNDS}) OR id IN ({ORDERS_ON_HOLD}))", self.sql);
    }

    /// Keeps the orders that have shipped.
    pub fn have_shipped(&mut self) {
        self.sql = format!("{} AND id IN ({SHIPPED_ORDERS})", self.sql);
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
        bind(value, &mut self.arguments)
    }
}

/// The ids of the orders on hold, with the condition of their index. `StoredOrder::hold` has the same statuses.
const ORDERS_ON_HOLD: &str = "SELECT id FROM orders WHERE hold IS NOT NULL AND status IN ('pending', 'processing')";
/// The ids of the orders that have shipped.
const SHIPPED_ORDERS: &str = "SELECT id FROM orders WHERE status IN ('shipped', 'delivered')";
/// Columns of the filter's conditions.
const ALL_COLUMNS: &str = "created_at, id, status, payment_status, country";

/// Whether few orders have the filter's status: most are delivered and paid.
fn has_few(filter: &Filter) -> bool {
    let is_open = filter.status.is_some_and(|status| status != OrderStatus::Delivered);
    is_open || filter.payment.is_some_and(|payment| payment != PaymentStatus::Paid)
}
