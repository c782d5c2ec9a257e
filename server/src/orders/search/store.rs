//! The words of orders, the orders with a tracking number, and the products with a word.

use std::collections::{BTreeSet, HashMap, HashSet};

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row as _};
use wasm_core::orders::compact_tracking_number;
use wasm_core::validation::Address;

use super::range::range;
use super::{SearchedOrder, is_start};
use crate::db::json::from_json;
use crate::db::prefix::prefix_end;
use crate::db::rows::{Insert, Values, in_list};
use crate::error::Error;
use crate::infra::words::{compact, words};

const WORDS: Insert = Insert("order_words", &["word", "created_at", "order_id"]);
/// Bound values per query.
const BOUND: usize = 200;
/// Number of rows from which the words of a range are frequent.
const FREQUENT: i64 = 20_000;
/// Largest number of frequent words that are read one after the other.
const MAX_FREQUENT: u8 = 20;

/// A word of an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderWord {
    word: String,
    created_at: i64,
    order_id: String,
}

/// The words that these orders should have.
pub async fn words_of(tx: &mut AnyConnection, ids: &[&str]) -> Result<BTreeSet<OrderWord>, Error> {
    let mut all = BTreeSet::new();
    for chunk in ids.chunks(BOUND) {
        let (ids, bound) = in_list(chunk.iter().map(|id| (*id).to_owned()))?;
        let select = format!(
            "SELECT id, created_at, name, user_email, address, tracking_number FROM orders WHERE id IN ({ids})"
        );
        for row in sqlx::query_with(AssertSqlSafe(select), bound).fetch_all(&mut *tx).await? {
            all.extend(order_words(searched_order(&row)?));
        }
    }
    Ok(all)
}

fn searched_order(row: &AnyRow) -> Result<SearchedOrder, Error> {
    let address: Address = from_json(row.try_get("address")?)?;
    Ok(SearchedOrder {
        id: row.try_get("id")?,
        created_at: row.try_get("created_at")?,
        name: row.try_get("name")?,
        email: row.try_get("user_email")?,
        postal_code: address.address.postal_code,
        tracking_number: row.try_get("tracking_number")?,
    })
}

fn order_words(order: SearchedOrder) -> impl Iterator<Item = OrderWord> {
    let words = order.words();
    words.into_iter().map(move |word| OrderWord { word, created_at: order.created_at, order_id: order.id.clone() })
}

/// Inserts the words of a new order.
pub async fn insert(tx: &mut AnyConnection, order: SearchedOrder) -> Result<(), Error> {
    insert_words(tx, &order_words(order).collect::<Vec<_>>()).await
}

/// Inserts the words of the orders with these ids, which have none yet.
pub async fn insert_all(tx: &mut AnyConnection, ids: &[&str]) -> Result<(), Error> {
    let words: Vec<_> = words_of(tx, ids).await?.into_iter().collect();
    insert_words(tx, &words).await
}

/// Replaces the words that the orders had before an edit.
pub async fn replace(tx: &mut AnyConnection, ids: &[&str], before: &BTreeSet<OrderWord>) -> Result<(), Error> {
    let after = words_of(tx, ids).await?;
    for gone in before.difference(&after) {
        sqlx::query("DELETE FROM order_words WHERE word = $1 AND created_at = $2 AND order_id = $3")
            .bind(&gone.word)
            .bind(gone.created_at)
            .bind(&gone.order_id)
            .execute(&mut *tx)
            .await?;
    }
    insert_words(tx, &after.difference(before).cloned().collect::<Vec<_>>()).await
}

async fn insert_words(tx: &mut AnyConnection, words: &[OrderWord]) -> Result<(), Error> {
    let values = |values: &mut Values, OrderWord { word, created_at, order_id }: &OrderWord| {
        values.text(word)?.whole(*created_at)?.text(order_id).map(drop)
    };
    WORDS.run(tx, words, values).await
}

/// The numbers of the orders with one of these tracking numbers, by compact tracking number.
pub async fn list_tracked(tx: &mut AnyConnection, numbers: &[&str]) -> Result<HashMap<String, HashSet<i64>>, Error> {
    let mut tracked: HashMap<String, HashSet<i64>> = HashMap::new();
    for chunk in numbers.chunks(BOUND) {
        let (words, bound) = in_list(chunk.iter().map(|number| compact(number)))?;
        let select = format!(
            "SELECT word, number, tracking_number FROM order_words JOIN orders ON id = order_id \
             WHERE word IN ({words}) AND tracking_number IS NOT NULL"
        );
        for row in sqlx::query_with(AssertSqlSafe(select), bound).fetch_all(&mut *tx).await? {
            let tracking_number: &str = row.try_get("tracking_number")?;
            // The word may also be of a name.
            if row.try_get::<&str, _>("word")? == compact(tracking_number) {
                tracked.entry(compact_tracking_number(tracking_number)).or_default().insert(row.try_get("number")?);
            }
        }
    }
    Ok(tracked)
}

/// The words of orders that start like this, if they are frequent and few.
pub async fn list_frequent(pool: &AnyPool, start: &str) -> Result<Vec<String>, Error> {
    let mut bound = AnyArguments::default();
    let condition = range(start, &mut bound)?;
    let count = format!("SELECT COUNT(*) FROM (SELECT 1 FROM order_words WHERE {condition} LIMIT {FREQUENT}) counted");
    let counted: i64 = sqlx::query_scalar_with(AssertSqlSafe(count), bound).fetch_one(pool).await?;
    if counted < FREQUENT {
        return Ok(Vec::new());
    }
    let Some(end) = prefix_end(start).filter(|_| is_start(start)) else {
        return Ok(vec![start.to_owned()]);
    };
    // Each step is a search in the index for the next word.
    let words: Vec<String> = sqlx::query_scalar(
        "WITH RECURSIVE found (word) AS (\
           SELECT (SELECT word FROM order_words WHERE word >= $1 AND word < $2 ORDER BY word LIMIT 1) UNION ALL \
           SELECT (SELECT o.word FROM order_words o WHERE o.word > found.word AND o.word < $2 ORDER BY o.word LIMIT 1) \
           FROM found WHERE found.word IS NOT NULL) \
         SELECT word FROM found WHERE word IS NOT NULL LIMIT $3",
    )
    .bind(start)
    .bind(end)
    .bind(i64::from(MAX_FREQUENT) + 1)
    .fetch_all(pool)
    .await?;
    Ok(if words.len() > usize::from(MAX_FREQUENT) { Vec::new() } else { words })
}

/// The ids of the products that have a word with each of these starts, start by start.
pub async fn list_products(pool: &AnyPool, starts: &[String]) -> Result<Vec<Vec<String>>, Error> {
    let products: Vec<(String, String, Option<String>)> =
        sqlx::query_as("SELECT id, name, sku FROM products").fetch_all(pool).await?;
    let mut found = vec![Vec::new(); starts.len()];
    for (id, name, sku) in products {
        let mut own = words(&name);
        own.extend(words(sku.as_deref().unwrap_or_default()));
        for (start, ids) in starts.iter().zip(&mut found) {
            if own.iter().any(|word| word == start || (is_start(start) && word.starts_with(start))) {
                ids.push(id.clone());
            }
        }
    }
    Ok(found)
}
