//! Schemas of what is written by hand on the wire: decimals with two places, and sentences by field.

use alloc::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::money::Cents;
use crate::validation::FieldErrors;
use crate::weight::Weight;

/// A JSON number with at most two decimals.
pub(crate) fn two_decimals() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(Type::Number)).multiple_of(Some(0.01))
}

fn described(schema: ObjectBuilder, description: &str) -> RefOr<Schema> {
    RefOr::T(Schema::Object(schema.description(Some(description)).build()))
}

impl PartialSchema for Cents {
    fn schema() -> RefOr<Schema> {
        described(two_decimals(), "US dollars, with at most two decimals and without an exponent.")
    }
}

impl ToSchema for Cents {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Money")
    }
}

impl PartialSchema for Weight {
    fn schema() -> RefOr<Schema> {
        described(two_decimals(), "Pounds, with at most two decimals and without an exponent.")
    }
}

impl ToSchema for Weight {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Weight")
    }
}

impl PartialSchema for FieldErrors {
    fn schema() -> RefOr<Schema> {
        let sentence = ObjectBuilder::new().schema_type(Type::String);
        described(
            ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(sentence)),
            "What is wrong, by input: a sentence for a person under each path, like `address.postal_code`.",
        )
    }
}

impl ToSchema for FieldErrors {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("FieldErrors")
    }
}
