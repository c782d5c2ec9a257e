//! Customers with the totals of their orders, and the emails in the outbox.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{AnyPool, AssertSqlSafe, Row as _};
use wasm_core::money::Cents;

use super::customer::Customer;
use crate::db::Db;
use crate::db::rows::placeholders;
use crate::error::Error;
use crate::http::page::Page;
use crate::infra::clock::rfc3339;
use crate::mail::EmailKind;
use crate::orders::search::Search;
use crate::orders::search::clause::{First, matches};
use crate::orders::search::range::{bind, range};
use crate::orders::sort::Sort;
use crate::time_zone::{self, ShopZone};

/// Largest number of matching orders whose customers are found.
const MAX_ORDERS: i64 = 10_000;

/// A page of all customers, newest first, and their number.
pub async fn list_newest_ids(pool: &AnyPool, page: Page) -> Result<(Vec<String>, i64), Error> {
    let total = sqlx::query_scalar("SELECT COUNT(*) FROM users").fetch_one(pool).await?;
    let ids = sqlx::query_scalar("SELECT id FROM users ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2")
        .bind(page.limit)
        .bind(page.offset())
        .fetch_all(pool)
        .await?;
    Ok((ids, total))
}

/// A page of the customers by any word of their email addresses or of their newest orders, by email address, and their
/// number. The number is in every row; a page past the end is a row without a customer.
pub async fn search_ids(db: &Db, search: &str, page: Page) -> Result<(Vec<String>, i64), Error> {
    let (collation, search) = (db.binary_collation(), Search::parse(search));
    let mut arguments = AnyArguments::default();
    let newest = First { filter: "1 = 1", reads_rows: false, sort: Sort::Newest, limit: MAX_ORDERS };
    let hits = matches(db, &search, Some(newest), &mut arguments).await?.sql;
    let accounts = account_query(&search.words, &mut arguments)?;
    let limit = bind(page.limit, &mut arguments)?;
    let offset = bind(page.offset(), &mut arguments)?;
    let select = format!(
        "WITH hits AS MATERIALIZED ({hits}), \
         newest AS MATERIALIZED (SELECT id FROM hits ORDER BY created_at DESC, id DESC LIMIT {MAX_ORDERS}), \
         buyers AS MATERIALIZED (SELECT DISTINCT o.user_id FROM newest CROSS JOIN orders o WHERE o.id = newest.id), \
         matches AS MATERIALIZED (SELECT email_key FROM users WHERE id IN ({accounts} UNION SELECT user_id FROM buyers)) \
         SELECT matching, u.id FROM (SELECT COUNT(*) AS matching FROM matches) counted \
         LEFT JOIN (SELECT email_key FROM matches ORDER BY email_key {collation} LIMIT {limit} OFFSET {offset}) page \
         ON 1 = 1 LEFT JOIN users u ON u.email_key = page.email_key ORDER BY page.email_key {collation}"
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(db.read()).await?;
    let total = rows.first().map_or(Ok(0), |row| row.try_get("matching"))?;
    let mut ids = Vec::new();
    for row in &rows {
        ids.extend(row.try_get::<Option<String>, _>("id")?);
    }
    Ok((ids, total))
}

/// The accounts whose email addresses have all words.
fn account_query(words: &[String], arguments: &mut AnyArguments) -> Result<String, Error> {
    let mut queries = Vec::new();
    for word in words {
        queries.push(format!("SELECT user_id FROM user_words WHERE {}", range(word, arguments)?));
    }
    if queries.is_empty() {
        queries.push("SELECT user_id FROM user_words WHERE 1 = 0".to_owned());
    }
    Ok(queries.join(" INTERSECT "))
}

/// Lists the customers with these ids, in the order of the ids.
pub async fn list_customers(pool: &AnyPool, ids: &[String]) -> Result<Vec<Customer>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let placeholders = placeholders(1, ids.len());
    let sql = format!(
        "SELECT u.id, u.email, u.created_at, COALESCE(o.orders, 0) AS orders, COALESCE(o.paid, 0) AS paid, \
           COALESCE(o.refunded, 0) AS refunded, o.last_order_at, \
           (SELECT n.name FROM orders n WHERE n.user_id = u.id ORDER BY n.created_at DESC, n.id DESC LIMIT 1) AS name \
         FROM users u LEFT JOIN \
           (SELECT user_id, COUNT(*) AS orders, CAST(SUM(total) AS BIGINT) AS paid, \
              CAST(SUM(refunded) AS BIGINT) AS refunded, MAX(created_at) AS last_order_at \
            FROM orders WHERE user_id IN ({placeholders}) GROUP BY user_id) o ON o.user_id = u.id \
         WHERE u.id IN ({placeholders})"
    );
    let rows = ids.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, id| query.bind(id)).fetch_all(pool).await?;
    let zone = time_zone::store::load(pool).await?;
    let mut customers = rows.iter().map(|row| customer_of(row, zone)).collect::<Result<Vec<_>, _>>()?;
    customers.sort_by_key(|customer| ids.iter().position(|id| *id == customer.id));
    Ok(customers)
}

fn customer_of(row: &AnyRow, zone: ShopZone) -> Result<Customer, Error> {
    let (created_at, last_order_at) = (row.try_get("created_at")?, row.try_get::<Option<i64>, _>("last_order_at")?);
    let (paid, refunded) = (Cents::from_cents(row.try_get("paid")?), Cents::from_cents(row.try_get("refunded")?));
    Ok(Customer {
        id: row.try_get("id")?,
        email: row.try_get("email")?,
        name: row.try_get("name")?,
        created_at: rfc3339(created_at),
        created_at_local: zone.local(created_at),
        orders: row.try_get("orders")?,
        spent: paid.checked_sub(refunded)?,
        refunded,
        last_order_at: last_order_at.map(rfc3339),
        last_order_at_local: last_order_at.map(|at| zone.local(at)),
    })
}

/// An email of the outbox, without its text.
pub struct EmailRow {
    pub id: String,
    pub kind: EmailKind,
    pub order_id: Option<String>,
    pub created_at: i64,
    pub sent_at: Option<i64>,
    pub failed_at: Option<i64>,
}

pub async fn count_emails(pool: &AnyPool, recipient: &str) -> Result<i64, Error> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM outbox WHERE recipient = $1");
    Ok(count.bind(recipient).fetch_one(pool).await?)
}

/// Lists a page of the emails to this address, latest first.
pub async fn list_emails(pool: &AnyPool, recipient: &str, page: Page) -> Result<Vec<EmailRow>, Error> {
    let rows = sqlx::query(
        "SELECT id, kind, order_id, created_at, sent_at, failed_at FROM outbox WHERE recipient = $1 \
         ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
    )
    .bind(recipient)
    .bind(page.limit)
    .bind(page.offset())
    .fetch_all(pool)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(EmailRow {
                id: row.try_get("id")?,
                kind: EmailKind::of(row.try_get("kind")?),
                order_id: row.try_get("order_id")?,
                created_at: row.try_get("created_at")?,
                sent_at: row.try_get("sent_at")?,
                failed_at: row.try_get("failed_at")?,
            })
        })
        .collect()
}

/// The numbers of these orders: (id, number).
pub async fn list_numbers(pool: &AnyPool, ids: &[&str]) -> Result<Vec<(String, i64)>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT id, number FROM orders WHERE id IN ({})", placeholders(1, ids.len()));
    let query = ids.iter().fold(sqlx::query_as::<_, (String, i64)>(AssertSqlSafe(sql)), |query, id| query.bind(*id));
    Ok(query.fetch_all(pool).await?)
}
