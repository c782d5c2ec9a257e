//! Requests for an emailed code: what sign-up, logging in with a code, resending a code, resetting
//! a password and changing the email address share.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::brute_force;
use super::devices::Requester;
use crate::accounts::Accounts;
use crate::error::Error;
use crate::limits;

#[derive(Deserialize, ToSchema)]
pub struct UsernameRequest {
    /// The email address.
    #[schema(schema_with = schema::email)]
    pub username: String,
}

/// The response to a sign-up, or to a request for a code that logs in.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "message": "We emailed you a 6-digit code.",
    "login_token": "Yb3kz0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyX",
})))]
pub struct CodeRequested {
    pub message: &'static str,
    /// Send it with the code: the code logs in only the browser that has this token, which grants no access by itself.
    pub login_token: String,
}

/// The endpoint that requests a code. Each has limits of its own, so that one does not block another.
#[derive(Clone, Copy, Debug)]
pub enum CodeRequest {
    SignUp,
    LogIn,
    Resend,
    Reset,
    ChangeEmail,
}

pub fn parse_username(username: &str) -> Result<Email, Error> {
    Email::parse(username).map_err(|message| Error::invalid_field("username", message))
}

/// Counts a request for a code. Returns whether the shop may email one.
///
/// # Errors
/// 429 when this client requests too many codes, for any addresses.
pub async fn check_limits(
    state: &Accounts,
    requester: &Requester<'_>,
    request: CodeRequest,
    email: &Email,
) -> Result<bool, Error> {
    limits::check_each(&state.limits, &requester.usages(limits::CODE_PER_ADDRESS, &email.key())).await?;
    may_send(state, requester, request, email).await
}

/// Counts a code for the address, whether or not it has an account.
///
/// Above a limit the shop sends no email and keeps the last code valid. The response does not reveal it: a rejection
/// would be another way to lock the owner out.
pub async fn may_send(
    state: &Accounts,
    requester: &Requester<'_>,
    request: CodeRequest,
    email: &Email,
) -> Result<bool, Error> {
    let subject = format!("{request:?} {}", email.key());
    let mut usages = requester.usages_on(limits::CODES_PER_HOUR, &subject);
    usages.extend(requester.usages_on(limits::CODES_PER_DAY, &subject));
    if matches!(requester, Requester::Client(_)) {
        usages.push((limits::CODES_PER_ACCOUNT, subject));
    }
    brute_force::is_within_limits(limits::check_each(&state.limits, &usages).await)
}
