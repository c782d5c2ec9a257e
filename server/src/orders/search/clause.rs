//! The SQL of a search: the time and id of each match, as the common table expression `found`.

use sqlx::Arguments as _;
use sqlx::any::AnyArguments;

use super::{Search, is_start, store};
use crate::db::Db;
use crate::db::prefix::prefix_end;
use crate::error::Error;
use crate::orders::sort::Sort;

/// Largest number of products whose lines are read one product after the other. A word of more products is frequent, so
/// that a walk back from the newest order soon has its matches.
const MAX_PRODUCTS: usize = 20;

/// A word with the products that have it.
struct Word {
    /// The condition on `word` in `order_words`.
    range: String,
    products: Vec<String>,
}

/// The first matches of a frequent word: the filter applies before their number is limited.
pub struct First<'a> {
    /// Conditions on columns of `orders`.
    pub filter: &'a str,
    pub sort: Sort,
    /// Largest number of matches by each product.
    pub limit: i64,
}

/// The query of the matches' `created_at` and `id`, and whether it returns the first ones only.
pub struct Matches {
    pub sql: String,
    pub is_limited: bool,
}

/// Binds the search's values. With `first`, a search whose words all belong to products stops at its limit.
pub async fn matches(
    db: &Db,
    search: &Search,
    first: Option<First<'_>>,
    arguments: &mut AnyArguments,
) -> Result<Matches, Error> {
    let words = load_words(db, search, arguments).await?;
    let (of_products, of_orders): (Vec<_>, Vec<_>) = words.iter().partition(|word| !word.products.is_empty());
    let mut queries = Vec::new();
    let is_limited = of_orders.is_empty() && !of_products.is_empty();
    if is_limited {
        queries.extend(product_queries(&of_products, first.as_ref(), arguments)?);
    } else if !of_orders.is_empty() {
        queries.push(word_query(&of_orders, &of_products));
    }
    if let Some(code) = &search.code {
        queries.push(format!("{WORD} WHERE {}", range(code, arguments)?));
    }
    if let Some(number) = search.number {
        queries.push(format!("SELECT created_at, id FROM orders WHERE number = {}", bind(number, arguments)?));
    }
    if queries.is_empty() {
        queries.push("SELECT created_at, id FROM orders WHERE 1 = 0".to_owned());
    }
    Ok(Matches { sql: queries.join(" UNION "), is_limited: is_limited && first.is_some() })
}

const WORD: &str = "SELECT created_at, order_id AS id FROM order_words";

async fn load_words(db: &Db, search: &Search, arguments: &mut AnyArguments) -> Result<Vec<Word>, Error> {
    let products = store::list_products(db.read(), &search.words).await?;
    let mut words = Vec::new();
    for (word, products) in search.words.iter().zip(products) {
        let products = products.into_iter().map(|id| bind(id, arguments)).collect::<Result<_, _>>()?;
        words.push(Word { range: range(word, arguments)?, products });
    }
    Ok(words)
}

/// The orders with all words: the intersection of ranges of the index, of which those with the products' words are chosen.
fn word_query(of_orders: &[&Word], of_products: &[&Word]) -> String {
    let ranges = of_orders.iter().map(|word| format!("{WORD} WHERE {}", word.range));
    let common = ranges.collect::<Vec<_>>().join(" INTERSECT ");
    let conditions: String = of_products.iter().map(|word| format!(" AND {}", has_word(word))).collect();
    format!("SELECT DISTINCT created_at, id FROM ({common}) common WHERE 1 = 1{conditions}")
}

/// Whether the order `id` has the word, or a product with it.
fn has_word(Word { range, products }: &Word) -> String {
    format!(
        "(id IN (SELECT order_id FROM order_words WHERE {range}) OR EXISTS (SELECT 1 FROM order_lines l \
         WHERE l.order_id = id AND l.product_id IN ({})))",
        products.join(", ")
    )
}

