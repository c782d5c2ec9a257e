//! The response to a login of any kind.

use axum::http::{HeaderMap, header};
use serde::Serialize;
use utoipa::ToSchema;

use super::devices;
use super::sessions::Tokens;
use super::sessions::store::LiveSession;
use super::store::User;
use crate::accounts::Accounts;
use crate::error::Error;

/// The stored part of a `User-Agent`, in characters.
const MAX_DEVICE_LENGTH: usize = 200;

/// The tokens of a new session, and a token that identifies this browser at its next login.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(json!({
    "accessToken": "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl",
    "refreshToken": "k3Zb0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyXM",
    "device_token": "q7Wm2cZxT1pLr9Vb4NkYs6Hd0JfGa3Ee",
})))]
pub struct LoggedIn {
    /// A JWT that is valid for 15 minutes.
    #[serde(rename = "accessToken")]
    access_token: String,
    /// A token that gets the next pair of tokens, once.
    #[serde(rename = "refreshToken")]
    refresh_token: String,
    /// Send it with the next login. It grants no access.
    device_token: String,
}

impl LoggedIn {
    /// The response about a session that has begun.
    pub fn of(state: &Accounts, user: &User, session: &LiveSession, refresh_token: String) -> Result<Self, Error> {
        let Tokens { access_token, refresh_token } = Tokens::issue(state, session, refresh_token)?;
        Ok(Self { access_token, refresh_token, device_token: devices::issue(&state.keys, user) })
    }
}

/// The browser's `User-Agent`, for the user's list of sessions.
pub fn device_of(headers: &HeaderMap) -> String {
    headers
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .chars()
        .take(MAX_DEVICE_LENGTH)
        .collect()
}
