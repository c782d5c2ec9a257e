//! Accounts: signing up, logging in, sessions, codes by mail, and who may do what.
//!
//! Nobody learns here whether an address has an account. Known and unknown ones get the same answers after
//! the same work: a password is hashed either way, limits count addresses and not accounts, mail goes
//! through the outbox, and what little difference is left disappears in [`pace`].

mod accounts;
mod caller;
mod codes;
mod keys;
mod login;
mod new_password;
mod pace;
mod password;
mod profile;
mod recovery;
mod sessions;
mod signup;
mod store;
mod token;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use serde::Serialize;

use crate::shop::Shop;

pub use accounts::{count_users, grant_admin, revoke_admin, seed_account, sweep};
pub use caller::{Admin, Caller, MaybeSignedIn, SignedIn};
pub use keys::Keys;
pub use password::Passwords;
pub use store::Role;

pub fn router() -> Router<Arc<Shop>> {
    Router::new()
        .route("/api/auth/signup", post(signup::sign_up))
        .route("/api/auth/confirm-email", post(signup::confirm_email))
        .route("/api/auth/resend-code", post(signup::resend_code))
        .route("/api/auth/login", post(login::log_in))
        .route("/api/auth/forgot-password", post(recovery::forgot_password))
        .route("/api/auth/confirm-forgot-password", post(recovery::reset_password))
        .route("/api/change-password", post(new_password::change_password))
        .route("/api/auth/user", get(profile::show_user))
        .route("/.well-known/jwks.json", get(profile::show_jwks))
        .merge(sessions::router())
}

/// An answer that is one sentence for a person.
#[derive(Debug, Serialize)]
struct Message {
    message: &'static str,
}
