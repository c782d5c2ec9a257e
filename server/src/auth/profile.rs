use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::SignedIn;
use super::keys::Jwks;
use crate::http::error_responses::error_responses;
use crate::shop::Shop;

#[derive(Serialize, ToSchema)]
pub struct UserInfo {
    data: UserData,
}

#[derive(Serialize, ToSchema)]
struct UserData {
    #[serde(rename = "Username")]
    username: String,
    #[serde(rename = "UserAttributes")]
    attributes: Vec<UserAttribute>,
}

#[derive(Serialize, ToSchema)]
struct UserAttribute {
    #[serde(rename = "Name")]
    name: &'static str,
    #[serde(rename = "Value")]
    value: String,
}

error_responses!(UserErrors: [SIGNED_IN]);

/// The caller's account as a list of attributes. `Username` is what `username` means everywhere: the e-mail.
#[utoipa::path(
    get,
    path = "/api/auth/user",
    tag = "Accounts",
    security(("accessToken" = [])),
    responses((status = 200, description = "Who is logged in.", body = UserInfo), UserErrors),
)]
pub async fn show_user(SignedIn(caller): SignedIn) -> Json<UserInfo> {
    let attribute = |name, value: &str| UserAttribute { name, value: value.to_owned() };
    let attributes = vec![
        attribute("sub", &caller.user_id),
        attribute("email", &caller.email),
        // Nobody has a session before the address is confirmed.
        attribute("email_verified", "true"),
    ];
    Json(UserInfo { data: UserData { username: caller.email, attributes } })
}

error_responses!(JwksErrors: [NONE]);

/// The public keys of access tokens, for whoever wants to check one.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    tag = "Accounts",
    responses((status = 200, description = "A JWK set.", body = Jwks), JwksErrors),
)]
pub async fn show_jwks(State(shop): State<Arc<Shop>>) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "public, max-age=300")], Json(shop.keys.jwks()))
}
