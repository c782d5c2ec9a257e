//! Passkeys (WebAuthn): credentials that log in without an email address and a password.
//!
//! A ceremony begins with a challenge and ends with the browser's signed response. Its state is a row that one response
//! takes, within five minutes and with the token that only the browser has, so any process of the shop can finish it.
//!
//! For administrators, a passkey that verifies the user replaces password and authenticator app. It is bound to the
//! app's secret, so a new grant voids it, even one by a program of the previous schema.

mod administrator;
mod ceremony;
mod challenge;
mod list;
mod login;
mod registration;
mod relying_party;
pub mod store;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use self::relying_party::RelyingParty;
use crate::accounts::Accounts;

pub fn router() -> OpenApiRouter<Arc<Accounts>> {
    OpenApiRouter::new()
        .routes(routes!(login::start_passkey_login))
        .routes(routes!(login::log_in_with_passkey))
        .routes(routes!(registration::start_passkey))
        .routes(routes!(list::list_passkeys, registration::add_passkey))
        .routes(routes!(list::rename_passkey, list::remove_passkey))
}
