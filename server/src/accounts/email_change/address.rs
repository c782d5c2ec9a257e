//! What a change and its undoing share.

use sqlx::AnyConnection;

use crate::accounts::{code_login, signups};
use crate::error::{Code, Error};

/// Voids the login codes and pending sign-ups of an address that an account just got: someone else may have requested them.
pub async fn void_requests_of(tx: &mut AnyConnection, email_key: &str) -> Result<(), sqlx::Error> {
    code_login::store::delete_of_address(tx, email_key).await?;
    signups::store::delete_of_address(tx, email_key).await
}

pub fn address_taken() -> Error {
    Error::new(Code::EmailTaken, "This email address now belongs to another account.")
}
