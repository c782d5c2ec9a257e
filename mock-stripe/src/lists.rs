//! Lists in Stripe's form: newest first, paged with `starting_after` and `ending_before`.

use serde_json::{Value, json};
use sqlx::{AnyConnection, Error};

use crate::api_error::ApiError;
use crate::form::Form;
use crate::intent::Intent;
use crate::store::{self, Cursor, Range};

const DEFAULT: i64 = 10;
const MOST: i64 = 100;

/// Parses `limit`, `starting_after` or `ending_before`, and `created`.
pub fn take_range(form: &mut Form) -> Result<Range, ApiError> {
    let limit = form.take_integer("limit")?.unwrap_or(DEFAULT);
    if !(1..=MOST).contains(&limit) {
        let error = ApiError::invalid(format!("Limit must be 1 to {MOST}.")).code("parameter_invalid_integer");
        return Err(error.param("limit"));
    }
    let cursor = match (form.take_text("starting_after")?, form.take_text("ending_before")?) {
        (None, None) => Cursor::Newest,
        (Some(id), None) => Cursor::After(id),
        (None, Some(id)) => Cursor::Before(id),
        (Some(_), Some(_)) => {
            let message = "You may only specify one of these parameters: starting_after, ending_before.";
            return Err(ApiError::invalid(message));
        }
    };
    let mut range = Range { from: i64::MIN, until: i64::MAX, cursor, parent: None, limit };
    if form.is_text("created") {
        let second = form.take_integer("created")?.unwrap_or_default();
        range.from = second.saturating_mul(1000);
        range.until = range.from.saturating_add(999);
    } else if let Some(mut created) = form.take_form("created")? {
        take_bounds(&mut created, &mut range)?;
        created.reject_unknown()?;
    }
    Ok(range)
}

/// Converts the bounds from seconds to milliseconds.
fn take_bounds(created: &mut Form, range: &mut Range) -> Result<(), ApiError> {
    let start_of = |second: i64| second.saturating_mul(1000);
    if let Some(second) = created.take_integer("gte")? {
        range.from = range.from.max(start_of(second));
    }
    if let Some(second) = created.take_integer("gt")? {
        range.from = range.from.max(start_of(second.saturating_add(1)));
    }
    if let Some(second) = created.take_integer("lte")? {
        range.until = range.until.min(start_of(second.saturating_add(1)).saturating_sub(1));
    }
    if let Some(second) = created.take_integer("lt")? {
        range.until = range.until.min(start_of(second).saturating_sub(1));
    }
    Ok(())
}

/// The charge whose refunds or disputes are listed, given by its id or by its intent. None for all charges.
pub async fn charge_of(
    connection: &mut AnyConnection,
    intent_id: Option<String>,
    charge_id: Option<String>,
) -> Result<Option<String>, Error> {
    let Some(id) = intent_id else {
        return Ok(charge_id);
    };
    let intent: Option<Intent> = store::find(connection, &id).await?;
    // An unpaid or unknown intent has none.
    Ok(intent.and_then(|intent| intent.latest_charge).or(Some(id)))
}

impl Range {
    /// Adds one to the limit, to detect a further page.
    pub fn with_one_more(&self) -> Self {
        Self { limit: self.limit + 1, ..self.clone() }
    }
}

/// The list object for the result of [`Range::with_one_more`].
pub fn page(url: &str, mut found: Vec<Value>, range: &Range) -> Value {
    let limit = usize::try_from(range.limit).unwrap_or(usize::MAX);
    let has_more = found.len() > limit;
    match range.cursor {
        // The extra object is the one farthest from the cursor.
        Cursor::Before(_) if has_more => drop(found.drain(..found.len() - limit)),
        _ => found.truncate(limit),
    }
    json!({ "object": "list", "data": found, "has_more": has_more, "url": url })
}

/// A page of a list that is in memory.
pub fn part(url: &str, all: Vec<Value>, range: &Range) -> Value {
    let is = |entry: &Value, id: &str| entry["id"] == *id;
    let rest = match &range.cursor {
        Cursor::Newest => all,
        Cursor::After(id) => all.into_iter().skip_while(|entry| !is(entry, id)).skip(1).collect(),
        Cursor::Before(id) if all.iter().any(|entry| is(entry, id)) => {
            all.into_iter().take_while(|entry| !is(entry, id)).collect()
        }
        Cursor::Before(_) => Vec::new(),
    };
    page(url, rest, range)
}

/// The list object of a complete list.
pub fn whole(url: &str, data: Vec<Value>) -> Value {
    json!({ "object": "list", "data": data, "has_more": false, "url": url })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_in_seconds_become_milliseconds() {
        let mut form = Form::parse("created[gt]=5&created[lte]=7&limit=3").unwrap();
        let range = take_range(&mut form).unwrap();
        assert_eq!((range.from, range.until, range.limit), (6_000, 7_999, 3));
        let exact = take_range(&mut Form::parse("created=5").unwrap()).unwrap();
        assert_eq!((exact.from, exact.until), (5_000, 5_999));
    }

    #[test]
    fn a_page_says_whether_there_is_more() {
        let range = take_range(&mut Form::parse("limit=2").unwrap()).unwrap();
        let three = page("/v1/refunds", vec![json!(1), json!(2), json!(3)], &range);
        assert_eq!((&three["has_more"], three["data"].as_array().unwrap().len()), (&json!(true), 2));
        assert_eq!(page("/v1/refunds", vec![json!(1)], &range)["has_more"], json!(false));
        assert!(take_range(&mut Form::parse("limit=101").unwrap()).is_err());
    }

    #[test]
    fn the_next_part_begins_after_the_last_one() {
        let all = || (0..5).map(|at| json!({ "id": at.to_string() })).collect::<Vec<_>>();
        let after = |encoded| part("/v1/x", all(), &take_range(&mut Form::parse(encoded).unwrap()).unwrap());
        assert_eq!(after("limit=2")["data"], json!([{ "id": "0" }, { "id": "1" }]));
        let last = after("limit=2&starting_after=3");
        assert_eq!((&last["data"], &last["has_more"]), (&json!([{ "id": "4" }]), &json!(false)));
        assert_eq!(after("starting_after=9")["data"], json!([]));
        let before = after("limit=2&ending_before=3");
        assert_eq!((&before["data"], &before["has_more"]), (&json!([{ "id": "1" }, { "id": "2" }]), &json!(true)));
        assert_eq!(after("ending_before=1")["data"], json!([{ "id": "0" }]));
        assert_eq!(after("ending_before=9")["data"], json!([]));
        assert!(take_range(&mut Form::parse("starting_after=1&ending_before=2").unwrap()).is_err());
    }
}
