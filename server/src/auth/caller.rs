//! Who is calling, as a parameter type: a handler that takes [`SignedIn`] or [`Admin`] cannot forget to ask.
//!
//! The access token says who; the database says whether its session is still alive and what its owner may
//! do. So a log-out, a new password and a lost right take effect with the next call.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::sessions::store as sessions;
use super::store::Role;
use super::token::{self, ADMIN_GROUP, Fault};
use super::totp::store as totp;
use crate::http::error::{Code, Error};
use crate::shop::Shop;

#[derive(Clone, Debug)]
pub struct Caller {
    pub user_id: String,
    pub email: String,
    pub session_id: String,
    /// As the database has them now, which the token may not know yet.
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

/// Somebody with a live session; 401 for anybody else.
pub struct SignedIn(pub Caller);

/// An administrator; 401 without a live session, 403 without the right.
pub struct Admin(pub Caller);

/// Whether it is an administrator. Any other token makes a visitor, not an error: what is for everybody stays open, and
/// is not looked up for each who asks.
pub struct MaybeAdmin(pub bool);

impl FromRequestParts<Arc<Shop>> for SignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, shop: &Arc<Shop>) -> Result<Self, Error> {
        find_caller(&parts.headers, shop).await.map(Self)
    }
}

impl FromRequestParts<Arc<Shop>> for Admin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, shop: &Arc<Shop>) -> Result<Self, Error> {
        let caller = find_caller(&parts.headers, shop).await?;
        if !caller.is_admin() {
            tracing::info!(user = caller.user_id, "a call for administrators was refused");
            return Err(Error::new(Code::Forbidden, "Only administrators may do this."));
        }
        Ok(Self(caller))
    }
}

impl FromRequestParts<Arc<Shop>> for MaybeAdmin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, shop: &Arc<Shop>) -> Result<Self, Error> {
        if !claims_admin(&parts.headers, shop) {
            return Ok(Self(false));
        }
        match find_caller(&parts.headers, shop).await {
            Ok(caller) => Ok(Self(caller.is_admin())),
            Err(error) if error.code().status().is_client_error() => Ok(Self(false)),
            Err(error) => Err(error),
        }
    }
}

/// Whether a token of ours says so. That is no right yet, but reason enough to look it up.
pub fn claims_admin(headers: &HeaderMap, shop: &Shop) -> bool {
    bearer(headers)
        .and_then(|token| token::verify(&shop.keys, shop.config.issuer(), token, shop.clock.now_ms()).ok())
        .is_some_and(|claims| claims.claims_admin())
}

async fn find_caller(headers: &HeaderMap, shop: &Shop) -> Result<Caller, Error> {
    let token = bearer(headers).ok_or_else(unauthenticated)?;
    let now_ms = shop.clock.now_ms();
    let claims = token::verify(&shop.keys, shop.config.issuer(), token, now_ms).map_err(|fault| match fault {
        Fault::Invalid => unauthenticated(),
        Fault::Expired => Error::new(Code::TokenExpired, "Your session has expired. Please log in again."),
    })?;
    let session = sessions::find_live(shop.db.read(), &claims.sid, now_ms)
        .await?
        .filter(|session| session.user_id == claims.sub)
        .ok_or_else(unauthenticated)?;
    let role = match session.role {
        // A session from when this was a demo, or from before the right was given by hand, has no second factor.
        Role::Admin if !shop.config.demo && !totp::is_set(shop.db.read(), &session.user_id).await? => Role::Customer,
        role => role,
    };
    Ok(Caller { user_id: session.user_id, email: session.email, session_id: session.id, groups: role.groups() })
}

fn unauthenticated() -> Error {
    Error::new(Code::Unauthenticated, "Please log in.")
}

/// The token of the one `Authorization: Bearer` header; two headers are an attempt to be two people.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
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
