use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{self, Email, schema};

use super::caller::{Caller, MaybeSignedIn};
use super::code_login::store as login_codes;
use super::codes::{self, CodeKeys, Verification};
use super::devices::Requester;
use super::message::Message;
use super::new_password::{self, PasswordChanged};
use super::requested_code::{self, CodeRequest, parse_username};
use super::sessions::store as sessions;
use super::store::{self, Role};
use super::{brute_force, constant_time};
use crate::accounts::Accounts;
use crate::config::RateLimits;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::http::load_shedding::Permit;
use crate::infra::random;
use crate::limits::{self, Rule};
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "username": "ada@example.com",
})))]
pub struct ForgotRequest {
    /// The email address.
    #[schema(schema_with = schema::email)]
    username: String,
    /// The device token of this browser's last login.
    #[schema(min_length = 1, max_length = 100)]
    device_token: Option<String>,
}

error_responses!(ForgotErrors: [BODY] TooManyRequests);

/// Request a password reset
///
/// Emails a password reset code if the account exists. Returns the same message whether or not it exists; too many
/// requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/forgot-password",
    tag = "Accounts",
    operation_id = "request_password_reset",
    request_body = ForgotRequest,
    responses((status = 200, description = "The same response whether or not the account exists.", body = Message), ForgotErrors),
)]
pub async fn forgot_password(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    permit: Permit,
    Body(request): Body<ForgotRequest>,
) -> Result<Json<Message>, Error> {
    constant_time::respond(permit, async {
        let email = parse_username(&request.username)?;
        let requester = Requester::identify(&state, &client, &email.key(), request.device_token.as_deref()).await?;
        if requested_code::check_limits(&state, &requester, CodeRequest::Reset, &email).await? {
            send_code(&state, &email).await?;
        }
        let message = "If an account with this email address exists, we’ve sent a code to reset your password.";
        Ok(Json(Message { message }))
    })
    .await
}

async fn send_code(state: &Accounts, email: &Email) -> Result<(), Error> {
    let new_code = ResetCode {
        email_key: email.key(),
        code: random::six_digit_code(),
        code_keys: CodeKeys::of(&state.keys),
        dedupe_key: format!("code:{}", random::new_id()),
        mail_shop: state.letterhead.shop(),
        now_ms: state.clock.now_ms(),
    };
    state.db.write(new_code, |tx, new_code| Box::pin(replace_code(tx, new_code))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

struct ResetCode {
    email_key: String,
    code: String,
    code_keys: CodeKeys,
    dedupe_key: String,
    mail_shop: ShopInfo,
    now_ms: i64,
}

async fn replace_code(tx: &mut AnyConnection, new: &ResetCode) -> Result<(), Error> {
    let Some(user) = store::find_user_by_email(&mut *tx, &new.email_key).await? else {
        return Ok(());
    };
    // A change of the address that commits meanwhile has voided the codes that were emailed to it.
    store::lock_user(tx, &user.id).await?;
    if store::find_user_by_email(&mut *tx, &new.email_key).await?.is_none_or(|now| now.id != user.id) {
        return Ok(());
    }
    codes::replace(tx, &new.code_keys, &user.id, &new.code, new.now_ms).await?;
    let mail = app::mail::reset_password(&new.mail_shop, &user.email, &new.code);
    let (kind, dedupe_key) = (EmailKind::Code, new.dedupe_key.clone());
    let outgoing = OutgoingMail { kind, order_id: None, dedupe_key, to: user.email, mail };
    outbox::enqueue_until(tx, new.now_ms, new.now_ms + codes::LIFETIME_MS, outgoing).await
}

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "username": "ada@example.com",
    "confirmationCode": "123456",
    "password": "a lamp in every room",
})))]
pub struct ResetRequest {
    /// The email address.
    #[schema(schema_with = schema::email)]
    username: String,
    /// The code from the email.
    #[schema(pattern = "^[0-9]{6}$", examples("123456"))]
    #[serde(rename = "confirmationCode")]
    confirmation_code: String,
    /// The new password.
    #[schema(schema_with = schema::new_password)]
    password: String,
    /// The device token of this browser's last login.
    #[schema(min_length = 1, max_length = 100)]
    device_token: Option<String>,
}

error_responses!(ResetErrors: [BODY] CodeInvalid CodeExpired TokenExpired TooManyRequests);

/// Reset a password
///
/// Sets the new password if the emailed code is valid, ends the account's sessions except the one that sends the request,
/// and returns a message. A wrong code is `CodeInvalid`, an old one `CodeExpired`; too many attempts are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/confirm-forgot-password",
    tag = "Accounts",
    request_body = ResetRequest,
    responses((status = 200, description = "Password changed. All other sessions have ended.", body = Message), ResetErrors),
)]
pub async fn reset_password(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    MaybeSignedIn(caller): MaybeSignedIn,
    permit: Permit,
    Body(request): Body<ResetRequest>,
) -> Result<Json<Message>, Error> {
    constant_time::respond(permit, async {
        let email = parse_username(&request.username)?;
        new_password::parse(&state, &email, Role::Customer, &request.password).map_err(weak_password)?;
        let requester = Requester::identify(&state, &client, &email.key(), request.device_token.as_deref()).await?;
        brute_force::check_limits(&state, &requester, &email.key()).await?;
        let reset = Reset::prepare(&state, &requester, &email, request, caller).await?;
        match apply(&state, reset).await? {
            Outcome::Verified(verification) => brute_force::conclude(&state, &requester, verification).await?,
            Outcome::TooWeakForAdmin(message) => return Err(weak_password(message)),
        }
        state.mail_enqueued.notify_one();
        Ok(Json(Message { message: "Password reset successfully." }))
    })
    .await
}

