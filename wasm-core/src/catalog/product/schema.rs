//! JSON Schemas of a product's fields, with the limits that validation checks.

use utoipa::openapi::Object;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, SchemaType, Type};

use super::limits::{
    BOX_ITEM, DESCRIPTION, HS_CODE, LED_COLOR, MAX_BOX_ITEMS, MAX_BRIGHTNESS, MAX_CABLE_LENGTH, MAX_LENGTH, MAX_POWER,
    MAX_PRICE, MAX_STOCK, MAX_TIMEKEEPING, MAX_WARRANTY, MAX_WEIGHT, MIN_PRICE, MIN_WEIGHT, NAME, SKU,
};
use crate::decimal;
use crate::openapi::two_decimals;
use crate::validation::TextRule;

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

pub(super) fn length() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(MAX_LENGTH)).build()
}

pub(super) fn cable_length() -> Object {
    optional_number(MAX_CABLE_LENGTH)
}

pub(super) fn power() -> Object {
    optional_number(MAX_POWER)
}

pub(super) fn brightness() -> Object {
    optional_number(MAX_BRIGHTNESS)
}

pub(super) fn timekeeping() -> Object {
    optional_number(MAX_TIMEKEEPING)
}

pub(super) fn warranty() -> Object {
    optional_number(MAX_WARRANTY)
}

pub(super) fn led_color() -> Object {
    optional(Type::String).max_length(Some(LED_COLOR.max)).build()
}

pub(super) fn sku() -> Object {
    pattern("^[A-Za-z0-9._-]*$").max_length(Some(SKU.max)).build()
}

pub(super) fn gtin() -> Object {
    pattern("^([0-9]{8}|[0-9]{12,14})?$").build()
}

pub(super) fn country() -> Object {
    pattern("^([A-Za-z]{2})?$").build()
}

pub(super) fn hs_code() -> Object {
    pattern("^[0-9.]*$").max_length(Some(HS_CODE.max)).build()
}

pub(super) fn in_the_box() -> Array {
    let item = ObjectBuilder::new().schema_type(Type::String).max_length(Some(BOX_ITEM.max));
    ArrayBuilder::new().items(item).max_items(Some(MAX_BOX_ITEMS)).build()
}

fn pattern(pattern: &str) -> ObjectBuilder {
    optional(Type::String).pattern(Some(pattern))
}

fn optional_number(max: i64) -> Object {
    optional(Type::Integer).minimum(Some(1)).maximum(Some(max)).build()
}

fn optional(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::from_iter([kind, Type::Null]))
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
