//! Pages of orders under a filter: the customer's list and the administrator's are the same query.

use serde::Deserialize;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{AnyPool, Arguments as _, AssertSqlSafe, Row as _};
use utoipa::IntoParams;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Type};
use utoipa::openapi::{Object, SchemaFormat};
use wasm_core::money::Cents;
use wasm_core::orders::{OrderListItem, OrderPage, OrderStatus};
use wasm_core::validation::FieldErrors;

use super::store::{payment_status, status};
use crate::clock::{DAY, rfc3339, start_of_day};
use crate::error::Error;

const DEFAULT_LIMIT: i64 = 10;
const MAX_LIMIT: i64 = 100;
/// Past this page an offset could overflow; nobody has that many orders.
const MAX_PAGE: i64 = 1_000_000_000;

/// The query string of an order list. Everything arrives as text, so that each wrong value can be named.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListQuery {
    /// From 1.
    #[param(schema_with = page_schema)]
    page: Option<String>,
    /// Orders on a page.
    #[param(schema_with = limit_schema)]
    limit: Option<String>,
    /// The first day, in UTC.
    #[serde(rename = "startDate")]
    #[param(schema_with = day_schema)]
    start_date: Option<String>,
    /// The last day, in UTC; it belongs to the range.
    #[serde(rename = "endDate")]
    #[param(schema_with = day_schema)]
    end_date: Option<String>,
    #[param(value_type = Option<OrderStatus>)]
    status: Option<String>,
    /// A number, the start of an e-mail address or the start of a name; for administrators.
    q: Option<String>,
}

fn page_schema() -> Object {
    whole_number_schema(1, MAX_PAGE)
}

fn limit_schema() -> Object {
    whole_number_schema(DEFAULT_LIMIT, MAX_LIMIT)
}

fn whole_number_schema(default: i64, max: i64) -> Object {
    let whole_number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(max));
    whole_number.default(Some(default.into())).build()
}

fn day_schema() -> Object {
    let day = SchemaFormat::KnownFormat(KnownFormat::Date);
    ObjectBuilder::new().schema_type(Type::String).format(Some(day)).build()
}

/// A checked query: which page, and the instants between which orders were made.
#[derive(Debug)]
pub struct Range {
    pub page: i64,
    pub limit: i64,
    pub from: Option<i64>,
    pub before: Option<i64>,
    pub status: Option<OrderStatus>,
    pub search: Option<String>,
}

#[derive(Debug, Default)]
pub struct Filter {
    pub user_id: Option<String>,
    pub from: Option<i64>,
    pub before: Option<i64>,
    pub status: Option<OrderStatus>,
    /// A number, the start of an e-mail address or the start of a name.
    pub search: Option<String>,
}

impl Filter {
    pub fn in_range(range: &Range) -> Self {
        Self { from: range.from, before: range.before, ..Self::default() }
    }
}

impl ListQuery {
    /// # Errors
    /// 400 with a sentence for every parameter that cannot be used.
    pub fn range(&self) -> Result<Range, Error> {
        let mut fields = FieldErrors::default();
        let page = whole_number(&mut fields, "page", self.page.as_deref(), 1, MAX_PAGE);
        let limit = whole_number(&mut fields, "limit", self.limit.as_deref(), DEFAULT_LIMIT, MAX_LIMIT);
        let from = day(&mut fields, "startDate", self.start_date.as_deref());
        let last = day(&mut fields, "endDate", self.end_date.as_deref());
        if let (Some(from), Some(last)) = (from, last)
            && from > last
        {
            fields.insert("startDate", "The start date must not be after the end date.");
        }
        let status = match given(self.status.as_deref()) {
            None => None,
            Some(word) => {
                let found = OrderStatus::from_word(word);
                if found.is_none() {
                    fields.insert("status", "This is not a status an order can have.");
                }
                found
            }
        };
        let search = given(self.q.as_deref()).map(str::to_owned);
        if search.as_ref().is_some_and(|text| text.chars().count() > 254 || text.contains('\0')) {
            fields.insert("q", "Please search for something shorter.");
        }
        if !fields.is_empty() {
            return Err(Error::invalid(fields));
        }
        Ok(Range { page, limit, from, before: last.map(|start| start + DAY), status, search })
    }
}

/// Newest first. A page past the end is empty; there is always at least one page.
pub async fn list_orders(pool: &AnyPool, filter: &Filter, range: &Range) -> Result<OrderPage, Error> {
    let (condition, arguments) = condition(filter)?;
    let count = format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    let total: i64 = sqlx::query_scalar_with(AssertSqlSafe(count), arguments).fetch_one(pool).await?;

    let (condition, mut arguments) = self::condition(filter)?;
    bind(&mut arguments, range.limit)?;
    bind(&mut arguments, (range.page - 1).saturating_mul(range.limit))?;
    let (limit, offset) = (arguments.len() - 1, arguments.len());
    let select = format!(
        "SELECT id, number, created_at, total, status, name, user_email, payment_status, attention FROM orders \
         WHERE {condition} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}"
    );
    let rows = sqlx::query_with(AssertSqlSafe(select), arguments).fetch_all(pool).await?;
    Ok(OrderPage {
        orders: rows.iter().map(item_of).collect::<Result<_, Error>>()?,
        page: range.page,
        total_pages: pages(total, range.limit),
        total,
    })
}

