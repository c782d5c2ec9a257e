use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::SignedIn;
use super::keys::Jwks;
use super::second_factor::store as second_factor;
use super::{password, store};
use crate::accounts::Accounts;
use crate::error::Error;
use crate::error::responses::error_responses;

#[derive(Serialize, ToSchema)]
pub struct UserInfo {
    data: UserData,
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "Username": "ada@example.com",
    "UserAttributes": [
        { "Name": "sub", "Value": "0193a0f1-7b2c-7d3e-9f40-5a6b7c8d9e0f" },
        { "Name": "email", "Value": "ada@example.com" },
        { "Name": "email_verified", "Value": "true" },
        { "Name": "has_password", "Value": "true" },
    ],
})))]
struct UserData {
    /// The email address.
    #[serde(rename = "Username")]
    username: String,
    #[serde(rename = "UserAttributes")]
    attributes: Vec<UserAttribute>,
}

#[derive(Serialize, ToSchema)]
struct UserAttribute {
    #[serde(rename = "Name")]
    #[schema(examples("email_verified"))]
    name: &'static str,
    #[serde(rename = "Value")]
    #[schema(examples("true"))]
    value: String,
}

error_responses!(UserErrors: [SIGNED_IN]);

/// Get the logged-in user
///
/// Returns the account as a list of attributes: `sub` (the id), `email`, `email_verified`, and `has_password`, which is
/// `false` for an account that logs in with emailed codes only. An account that logs in with a second factor
/// also has `recovery_codes_left`.
#[utoipa::path(
    get,
    path = "/api/auth/user",
    tag = "Accounts",
    security(("accessToken" = [])),
    responses((status = 200, description = "The account.", body = UserInfo), UserErrors),
)]
pub async fn get_current_user(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
) -> Result<Json<UserInfo>, Error> {
    let user = store::load_user(state.db.read(), &caller.user_id).await?;
    let attribute = |name, value: &str| UserAttribute { name, value: value.to_owned() };
    let mut attributes = vec![
        attribute("sub", &caller.user_id),
        attribute("email", &caller.email),
        // An unconfirmed address has no account, and so no session.
        attribute("email_verified", "true"),
        attribute("has_password", if password::is_set(&user.password_hash) { "true" } else { "false" }),
    ];
    if user.totp_secret.is_some() && !state.config.demo {
        let left = second_factor::count_recovery_codes(state.db.read(), &user.id).await?;
        attributes.push(attribute("recovery_codes_left", &left.to_string()));
    }
    Ok(Json(UserInfo { data: UserData { username: caller.email, attributes } }))
}

error_responses!(JwksErrors: [NONE]);

/// Get the signing keys
///
/// Returns the public keys that verify access tokens, as a JSON Web Key Set (RFC 7517). During a key rotation it has
/// more than one key.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    tag = "Accounts",
    operation_id = "get_signing_keys",
    responses((status = 200, description = "The JSON Web Key Set.", body = Jwks), JwksErrors),
)]
pub async fn get_jwks(State(state): State<Arc<Accounts>>) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "public, max-age=300")], Json(state.keys.jwks()))
}
