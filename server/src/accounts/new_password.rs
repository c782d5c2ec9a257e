//! Changing a password, and the rules and email that every new password shares.

use std::sync::Arc;

use app::mail::Mail;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{AdminRule, COMMON_PASSWORDS, Email, Password, PasswordRules, schema};

use super::caller::{Caller, SignedIn};
use super::code_login::store as login_codes;
use super::codes;
use super::message::Message;
use super::password::PasswordCheck;
use super::sessions::store as sessions;
use super::store::{self, Role};
use crate::accounts::Accounts;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Body;
use crate::infra::random;
use crate::limits;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

/// Validates a new password for this account. Outside demo mode administrators need a longer one.
pub fn parse(
    state: &Accounts,
    email: &Email,
    role: Role,
    password: &str,
) -> Result<Password, wasm_core::validation::Message> {
    let admin = match role {
        Role::Admin if !state.config.demo => AdminRule::Administrator,
        Role::Admin | Role::Customer => AdminRule::Customer,
    };
    let shop = state.letterhead.shop();
    let rules =
        PasswordRules { email: email.as_str(), shop_name: &shop.name, admin, common_passwords: COMMON_PASSWORDS };
    Password::parse(password, &rules)
}

/// The email that notifies the owner of an account about a new password.
pub struct PasswordChanged {
    id: String,
    mail: Mail,
}

impl PasswordChanged {
    pub fn new(state: &Accounts) -> Self {
        Self { id: random::new_id(), mail: app::mail::password_changed(&state.letterhead.shop()) }
    }

    pub async fn enqueue(&self, tx: &mut AnyConnection, to: &str, now_ms: i64) -> Result<(), Error> {
        let outgoing = OutgoingMail {
            kind: EmailKind::PasswordChanged,
            order_id: None,
            dedupe_key: format!("password-changed:{}", self.id),
            to: to.to_owned(),
            mail: self.mail.clone(),
        };
        outbox::enqueue(tx, now_ms, outgoing).await
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({
    "previousPassword": "a lamp in every room",
    "proposedPassword": "two lamps in every room",
})))]
pub struct ChangeRequest {
    /// The current password.
    #[schema(schema_with = schema::password)]
    previous_password: String,
    /// The new password.
    #[schema(schema_with = schema::new_password)]
    proposed_password: String,
}

error_responses!(ChangeErrors: [BODY, SIGNED_IN] TooManyRequests);

/// Change the password
///
/// Changes the password of the logged-in user, ends all other sessions, and returns a message. A wrong current password
/// or a weak new one is a 400, too many attempts are a 429.
#[utoipa::path(
    post,
    path = "/api/change-password",
    tag = "Accounts",
    request_body = ChangeRequest,
    security(("accessToken" = [])),
    responses((status = 200, description = "Password changed. All other sessions have ended.", body = Message), ChangeErrors),
)]
pub async fn change_password(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
    Body(request): Body<ChangeRequest>,
) -> Result<Json<Message>, Error> {
    let user = store::load_user(state.db.read(), &caller.user_id).await?;
    let email = Email::parse(&user.email).map_err(Error::internal)?;
    let proposed = parse(&state, &email, caller.role(), &request.proposed_password)
        .map_err(|message| Error::invalid_field("proposedPassword", message))?;
    // Brute-force protection: a stolen access token must not help to guess the password.
    let limits = [limits::PASSWORD_CHANGE_PER_ACCOUNT, limits::PASSWORD_CHANGES].map(|rule| (rule, &*caller.user_id));
    limits::check(&state.limits, &limits).await?;
    let previous = &request.previous_password;
    if state.passwords.verify(previous, Some(&user.password_hash)).await? == PasswordCheck::Wrong {
        return Err(wrong_current_password());
    }
    let new_hash = state.passwords.hash(proposed.as_str()).await?;
    replace(&state, caller, user.password_hash, new_hash).await?;
    state.mail_enqueued.notify_one();
    Ok(Json(Message { message: "Password changed successfully." }))
}

async fn replace(state: &Accounts, caller: Caller, checked_hash: String, new_hash: String) -> Result<(), Error> {
    let user_id = caller.user_id.clone();
    let notice = PasswordChanged::new(state);
    let change = Change { caller, checked_hash, new_hash, notice, now_ms: state.clock.now_ms() };
    state.db.write(change, |tx, change| Box::pin(change.apply(tx))).await?;
    limits::forget_cached(&state.limits, (limits::PASSWORD_CHANGE_PER_ACCOUNT, &user_id));
    Ok(())
}

struct Change {
    caller: Caller,
    checked_hash: String,
    new_hash: String,
    notice: PasswordChanged,
    now_ms: i64,
}

impl Change {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let user_id = &self.caller.user_id;
        login_codes::delete_of_user(tx, user_id).await?;
        // Optimistic concurrency: another request may have changed the password since the check.
        if !store::change_password(tx, user_id, &self.checked_hash, &self.new_hash).await? {
            return Err(wrong_current_password());
        }
        sessions::end_others(tx, user_id, &self.caller.session_id, self.now_ms).await?;
        codes::delete(tx, user_id).await?;
        limits::clear(tx, limits::PASSWORD_CHANGE_PER_ACCOUNT, user_id).await?;
        self.notice.enqueue(tx, &self.caller.email, self.now_ms).await
    }
}

fn wrong_current_password() -> Error {
    Error::invalid_field("previousPassword", "This is not your current password.")
}
