use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::caller::SignedIn;
use crate::shop::Shop;

/// The caller's account as a list of attributes. `Username` is what `username` means everywhere: the e-mail.
pub async fn show_user(SignedIn(caller): SignedIn) -> Json<Value> {
    Json(json!({
        "data": {
            "Username": caller.email,
            "UserAttributes": [
                { "Name": "sub", "Value": caller.user_id },
                { "Name": "email", "Value": caller.email },
                // Nobody has a session before the address is confirmed.
                { "Name": "email_verified", "Value": "true" },
            ],
        },
    }))
}

/// The public keys of access tokens, for whoever wants to check one.
pub async fn show_jwks(State(shop): State<Arc<Shop>>) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "public, max-age=300")], Json(shop.keys.jwks()))
}
