//! Accounts: sign-up, login, sessions, emailed codes and authorization.
//!
//! Account enumeration: no response, and no response time, reveals whether an address has an account. A password is
//! hashed in either case, rate limits count addresses instead of accounts, email leaves through the outbox, and
//! [`constant_time`] pads the remaining difference.

pub mod bot_check;
mod brute_force;
mod caller;
mod code_login;
mod codes;
mod confirmation;
mod constant_time;
mod devices;
mod email_change;
mod keys;
mod logged_in;
mod login;
mod login_token;
mod maintenance;
mod message;
mod new_password;
mod passkeys;
mod password;
mod profile;
mod recovery;
mod requested_code;
mod second_factor;
mod sessions;
mod signup;
mod signups;
mod state;
mod store;
mod token;

pub use self::state::Accounts;

use std::sync::Arc;
use std::time::Duration;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::infra::jobs::Jobs;
pub use caller::{Admin, Caller, MaybeAdmin, SignedIn, claims_admin};
pub use keys::{Keys, Rotated, rotate as rotate_keys};
pub use maintenance::{
    AdminSetup, SeedAccount, count_users, delete_unconfirmed, grant_admin, refresh_keys, revoke_admin, sweep,
};
pub use passkeys::RelyingParty;
pub use password::Passwords;
pub use sessions::store::{LiveSession, find_live};
pub use store::{Role, lock_user};

impl Accounts {
    /// Deletes expired codes, sessions and rate limits, and reloads the signing keys.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every("sweep_accounts", SWEEP_INTERVAL, self, |accounts| async move {
            sweep(&accounts.db, accounts.clock.now_ms()).await
        });
        jobs.every(
            "reload_signing_keys",
            SWEEP_INTERVAL,
            self,
            |accounts| async move { refresh_keys(&accounts).await },
        );
    }
}

const SWEEP_INTERVAL: Duration = Duration::from_mins(1);

pub fn routes() -> OpenApiRouter<Arc<Accounts>> {
    OpenApiRouter::new()
        .routes(routes!(signup::sign_up))
        .routes(routes!(confirmation::confirm_email))
        .routes(routes!(confirmation::resend_code))
        .routes(routes!(code_login::request_login_code))
        .routes(routes!(code_login::log_in_with_code))
        .routes(routes!(second_factor::setup::set_up_second_factor))
        .routes(routes!(second_factor::setup::confirm_second_factor))
        .routes(routes!(second_factor::replace_codes::replace_recovery_codes))
        .routes(routes!(recovery::forgot_password))
        .routes(routes!(recovery::reset_password))
        .routes(routes!(new_password::change_password))
        .routes(routes!(profile::get_jwks))
        .merge(passkeys::router())
        .merge(email_change::router())
}

/// For pages of listed origins, too. Accounts are created and recovered, and passwords changed, on the shop's own pages.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Accounts>> {
    OpenApiRouter::new()
        .routes(routes!(login::log_in))
        .routes(routes!(profile::get_current_user))
        .merge(sessions::router())
        .merge(bot_check::cross_origin_router())
}
