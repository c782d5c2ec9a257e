//! What an account's email address and password may be, as schemas: the bounds are those the rules check.

use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::{email, password};

/// An account's email address. Without a `format`: validators of `email` refuse letters that the rules allow.
#[must_use]
pub fn email() -> Object {
    text(email::MIN_LENGTH, email::MAX_LENGTH)
        .description(Some("An email address. Case and spaces around it do not count."))
        .examples(["name@example.com"])
        .build()
}

/// A password to choose. An administrator's has 15 characters outside demo mode.
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

/// A password that the account has already.
#[must_use]
pub fn password() -> Object {
    text(1, password::MAX).description(Some("The account's password.")).build()
}

fn text(min: usize, max: usize) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).min_length(Some(min)).max_length(Some(max))
}
