//! Authentication by API key.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::MockStripe;
use crate::api_error::{ApiError, CallError};
use crate::keys::KeyKind;

/// Reads the key of `Authorization: Bearer …`, or the user name of `Basic …`.
pub fn key_in(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get(AUTHORIZATION) else {
        return Ok(None);
    };
    let invalid = || ApiError::unauthorized("Invalid Authorization header.");
    let text = value.to_str().map_err(|_| invalid())?;
    let (scheme, credentials) = text.split_once(' ').ok_or_else(invalid)?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Ok(Some(credentials.trim().to_owned()));
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return Err(invalid());
    }
    let decoded = BASE64.decode(credentials.trim()).map_err(|_| invalid())?;
    let decoded = String::from_utf8(decoded).map_err(|_| invalid())?;
    let user = decoded.split(':').next().unwrap_or_default();
    Ok(Some(user.to_owned()))
}

pub async fn authenticate(stripe: &MockStripe, key: Option<String>) -> Result<KeyKind, CallError> {
    let Some(key) = key else {
        return Err(ApiError::unauthorized(
            "You did not provide an API key. You need to provide your API key in the Authorization header, using \
             Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
        )
        .into());
    };
    let keys = stripe.keys().await?;
    keys.kind_of(&key).ok_or_else(|| ApiError::unauthorized("Invalid API Key provided.").into())
}
