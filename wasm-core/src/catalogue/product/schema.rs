//! JSON Schemas of a product's fields, with the limits that validation checks.

use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::{DESCRIPTION, MAX_PRICE, MAX_STOCK, MAX_WEIGHT, MIN_PRICE, MIN_WEIGHT, NAME, TextRule};
use crate::decimal;
use crate::openapi::two_decimals;

pub(super) fn name() -> Object {
    text(&NAME)
}

pub(super) fn description() -> Object {
    text(&DESCRIPTION)
}

/// In dollars.
pub(super) fn price() -> Object {
    between(two_decimals("US dollars"), MIN_PRICE.cents(), MAX_PRICE.cents())
}

pub(super) fn stock() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(MAX_STOCK)).build()
}

/// In pounds.
pub(super) fn weight() -> Object {
    between(two_decimals("Pounds"), MIN_WEIGHT.hundredths(), MAX_WEIGHT.hundredths())
}

fn text(rule: &TextRule) -> Object {
    ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(rule.max)).build()
}

fn between(schema: ObjectBuilder, min: i64, max: i64) -> Object {
    schema.minimum(number(min)).maximum(number(max)).build()
}

/// A limit as a JSON number, parsed from its decimal text.
fn number(hundredths: i64) -> Option<f64> {
    decimal::text(hundredths).parse().ok()
}
