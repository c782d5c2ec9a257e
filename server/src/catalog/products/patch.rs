//! Patch of a product: its members replace those of the product.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::json;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use wasm_core::catalog::ProductInput;
use wasm_core::wire::non_null_whole_number;

use crate::error::Error;
use crate::http::members::Members;

/// A patch whose members have the right types.
#[derive(Clone)]
pub struct ProductPatch {
    members: Members,
    /// Version of the product that was edited.
    pub version: Option<i64>,
}

#[derive(Deserialize)]
struct Edited {
    #[serde(default, deserialize_with = "non_null_whole_number")]
    version: Option<i64>,
}

impl ProductPatch {
    /// # Errors
    /// 400 with a message for a member of the wrong type.
    pub fn parse(members: Members) -> Result<Self, Error> {
        members.merged_into(&ProductInput::default())?;
        let Edited { version } = members.decoded()?;
        Ok(Self { members, version })
    }

    /// The fields with this patch applied. An optional fact is cleared by `null`.
    ///
    /// # Errors
    /// 400 with a message for each invalid field.
    pub fn applied_to(&self, before: &ProductInput) -> Result<ProductInput, Error> {
        self.members.merged_into(before)?.validated().map_err(Error::invalid)
    }
}

/// The members of `ProductInput`, none of them required, and the version.
impl PartialSchema for ProductPatch {
    fn schema() -> RefOr<Schema> {
        let RefOr::T(Schema::Object(mut schema)) = ProductInput::schema() else { return ProductInput::schema() };
        let version = ObjectBuilder::new().schema_type(Type::Integer).description(Some(
            "Version of the product that was edited (optimistic concurrency): if it is sent and outdated, the edit is a conflict.",
        ));
        schema.description =
            Some("Patch of a product. Absent members stay unchanged; `null` clears an optional fact.".to_owned());
        schema.required.clear();
        schema.properties.insert("version".to_owned(), version.into());
        schema.examples = vec![json!({ "price": 22.99, "version": 3 })];
        RefOr::T(Schema::Object(schema))
    }
}

impl ToSchema for ProductPatch {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ProductPatch")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ProductInput::schemas(schemas);
    }
}