fn weak_password(message: validation::Message) -> Error {
    Error::invalid_field("password", message)
}

struct Reset {
    email_key: String,
    rate_limits: RateLimits,
    attempt_usages: Vec<(Rule, String)>,
    code_hash: String,
    /// The attempts that this one costs the code.
    cost: i64,
    /// The usages that a successful reset clears.
    login_usages: Vec<(Rule, String)>,
    password_hash: String,
    /// Reported only after a valid code: the response must not reveal which accounts are administrators.
    admin_rule: Result<(), validation::Message>,
    code: String,
    code_keys: CodeKeys,
    notice: PasswordChanged,
    /// Whoever is logged in while resetting the password stays so.
    caller: Option<Caller>,
    now_ms: i64,
}

enum Outcome {
    Verified(Verification),
    /// The code is valid and remains so.
    TooWeakForAdmin(validation::Message),
}

impl Reset {
    async fn prepare(
        state: &Accounts,
        requester: &Requester<'_>,
        email: &Email,
        request: ResetRequest,
        caller: Option<Caller>,
    ) -> Result<Self, Error> {
        let email_key = email.key();
        let user = store::find_user_by_email(state.db.read(), &email_key).await?;
        let code_hash = codes::find(state.db.read(), user.as_ref().map_or("", |user| &user.id)).await?;
        Ok(Self {
            rate_limits: state.config.rate_limits,
            attempt_usages: brute_force::attempt_usages(requester, &email_key, &code_hash),
            code_hash,
            // A known device does not share the attempts that strangers use up.
            cost: i64::from(matches!(requester, Requester::Client(_))),
            login_usages: requester.usages_on(limits::LOGIN_PER_CLIENT, &email_key),
            email_key,
            password_hash: state.passwords.hash(&request.password).await?,
            admin_rule: new_password::parse(state, email, Role::Admin, &request.password).map(drop),
            code: request.confirmation_code,
            code_keys: CodeKeys::of(&state.keys),
            notice: PasswordChanged::new(state),
            caller,
            now_ms: state.clock.now_ms(),
        })
    }

    async fn apply(&self, tx: &mut AnyConnection) -> Result<Outcome, Error> {
        let user = store::find_user_by_email(&mut *tx, &self.email_key).await?;
        let verification = self.verify_code(tx, user.as_ref().map(|user| user.id.as_str())).await?;
        let (Some(user), Verification::Valid) = (user, verification) else {
            return Ok(Outcome::Verified(verification));
        };
        if let (Role::Admin, Err(message)) = (user.role, &self.admin_rule) {
            return Ok(Outcome::TooWeakForAdmin(message.clone()));
        }
        login_codes::delete_of_user(tx, &user.id).await?;
        store::set_password(tx, &user.id, &self.password_hash).await?;
        codes::delete(tx, &user.id).await?;
        match &self.caller {
            Some(caller) if caller.user_id == user.id => {
                sessions::end_others(tx, &user.id, &caller.session_id, self.now_ms).await?;
            }
            _ => sessions::end_all(tx, &user.id, self.now_ms).await?,
        }
        // Ends a lockout caused by a stranger's attempts.
        limits::clear(tx, limits::LOGIN_PER_ACCOUNT, &self.email_key).await?;
        limits::clear_each(tx, &self.login_usages).await?;
        self.notice.enqueue(tx, &user.email, self.now_ms).await?;
        Ok(Outcome::Verified(verification))
    }

    async fn verify_code(&self, tx: &mut AnyConnection, user_id: Option<&str>) -> Result<Verification, Error> {
        let is_allowed = limits::check_within(tx, self.rate_limits, &self.attempt_usages, self.now_ms).await?;
        // An empty hash matches no code, and costs the same writes.
        let code_hash = if is_allowed { &self.code_hash } else { "" };
        let attempt = codes::Attempt { user_id, code_hash, cost: self.cost, code: &self.code };
        Ok(codes::verify(tx, &self.code_keys, attempt, self.now_ms).await?)
    }
}

async fn apply(state: &Accounts, reset: Reset) -> Result<Outcome, Error> {
    let reset = Arc::new(reset);
    let outcome = state.db.write(reset.clone(), |tx, reset| Box::pin(reset.apply(tx))).await?;
    if matches!(outcome, Outcome::Verified(Verification::Valid)) {
        limits::forget_cached(&state.limits, (limits::LOGIN_PER_ACCOUNT, &reset.email_key));
        limits::forget_cached_each(&state.limits, &reset.login_usages);
    }
    Ok(outcome)
}
