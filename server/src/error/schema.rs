//! Schema of the error body: a union discriminated by `code`.

use std::borrow::Cow;

use utoipa::openapi::schema::{Discriminator, ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{Components, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use wasm_core::validation::FieldErrors;

use crate::error::details::{PlacedOrder, Shortage};
use crate::error::{Code, ErrorBody};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Always,
    Sometimes,
}

/// A code with details: the name of its error's schema, of its details' schema, and whether details are always present.
const WITH_DETAILS: [(Code, &str, &str, Presence); 3] = [
    (Code::InsufficientStockError, "InsufficientStockError", "InsufficientStockDetails", Presence::Always),
    (Code::EditConflict, "EditConflictError", "EditConflictDetails", Presence::Always),
    (Code::IntentExpired, "IntentExpiredError", "IntentExpiredDetails", Presence::Sometimes),
];
/// The schema of an item that was changed in the meantime.
const CURRENT: &str = "EditConflictCurrent";
/// The schema of all other errors.
const PLAIN: &str = "PlainError";

impl PartialSchema for ErrorBody {
    fn schema() -> RefOr<Schema> {
        let mut discriminator = Discriminator::new("code");
        for code in plain_codes() {
            discriminator.mapping.insert(code, Ref::from_schema_name(PLAIN).ref_location);
        }
        let mut union = OneOfBuilder::new()
            .description(Some("Body of every error. `code` determines its details."))
            .item(Ref::from_schema_name(PLAIN));
        for (code, name, ..) in WITH_DETAILS {
            discriminator.mapping.insert(word(code), Ref::from_schema_name(name).ref_location);
            union = union.item(Ref::from_schema_name(name));
        }
        RefOr::T(Schema::OneOf(union.discriminator(Some(discriminator)).build()))
    }
}

impl ToSchema for ErrorBody {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Error")
    }
}

/// The schemas that error responses refer to by name. `editable` are those of the items that edits may conflict on.
pub fn add_schemas(components: &mut Components, editable: &[&str]) {
    let mut add = |name: Cow<'_, str>, schema: RefOr<Schema>| {
        components.schemas.insert(name.into_owned(), schema);
    };
    add(ErrorBody::name(), ErrorBody::schema());
    add(Code::name(), Code::schema());
    add(FieldErrors::name(), FieldErrors::schema());
    add(Shortage::name(), Shortage::schema());
    add("EditConflictDetails".into(), edit_conflict().into());
    add(CURRENT.into(), one_of("As it is now, of the kind that was to be edited.", editable).into());
    add(PlacedOrder::name(), PlacedOrder::schema());
    add(PLAIN.into(), one_error("An error without details.", plain_codes()).into());
    for (code, name, details, presence) in WITH_DETAILS {
        let error =
            one_error("An error with details.", [word(code)]).property("details", Ref::from_schema_name(details));
        let error = if presence == Presence::Always { error.required("details") } else { error };
        add(name.into(), error.into());
    }
}

fn edit_conflict() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some("The current state of an item that was changed in the meantime."))
        .property("current", Ref::from_schema_name(CURRENT))
        .required("current")
}

fn one_of(description: &str, schemas: &[&str]) -> OneOfBuilder {
    let union = OneOfBuilder::new().description(Some(description));
    schemas.iter().fold(union, |union, schema| union.item(Ref::from_schema_name(*schema)))
}

fn one_error(description: &str, codes: impl IntoIterator<Item = String>) -> ObjectBuilder {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(description))
        .property("error", text().description(Some("Message for people.")))
        .required("error")
        .property("code", text().enum_values(Some(codes)))
        .required("code")
        .property("fields", Ref::from_schema_name(FieldErrors::name()))
        .property(
            "request_id",
            text().description(Some("Request ID, as in the server's log and the `x-request-id` header.")),
        )
}

fn plain_codes() -> Vec<String> {
    let all = match Code::schema() {
        RefOr::T(Schema::Object(words)) => words.enum_values.unwrap_or_default(),
        _ => Vec::new(),
    };
    let all = all.iter().filter_map(|word| word.as_str()).map(str::to_owned);
    all.filter(|code| WITH_DETAILS.iter().all(|(known, ..)| word(*known) != *code)).collect()
}

fn word(code: Code) -> String {
    format!("{code:?}")
}
