//! JSON Schemas of email addresses, passwords and validation messages, with the limits that validation checks.

use alloc::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Object, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{FieldErrors, email, password};

impl PartialSchema for FieldErrors {
    fn schema() -> RefOr<Schema> {
        let message = ObjectBuilder::new().schema_type(Type::String);
        let description = "Messages to display, by the path of the invalid field, such as `address.postal_code`.";
        let fields = ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(message));
        RefOr::T(Schema::Object(fields.description(Some(description)).build()))
    }
}

impl ToSchema for FieldErrors {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("FieldErrors")
    }
}

/// Email address of an account. It has no `format`: validators of `email` reject letters that are valid here.
#[must_use]
pub fn email() -> Object {
    text(email::MIN_LENGTH, email::MAX_LENGTH)
        .description(Some("An email address. Case and surrounding spaces are ignored."))
        .examples(["name@example.com"])
        .build()
}

/// New password. Administrators need 15 characters outside demo mode.
#[must_use]
pub fn new_password() -> Object {
    text(password::MIN_CUSTOMER, password::MAX)
        .description(Some(format!(
            "A new password: not one of the most common ones, not the email address, not the shop's name. \
             Administrators need {} characters, except in demo mode.",
            password::MIN_ADMINISTRATOR
        )))
        .build()
}

/// Existing password of the account.
#[must_use]
pub fn password() -> Object {
    text(1, password::MAX).description(Some("The account's password.")).build()
}

fn text(min: usize, max: usize) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).min_length(Some(min)).max_length(Some(max))
}
