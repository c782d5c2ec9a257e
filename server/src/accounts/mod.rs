//! Accounts: sign-up, login, sessions, emailed codes and authorization.
//!
//! Account enumeration: no response, and no response time, reveals whether an address has an account. A password is
//! hashed in either case, rate limits count addresses instead of accounts, email leaves through the outbox, and
//! [`constant_time`] pads the remaining difference.

pub mod bot_check;
mod brute_force;
mod caller;
mod codes;
mod confirmation;
mod constant_time;
mod devices;
mod keys;
mod login;
mod maintenance;
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

pub use caller::{Admin, Caller, MaybeAdmin, SignedIn, claims_admin};
pub use keys::{Keys, Rotated, rotate as rotate_keys};
pub use maintenance::{SeedAccount, count_users, delete_unconfirmed, grant_admin, refresh_keys, revoke_admin, sweep};
pub use password::Passwords;
pub use sessions::store::{LiveSession, find_live};
pub use store::Role;
pub use totp::Setup;

pub fn routes() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(signup::sign_up))
        .routes(routes!(confirmation::confirm_email))
        .routes(routes!(confirmation::resend_code))
        .routes(routes!(recovery::forgot_password))
        .routes(routes!(recovery::reset_password))
        .routes(routes!(profile::get_jwks))
}

/// For pages of listed origins, too. Accounts are created and recovered on the shop's own pages, to which their emails
/// lead.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(login::log_in))
        .routes(routes!(new_password::change_password))
        .routes(routes!(profile::get_current_user))
        .merge(sessions::router())
        .merge(bot_check::cross_origin_router())
}

/// A response with one message for the user.
#[derive(Debug, Serialize, ToSchema)]
struct Message {
    #[schema(examples("Your email address is confirmed. You can log in now."))]
    message: &'static str,
}
