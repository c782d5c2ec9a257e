//! Accounts: signing up, logging in, sessions, codes by mail, and who may do what.
//!
//! Nobody learns here whether an address has an account. Known and unknown ones get the same answers after
//! the same work: a password is hashed either way, limits count addresses and not accounts, mail goes
//! through the outbox, and what little difference is left disappears in [`pace`].

mod accounts;
mod brute_force;
mod caller;
mod codes;
mod confirmation;
mod constant_time;
mod devices;
mod keys;
mod login;
mod new_password;
mod password;
mod profile;
mod recovery;
mod requested_code;
mod sessions;
mod signup;
mod signups;
mod store;
mod token;
mod totp;

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::shop::Shop;

pub use accounts::{SeedAccount, count_users, delete_unconfirmed, grant_admin, keep_keys, revoke_admin, sweep};
pub use caller::{Admin, Caller, MaybeAdmin, SignedIn, claims_admin};
pub use keys::{Keys, Rotated, rotate as rotate_keys};
pub use password::Passwords;
pub use sessions::store::{LiveSession, find_live};
pub use store::Role;
pub use totp::Setup;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(signup::sign_up))
        .routes(routes!(confirmation::confirm_email))
        .routes(routes!(confirmation::resend_code))
        .routes(routes!(login::log_in))
        .routes(routes!(recovery::forgot_password))
        .routes(routes!(recovery::reset_password))
        .routes(routes!(new_password::change_password))
        .routes(routes!(profile::show_user))
        .routes(routes!(profile::show_jwks))
        .merge(sessions::router())
}

/// An answer that is one sentence for a person.
#[derive(Debug, Serialize, ToSchema)]
struct Message {
    message: &'static str,
}