/// The orders with all words, each of which belongs to a product: by the lines of the rarest one's products.
fn product_queries(
    words: &[&Word],
    first: Option<&First<'_>>,
    arguments: &mut AnyArguments,
) -> Result<Vec<String>, Error> {
    let Some((rarest, Word { range, products })) = words.iter().enumerate().min_by_key(|(_, word)| word.products.len())
    else {
        return Ok(Vec::new());
    };
    let others = words.iter().enumerate().filter(|(index, _)| *index != rarest).map(|(_, word)| has_word(word));
    let reading = Reading::of(first, &others.collect::<Vec<_>>(), arguments)?;
    let mut queries = vec![reading.words(range)];
    if products.len() > MAX_PRODUCTS {
        let products = products.join(", ");
        let line = format!("SELECT 1 FROM order_lines l WHERE l.order_id = id AND l.product_id IN ({products})");
        queries.push(reading.orders(&format!("EXISTS ({line})")));
    } else {
        queries.extend(products.iter().map(|product| reading.lines(product)));
    }
    Ok(queries)
}

/// How the orders of products are read: all of them, or the first ones.
struct Reading {
    /// Conditions on columns of `orders`.
    filter: String,
    by_time: String,
    by_order_id: String,
}

impl Reading {
    fn of(first: Option<&First<'_>>, conditions: &[String], arguments: &mut AnyArguments) -> Result<Self, Error> {
        let conditions: String = conditions.iter().map(|condition| format!(" AND {condition}")).collect();
        let Some(First { filter, sort, limit }) = first else {
            return Ok(Self { filter: conditions, by_time: String::new(), by_order_id: String::new() });
        };
        let limit = bind(*limit, arguments)?;
        let order = |columns: &str| format!(" ORDER BY {columns} LIMIT {limit}");
        let filter = format!(" AND {filter}{conditions}");
        Ok(Self { filter, by_time: order(sort.by_time()), by_order_id: order(sort.by_order_id()) })
    }

    /// In the order of time.
    fn orders(&self, condition: &str) -> String {
        read("orders", condition, &self.filter, &self.by_time)
    }

    /// By the index of words.
    fn words(&self, range: &str) -> String {
        let words = format!("(SELECT DISTINCT order_id FROM order_words WHERE {range}) words CROSS JOIN orders");
        read(&words, "id = order_id", &self.filter, &self.by_time)
    }

    /// By the index of the product's lines. `CROSS JOIN` keeps SQLite from starting with the orders.
    fn lines(&self, product: &str) -> String {
        let condition = format!("id = order_id AND product_id = {product}");
        read("order_lines CROSS JOIN orders", &condition, &self.filter, &self.by_order_id)
    }
}

/// A query within a query, so that each part of a `UNION` has an order.
fn read(from: &str, condition: &str, filter: &str, order: &str) -> String {
    format!("SELECT created_at, id FROM (SELECT created_at, id FROM {from} WHERE {condition}{filter}{order}) first")
}

/// The condition on `word` for words that start like this: a range of the index. Very many words start with one letter, so
/// that it is only found as a word of its own.
pub fn range(start: &str, arguments: &mut AnyArguments) -> Result<String, Error> {
    let first = bind(start.to_owned(), arguments)?;
    if !is_start(start) {
        return Ok(format!("(word = {first})"));
    }
    match prefix_end(start) {
        Some(end) => Ok(format!("(word >= {first} AND word < {})", bind(end, arguments)?)),
        None => Ok(format!("(word >= {first})")),
    }
}

/// Binds a value and returns its placeholder.
pub fn bind<'q, T>(value: T, arguments: &mut AnyArguments) -> Result<String, Error>
where
    T: sqlx::Encode<'q, sqlx::Any> + sqlx::Type<sqlx::Any> + 'q,
{
    arguments.add(value).map_err(Error::internal)?;
    Ok(format!("${}", arguments.len()))
}
