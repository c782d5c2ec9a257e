//! Conditions on words, with bound values.

use sqlx::Arguments as _;
use sqlx::any::AnyArguments;

use super::is_start;
use crate::db::prefix::prefix_end;
use crate::error::Error;

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
