//! Orders under a filter: a page of them for a list, or all of them piece by piece for an export. The customer's
//! list and the administrator's are the same query.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{Arguments as _, AssertSqlSafe, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::{OrderListItem, OrderPage, OrderStatus, PaymentStatus};

use super::days::store as days;
use super::query::{Filter, Page};
use super::store::{payment_status, status};
use crate::clock::{DAY, rfc3339};
use crate::db::Db;
use crate::error::Error;

/// A page that begins after so many orders is found by the kept counts instead of by reading them.
const READ_PAST: i64 = 1_000;
/// Of what a search finds no more are counted, and no more can be paged through.
const COUNTED: i64 = 10_000;

/// How many orders there are under a filter, and whether there are more than were counted.
struct Found {
    total: i64,
    more: bool,
}

/// Newest first. A page past the end is empty; there is always at least one page.
pub async fn list_orders(db: &Db, filter: &Filter, page: Page) -> Result<OrderPage, Error> {
    let offset = (page.number - 1).saturating_mul(page.limit);
    let is_counted = filter.user_id.is_none() && filter.search.is_none();
    let Found { total, more } = if is_counted {
        Found { total: days::total(db.read(), filter).await?, more: false }
    } else {
        count(db, filter).await?
    };
    let orders = if offset >= total {
        Vec::new()
    } else if is_counted && offset > READ_PAST {
        list_page_of_day(db, filter, page.limit, offset).await?
    } else {
        // What finds a good part of all orders is soon met with on the way back from the newest one.
        let way = if more && offset < READ_PAST { Way::ByTime } else { Way::BySearch };
        list_page(db, filter, page.limit, offset, way).await?
    };
    Ok(OrderPage { orders, page: page.number, total_pages: pages(total, page.limit), total, more_than_total: more })
}

async fn count(db: &Db, filter: &Filter) -> Result<Found, Error> {
    let Condition { sql, arguments, search } = Condition::of(filter, db.by_bytes(), Way::BySearch)?;
    let most = if search.is_empty() { String::new() } else { format!(" LIMIT {}", COUNTED + 1) };
    let found: Vec<String> =
        each_once(&search).map(|either| format!("SELECT 1 AS found FROM orders WHERE {sql} AND {either}")).collect();
    let count = format!("SELECT COUNT(*) FROM ({}{most}) counted", found.join(" UNION ALL "));
    let total: i64 = sqlx::query_scalar_with(AssertSqlSafe(count), arguments).fetch_one(db.read()).await?;
    let more = !search.is_empty() && total > COUNTED;
    Ok(Found { total: if more { COUNTED } else { total }, more })
}

/// Far down the list: from the day on which the page begins.
async fn list_page_of_day(db: &Db, filter: &Filter, limit: i64, offset: i64) -> Result<Vec<OrderListItem>, Error> {
    let Some(place) = days::find_place(db.read(), filter, offset).await? else {
        return Ok(Vec::new());
    };
    let from_that_day_on = Filter { before: Some((place.day + 1) * DAY), ..filter.clone() };
    list_page(db, &from_that_day_on, limit, offset - place.newer, Way::BySearch).await
}

/// Which orders these are is read from an index alone; only then are they looked up.
async fn list_page(db: &Db, filter: &Filter, limit: i64, offset: i64, way: Way) -> Result<Vec<OrderListItem>, Error> {
    let mut condition = Condition::of(filter, db.by_bytes(), way)?;
    let limit = condition.bind(limit)?;
    let offset = condition.bind(offset)?;
    let sql = &condition.sql;
    let ways: Vec<String> = match way {
        Way::BySearch => each_once(&condition.search).collect(),
        Way::ByTime => vec![format!("({})", either(&condition.search))],
    };
    let found =
        ways.iter().map(|either| format!("SELECT created_at AS at, id AS found FROM orders WHERE {sql} AND {either}"));
    let select = format!(
        "SELECT id, number, created_at, total, status, name, user_email, payment_status, attention \
         FROM ({} ORDER BY at DESC, found DESC LIMIT {limit} OFFSET {offset}) page JOIN orders ON id = found \
         ORDER BY created_at DESC, id DESC",
        found.collect::<Vec<_>>().join(" UNION ALL ")
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), condition.arguments).fetch_all(db.read()).await?;
    rows.iter().map(item_of).collect()
}

/// One condition for each way in which an order may be found, none of which finds what one before it has found:
/// each of them is a range of one index, which their sum is not.
fn each_once(search: &[String]) -> impl Iterator<Item = String> {
    let ways = search.iter().enumerate().map(|(index, way)| {
        let before = search.iter().take(index).map(|earlier| format!(" AND NOT {earlier}"));
        format!("{way}{}", before.collect::<String>())
    });
    ways.chain(search.is_empty().then(|| "1 = 1".to_owned()))
}

