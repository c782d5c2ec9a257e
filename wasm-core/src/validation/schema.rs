//! JSON Schemas of email addresses and passwords, with the limits that validation checks.

use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::{email, password};

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
