//! The SQL of a search: the time and id of each match, as the common table expression `hits`.

use sqlx::any::AnyArguments;

use super::range::{bind, range};
use super::{Search, store};
use crate::db::Db;
use crate::error::Error;
use crate::orders::sort::Sort;

/// Largest number of products whose lines are read one product after the other. A word of more products is frequent, so
/// that a walk back from the newest order soon has its matches.
const MAX_PRODUCTS: usize = 20;

/// A word of a query, with the products and the frequent words that start like it.
struct Word {
    /// The condition on `word` in `order_words`.
    range: String,
    products: Vec<String>,
    /// The words of orders, if they are frequent and few.
    frequent: Vec<String>,
}

/// The first matches of a frequent word: the filter applies before their number is limited.
pub struct First<'a> {
    /// Conditions on columns of `orders`.
    pub filter: &'a str,
    /// Whether the filter needs more than the time and the id.
    pub reads_rows: bool,
    pub sort: Sort,
    /// Largest number of matches by each product or frequent word.
    pub limit: i64,
}

/// The query of the matches' `created_at` and `id`, and whether it returns the first ones only.
pub struct Matches {
    pub sql: String,
    pub is_limited: bool,
}

/// Binds the search's values. With `first`, a search whose words all belong to products or are frequent stops at its
/// limit.
pub async fn matches(
    db: &Db,
    search: &Search,
    first: Option<First<'_>>,
    arguments: &mut AnyArguments,
) -> Result<Matches, Error> {
    let words = load_words(db, search, arguments).await?;
    let (of_products, of_orders): (Vec<_>, Vec<_>) = words.iter().partition(|word| !word.products.is_empty());
    let (frequent, ranges): (Vec<&Word>, Vec<&Word>) =
        of_orders.into_iter().partition(|word| !word.frequent.is_empty());
    let is_limited = first.is_some() && ranges.is_empty() && !words.is_empty();
    let mut queries = Vec::new();
    if !ranges.is_empty() {
        queries.push(word_query(&ranges, &conditions(&frequent, &of_products)));
    } else if let Some((word, others)) = frequent.split_first() {
        let reading = Reading::of(first.as_ref(), &conditions(others, &of_products), arguments)?;
        queries.extend(reading.words(word));
    } else if !of_products.is_empty() {
        queries.extend(product_queries(&of_products, first.as_ref(), arguments)?);
    }
    if let Some(code) = &search.code {
        queries.push(format!("{WORDS} WHERE {}", range(code, arguments)?));
    }
    if let Some(number) = search.number {
        queries.push(format!("SELECT created_at, id FROM orders WHERE number = {}", bind(number, arguments)?));
    }
    if queries.is_empty() {
        queries.push("SELECT created_at, id FROM orders WHERE 1 = 0".to_owned());
    }
    Ok(Matches { sql: queries.join(" UNION "), is_limited })
}

const WORDS: &str = "SELECT DISTINCT created_at, order_id AS id FROM order_words";

async fn load_words(db: &Db, search: &Search, arguments: &mut AnyArguments) -> Result<Vec<Word>, Error> {
    let products = store::list_products(db.read(), &search.words).await?;
    let mut words = Vec::new();
    for (word, products) in search.words.iter().zip(products) {
        let frequent = store::list_frequent(db.read(), word).await?;
        words.push(Word {
            range: range(word, arguments)?,
            products: products.into_iter().map(|id| bind(id, arguments)).collect::<Result<_, _>>()?,
            frequent: frequent.into_iter().map(|word| bind(word, arguments)).collect::<Result<_, _>>()?,
        });
    }
    Ok(words)
}

/// The orders with all words: the intersection of ranges of the index, of which those that meet the conditions are chosen.
fn word_query(words: &[&Word], conditions: &str) -> String {
    let ranges = words.iter().map(|word| format!("{WORDS} WHERE {}", word.range));
    let common = ranges.collect::<Vec<_>>().join(" INTERSECT ");
    format!("SELECT created_at, id FROM ({common}) matches WHERE 1 = 1{conditions}")
}

/// SQL conditions that a match has these words, too.
fn conditions(frequent: &[&Word], of_products: &[&Word]) -> String {
    let frequent = frequent.iter().map(|word| format!(" AND {}", has_order_word(word)));
    frequent.chain(of_products.iter().map(|word| format!(" AND {}", has_word(word)))).collect()
}