fn pages(total: i64, limit: i64) -> i64 {
    let full = total / limit;
    (full + i64::from(total % limit != 0)).max(1)
}

/// The SQL after `WHERE` and what is bound to it. The text is made of constants and placeholders alone.
fn condition(filter: &Filter) -> Result<(String, AnyArguments), Error> {
    let mut arguments = AnyArguments::default();
    let mut parts = vec!["1 = 1".to_owned()];
    if let Some(user_id) = &filter.user_id {
        bind(&mut arguments, user_id.clone())?;
        parts.push(format!("user_id = ${}", arguments.len()));
    }
    if let Some(from) = filter.from {
        bind(&mut arguments, from)?;
        parts.push(format!("created_at >= ${}", arguments.len()));
    }
    if let Some(before) = filter.before {
        bind(&mut arguments, before)?;
        parts.push(format!("created_at < ${}", arguments.len()));
    }
    if let Some(status) = filter.status {
        bind(&mut arguments, status.word().to_owned())?;
        parts.push(format!("status = ${}", arguments.len()));
    }
    if let Some(search) = &filter.search {
        bind(&mut arguments, starts_with(search))?;
        let prefix = arguments.len();
        let mut either = format!("email_key LIKE ${prefix} ESCAPE '\\' OR name_key LIKE ${prefix} ESCAPE '\\'");
        if let Ok(number) = search.trim_start_matches('#').parse::<i64>() {
            bind(&mut arguments, number)?;
            either = format!("{either} OR number = ${}", arguments.len());
        }
        parts.push(format!("({either})"));
    }
    Ok((parts.join(" AND "), arguments))
}

/// A `LIKE` pattern for keys that begin with `text`, whatever characters it has.
fn starts_with(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 1);
    for character in text.trim().to_lowercase().chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

fn bind<'q, T>(arguments: &mut AnyArguments, value: T) -> Result<(), Error>
where
    T: sqlx::Encode<'q, sqlx::Any> + sqlx::Type<sqlx::Any> + 'q,
{
    arguments.add(value).map_err(Error::internal)
}

fn item_of(row: &AnyRow) -> Result<OrderListItem, Error> {
    Ok(OrderListItem {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        order_date: rfc3339(row.try_get("created_at")?),
        total: Cents::from_cents(row.try_get("total")?),
        status: status(row.try_get("status")?)?,
        name: row.try_get("name")?,
        user_email: Some(row.try_get("user_email")?),
        payment: Some(payment_status(row.try_get("payment_status")?)?),
        needs_attention: Some(row.try_get::<Option<String>, _>("attention")?.is_some()),
    })
}

fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn whole_number(fields: &mut FieldErrors, name: &str, text: Option<&str>, default: i64, max: i64) -> i64 {
    let Some(text) = given(text) else {
        return default;
    };
    match text.parse::<i64>() {
        Ok(number) if (1..=max).contains(&number) => number,
        _ => {
            fields.insert(name, format!("This must be a whole number from 1 to {max}."));
            default
        }
    }
}

fn day(fields: &mut FieldErrors, name: &str, text: Option<&str>) -> Option<i64> {
    let text = given(text)?;
    let start = start_of_day(text);
    if start.is_none() {
        fields.insert(name, "This must be a date like 2026-12-24.");
    }
    start
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn query(page: &str, start: &str, end: &str) -> ListQuery {
        ListQuery {
            page: Some(page.to_owned()),
            start_date: Some(start.to_owned()),
            end_date: Some(end.to_owned()),
            ..ListQuery::default()
        }
    }

    #[test]
    fn both_ends_of_a_date_range_belong_to_it() {
        let range = query("1", "1970-01-02", "1970-01-02").range().unwrap();
        assert_eq!((range.from, range.before), (Some(DAY), Some(2 * DAY)));
    }

    #[test]
    fn page_zero_a_bad_date_and_a_reversed_range_are_refused() {
        assert!(query("0", "", "").range().is_err());
        assert!(query("x", "", "").range().is_err());
        assert!(query("1", "2026-02-30", "").range().is_err());
        assert!(query("1", "2026-02-02", "2026-02-01").range().is_err());
    }

    #[test]
    fn there_is_always_a_page() {
        assert_eq!([pages(0, 10), pages(10, 10), pages(11, 10)], [1, 1, 2]);
    }

    #[test]
    fn a_search_for_wildcards_is_a_search_for_their_characters() {
        assert_eq!(starts_with("50%_A\\"), "50\\%\\_a\\\\%");
    }
}
