//! Authentication and authorization extractors: a handler that takes [`SignedIn`] or [`Admin`] cannot skip the check.
//!
//! CSRF is impossible: tokens travel in the `Authorization` header, never in cookies, so a request from another site has
//! none. The access token identifies the user. The database decides whether the session is still active and which role the
//! user has, so a logout, a new password or a revoked role applies from the next request on.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::second_factor::store as second_factor;
use super::sessions::store as sessions;
use super::store::Role;
use super::token::{self, ADMIN_GROUP, TokenError};
use crate::accounts::Accounts;
use crate::error::{Code, Error};

#[derive(Clone, Debug)]
pub struct Caller {
    pub user_id: String,
    pub email: String,
    pub session_id: String,
    /// The groups in the database, which may be newer than those in the token.
    pub groups: Vec<String>,
}

impl Caller {
    pub fn is_admin(&self) -> bool {
        self.groups.iter().any(|group| group == ADMIN_GROUP)
    }

    pub(super) fn role(&self) -> Role {
        if self.is_admin() { Role::Admin } else { Role::Customer }
    }
}

/// A user with an active session. Rejects with 401 otherwise.
pub struct SignedIn(pub Caller);

/// An administrator. Rejects with 401 without an active session and with 403 without the role.
pub struct Admin(pub Caller);

/// A user with an active session, or a visitor. Rejects an expired access token, which the client can refresh.
pub struct MaybeSignedIn(pub Option<Caller>);

/// Whether the user is an administrator. Never rejects an invalid token, because the endpoint is public, and queries
/// the database only for a token that claims the role.
pub struct MaybeAdmin(pub bool);

impl<S: AsRef<Accounts> + Send + Sync> FromRequestParts<Arc<S>> for SignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<S>) -> Result<Self, Error> {
        let state = state.as_ref().as_ref();
        find_caller(&parts.headers, state).await.map(Self)
    }
}

impl<S: AsRef<Accounts> + Send + Sync> FromRequestParts<Arc<S>> for Admin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<S>) -> Result<Self, Error> {
        let state = state.as_ref().as_ref();
        let caller = find_caller(&parts.headers, state).await?;
        if !caller.is_admin() {
            tracing::info!(user = caller.user_id, "admin endpoint rejected: not an administrator");
            return Err(Error::new(Code::Forbidden, "Only administrators can do this."));
        }
        Ok(Self(caller))
    }
}

impl<S: AsRef<Accounts> + Send + Sync> FromRequestParts<Arc<S>> for MaybeSignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<S>) -> Result<Self, Error> {
        if bearer(&parts.headers).is_none() {
            return Ok(Self(None));
        }
        match find_caller(&parts.headers, state.as_ref().as_ref()).await {
            Ok(caller) => Ok(Self(Some(caller))),
            Err(error) if error.code() == Code::Unauthenticated => Ok(Self(None)),
            Err(error) => Err(error),
        }
    }
}

impl<S: AsRef<Accounts> + Send + Sync> FromRequestParts<Arc<S>> for MaybeAdmin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<S>) -> Result<Self, Error> {
        let state = state.as_ref().as_ref();
        if !claims_admin(&parts.headers, state) {
            return Ok(Self(false));
        }
        match find_caller(&parts.headers, state).await {
            Ok(caller) => Ok(Self(caller.is_admin())),
            Err(error) if error.code().status().is_client_error() => Ok(Self(false)),
            Err(error) => Err(error),
        }
    }
}

/// Whether the request has a valid token that claims the administrator role. The claim alone grants nothing.
pub fn claims_admin(headers: &HeaderMap, state: &Accounts) -> bool {
    bearer(headers)
        .and_then(|token| token::verify(&state.keys, state.config.issuer(), token, state.clock.now_ms()).ok())
        .is_some_and(|claims| claims.claims_admin())
}

async fn find_caller(headers: &HeaderMap, state: &Accounts) -> Result<Caller, Error> {
    let token = bearer(headers).ok_or_else(unauthenticated)?;
    let now_ms = state.clock.now_ms();
    let claims = token::verify(&state.keys, state.config.issuer(), token, now_ms).map_err(|error| match error {
        TokenError::Invalid => unauthenticated(),
        TokenError::Expired => Error::new(Code::TokenExpired, "Your session has expired. Please log in again."),
    })?;
    let session = sessions::find_live(state.db.read(), &claims.sid, now_ms)
        .await?
        .filter(|session| session.user_id == claims.sub)
        .ok_or_else(unauthenticated)?;
    let role = match session.role {
        // A session from demo mode, or from before the role was granted, began without a second factor.
        Role::Admin if !state.config.demo && !second_factor::is_set(state.db.read(), &session.user_id).await? => {
            Role::Customer
        }
        role => role,
    };
    Ok(Caller { user_id: session.user_id, email: session.email, session_id: session.id, groups: role.groups() })
}

pub(super) fn unauthenticated() -> Error {
    Error::new(Code::Unauthenticated, "Please log in.")
}

/// The token of the only `Authorization: Bearer` header. Two headers are ambiguous and count as none.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(values: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        bearer(&headers).map(str::to_owned)
    }

    #[test]
    fn the_token_is_read_from_one_bearer_header() {
        assert_eq!(read(&["Bearer a.b.c"]).as_deref(), Some("a.b.c"));
        assert_eq!(read(&["bearer a.b.c"]).as_deref(), Some("a.b.c"));
        for other in ["Basic a.b.c", "Bearer", "a.b.c", "", "Bearera.b.c"] {
            assert_eq!(read(&[other]), None, "{other}");
        }
        assert_eq!(read(&[]), None);
        assert_eq!(read(&["Bearer a.b.c", "Bearer d.e.f"]), None);
    }
}