/// Whether a match has the word. A frequent word is looked up, any other is searched once.
fn has_order_word(Word { range, frequent, .. }: &Word) -> String {
    if frequent.is_empty() {
        return format!("matches.id IN (SELECT order_id FROM order_words WHERE {range})");
    }
    let words = frequent.join(", ");
    // An `EXISTS` becomes a join of all rows of the word on PostgreSQL.
    format!(
        "(SELECT COUNT(*) FROM order_words w \
         WHERE w.word IN ({words}) AND w.created_at = matches.created_at AND w.order_id = matches.id) > 0"
    )
}

/// Whether a match has one of the word's products.
fn has_product(word: &Word) -> String {
    let products = word.products.join(", ");
    format!("EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = matches.id AND l.product_id IN ({products}))")
}

/// Whether a match has the word, or a product with it.
fn has_word(word: &Word) -> String {
    format!("({} OR {})", has_product(word), has_order_word(word))
}

/// The orders with all words, each of which belongs to a product: by the lines of the rarest one's products.
fn product_queries(
    words: &[&Word],
    first: Option<&First<'_>>,
    arguments: &mut AnyArguments,
) -> Result<Vec<String>, Error> {
    let Some((rarest, word)) = words.iter().enumerate().min_by_key(|(_, word)| word.products.len()) else {
        return Ok(Vec::new());
    };
    let others: Vec<&Word> =
        words.iter().enumerate().filter(|(index, _)| *index != rarest).map(|(_, word)| *word).collect();
    let reading = Reading::of(first, &conditions(&[], &others), arguments)?;
    let mut queries = reading.words(word);
    if word.products.len() > MAX_PRODUCTS {
        queries.push(reading.orders(&has_product(word)));
    } else {
        queries.extend(word.products.iter().map(|product| reading.lines(product)));
    }
    Ok(queries)
}

/// How matches are read: all of them, or the first ones. Each query names them `matches`.
struct Reading {
    /// Conditions on the matches among `orders`.
    of_orders: String,
    /// Conditions on the matches among `order_words`.
    of_words: String,
    by_time: String,
    by_order_id: String,
}

impl Reading {
    fn of(first: Option<&First<'_>>, conditions: &str, arguments: &mut AnyArguments) -> Result<Self, Error> {
        let Some(First { filter, reads_rows, sort, limit }) = first else {
            let [of_orders, of_words] = [conditions; 2].map(str::to_owned);
            return Ok(Self { of_orders, of_words, by_time: String::new(), by_order_id: String::new() });
        };
        let limit = bind(*limit, arguments)?;
        let order = |columns: &str| format!(" ORDER BY {columns} LIMIT {limit}");
        let of_orders = format!(" AND {filter}{conditions}");
        // An `EXISTS` becomes a join of all matches on PostgreSQL.
        let of_words = if *reads_rows {
            format!(" AND (SELECT COUNT(*) FROM orders WHERE id = matches.id AND {filter}) > 0{conditions}")
        } else {
            of_orders.clone()
        };
        Ok(Self { of_orders, of_words, by_time: order(sort.by_time()), by_order_id: order(sort.by_order_id()) })
    }

    /// In the order of time.
    fn orders(&self, condition: &str) -> String {
        read("orders matches", condition, &self.of_orders, &self.by_time)
    }

    /// By the index of words, the frequent ones one after the other.
    fn words(&self, Word { range, frequent, .. }: &Word) -> Vec<String> {
        let query = |matches: &str| read(&format!("({matches}) matches"), "1 = 1", &self.of_words, &self.by_time);
        if frequent.is_empty() {
            return vec![query(&format!("{WORDS} WHERE {range}"))];
        }
        // No order has a word twice.
        let of_word = |word| format!("SELECT created_at, order_id AS id FROM order_words WHERE word = {word}");
        frequent.iter().map(|word| query(&of_word(word))).collect()
    }

    /// By the index of the product's lines. `CROSS JOIN` keeps SQLite from starting with the orders.
    fn lines(&self, product: &str) -> String {
        let condition = format!("id = order_id AND product_id = {product}");
        read("order_lines CROSS JOIN orders matches", &condition, &self.of_orders, &self.by_order_id)
    }
}

/// A query within a query, so that each part of a `UNION` has an order.
fn read(from: &str, condition: &str, filter: &str, order: &str) -> String {
    format!("SELECT created_at, id FROM (SELECT created_at, id FROM {from} WHERE {condition}{filter}{order}) first")
}
