//! JSON Schemas of types with hand-written serde implementations: amounts and weights.

use alloc::borrow::Cow;

use serde_json::json;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::money::Cents;
use crate::weight::Weight;

/// JSON number with at most two decimals. The description says so instead of `multipleOf`, which validators compute
/// with floats: they reject 19.99 as a multiple of 0.01.
pub(crate) fn two_decimals(unit: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Number))
        .description(Some(format!("{unit}, with at most two decimals and no exponent.")))
        .examples([json!(24.99), json!(0.5), json!(7)])
}

impl PartialSchema for Cents {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Object(two_decimals("US dollars").build()))
    }
}

impl ToSchema for Cents {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Money")
    }
}

impl PartialSchema for Weight {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Object(two_decimals("Pounds").build()))
    }
}

impl ToSchema for Weight {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Weight")
    }
}