/// An order as one line of an export.
#[derive(Clone, Debug)]
pub struct OrderLine {
    pub id: String,
    pub number: i64,
    pub created_at: i64,
    pub status: OrderStatus,
    pub payment: PaymentStatus,
    pub name: String,
    pub user_email: String,
    pub tracking_number: Option<String>,
    pub subtotal: Cents,
    pub shipping: Cents,
    pub tax: Cents,
    pub total: Cents,
    pub refunded: Cents,
}

/// The next `limit` orders under the filter, newest first, after the one that came last.
pub async fn list_lines(
    db: &Db,
    filter: &Filter,
    after: Option<&OrderLine>,
    limit: i64,
) -> Result<Vec<OrderLine>, Error> {
    let mut condition = Condition::of(filter, db.by_bytes(), Way::BySearch)?;
    if let Some(last) = after {
        let (at, id) = (condition.bind(last.created_at)?, condition.bind(last.id.clone())?);
        condition.and(&format!("created_at <= {at} AND (created_at < {at} OR id < {id})"));
    }
    let limit = condition.bind(limit)?;
    let select = format!(
        "SELECT id, number, created_at, status, payment_status, name, user_email, tracking_number, subtotal, \
         shipping, tax, total, refunded FROM orders WHERE {} AND ({}) ORDER BY created_at DESC, id DESC LIMIT {limit}",
        condition.sql,
        either(&condition.search)
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), condition.arguments).fetch_all(db.read()).await?;
    rows.iter().map(line_of).collect()
}

fn either(search: &[String]) -> String {
    if search.is_empty() { "1 = 1".to_owned() } else { search.join(" OR ") }
}

fn pages(total: i64, limit: i64) -> i64 {
    let full = total / limit;
    (full + i64::from(total % limit != 0)).max(1)
}

/// Along which index a search goes. What lies off the way is written so that no index fits it: left to itself a database
/// guesses, and now and then guesses wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Through all that the search finds, whose newest are then picked.
    BySearch,
    /// From the newest order back, until enough are found.
    ByTime,
}

/// The SQL after `WHERE` and what is bound to it. The text is made of constants and placeholders alone.
struct Condition {
    sql: String,
    arguments: AnyArguments,
    /// Besides, one of these must hold, where there are any: the ways in which a search finds an order.
    search: Vec<String>,
}

impl Condition {
    fn of(filter: &Filter, by_bytes: &str, way: Way) -> Result<Self, Error> {
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
            let wanted = condition.bind(wanted.word().to_owned())?;
            condition.and(&format!("{status} = {wanted}"));
        }
        if let Some(search) = &filter.search {
            condition.search(search, by_bytes, way)?;
        }
        Ok(condition)
    }

    /// A beginning is a range of texts in the order of their bytes, which an index can find; a pattern for `LIKE`
    /// no index here would help with.
    fn search(&mut self, search: &str, by_bytes: &str, way: Way) -> Result<(), Error> {
        let beginning = search.trim().to_lowercase();
        let end = match after_all_with(&beginning) {
            Some(end) => Some(self.bind(end)?),
            None => None,
        };
        let first = self.bind(beginning)?;
        let begins = |key: &str| match &end {
            Some(end) => format!("({key} {by_bytes} >= {first} AND {key} {by_bytes} < {end})"),
            None => format!("({key} {by_bytes} >= {first})"),
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

    fn and(&mut self, part: &str) {
        self.sql = format!("{} AND {part}", self.sql);
    }

    /// The placeholder under which the value is bound.
    fn bind<'q, T>(&mut self, value: T) -> Result<String, Error>
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

fn item_of(row: &AnyRow) -> Result<OrderListItem, Error> {
    Ok(OrderListItem {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        order_date: rfc3339(row.try_get("created_at")?),
        total: cents(row, "total")?,
        status: status(row.try_get("status")?)?,
        name: row.try_get("name")?,
        user_email: Some(row.try_get("user_email")?),
        payment: Some(payment_status(row.try_get("payment_status")?)?),
        needs_attention: Some(row.try_get::<Option<String>, _>("attention")?.is_some()),
    })
}

fn line_of(row: &AnyRow) -> Result<OrderLine, Error> {
    Ok(OrderLine {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        created_at: row.try_get("created_at")?,
        status: status(row.try_get("status")?)?,
        payment: payment_status(row.try_get("payment_status")?)?,
        name: row.try_get("name")?,
        user_email: row.try_get("user_email")?,
        tracking_number: row.try_get("tracking_number")?,
        subtotal: cents(row, "subtotal")?,
        shipping: cents(row, "shipping")?,
        tax: cents(row, "tax")?,
        total: cents(row, "total")?,
        refunded: cents(row, "refunded")?,
    })
}

fn cents(row: &AnyRow, column: &str) -> Result<Cents, Error> {
    Ok(Cents::from_cents(row.try_get(column)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_page() {
        assert_eq!([pages(0, 10), pages(10, 10), pages(11, 10)], [1, 1, 2]);
    }

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
