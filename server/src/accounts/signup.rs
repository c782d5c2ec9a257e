use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{AdminRule, COMMON_PASSWORDS, Email, FieldErrors, Password, PasswordRules, schema};

use super::codes::{self, CodeKeys, Purpose};
use super::devices::Requester;
use super::email_change::store as email_changes;
use super::login_token::LoginToken;
use super::requested_code::{self, CodeRequest, CodeRequested};
use super::signups::store::SignUp;
use super::{constant_time, signups, store};
use crate::accounts::Accounts;
use crate::accounts::bot_check::{self, Action, CheckResult};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::http::load_shedding::Permit;
use crate::infra::clock::HOUR;
use crate::infra::random;
use crate::limits;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};
use crate::time_zone::ShopZone;

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "email": "ada@example.com",
    "password": "a lamp in every room",
    "recaptchaToken": "eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=",
})))]
pub struct SignUpRequest {
    #[schema(schema_with = schema::email)]
    email: String,
    #[schema(schema_with = schema::new_password)]
    password: String,
    /// The solution of the bot check, or the token of the configured CAPTCHA service.
    #[serde(default, rename = "recaptchaToken")]
    #[schema(value_type = Option<String>)]
    bot_check: Value,
    /// The token of this browser's last request for a code.
    #[schema(min_length = 43, max_length = 43)]
    login_token: Option<String>,
}

error_responses!(SignUpErrors: [BODY] BotCheckFailed BotCheckUnavailable TooManyRequests);

/// Sign up
///
/// Emails a confirmation code, or a notice to the owner of an existing account. Returns the same message in both cases.
/// An invalid email address or password is a 400, a failed bot check is `BotCheckFailed`, too many sign-ups are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/signup",
    tag = "Accounts",
    request_body = SignUpRequest,
    responses((status = 201, description = "The same response whether or not the address already has an account.", body = CodeRequested), SignUpErrors),
)]
pub async fn sign_up(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    permit: Permit,
    Body(request): Body<SignUpRequest>,
) -> Result<(StatusCode, Json<CodeRequested>), Error> {
    constant_time::respond(permit, async {
        let (email, password) = validated(&request, &state.letterhead.shop().name)?;
        let token = LoginToken::sent_or_new(request.login_token)?;
        // Before anything is counted or checked.
        state.passwords.ensure_capacity()?;
        bot_check::verify_in_memory(&state, Action::Signup, &request.bot_check)?;
        limits::check_each(&state.limits, &client.usages(limits::SIGN_UP_PER_ADDRESS)).await?;
        let result = bot_check::verify(&state, Action::Signup, &request.bot_check, client.ip()).await?;
        if result == CheckResult::Unavailable {
            return Err(bot_check::unavailable());
        }
        // Before an email is counted: a rejected request sends none.
        let password_hash = state.passwords.hash(password.as_str()).await?;
        let requester = Requester::Client(&client);
        let may_send = requested_code::may_send(&state, &requester, CodeRequest::SignUp, &email).await?;
        if may_send {
            register(&state, &client, email, password_hash, &token).await?;
        }
        let login_token = token.into_string();
        Ok((StatusCode::CREATED, Json(CodeRequested { message: "We emailed you a 6-digit code.", login_token })))
    })
    .await
}

fn validated(request: &SignUpRequest, shop_name: &str) -> Result<(Email, Password), Error> {
    let rules = PasswordRules {
        email: &request.email,
        shop_name,
        admin: AdminRule::Customer,
        common_passwords: COMMON_PASSWORDS,
    };
    let email = Email::parse(&request.email);
    let password = Password::parse(&request.password, &rules);
    match (email, password) {
        (Ok(email), Ok(password)) => Ok((email, password)),
        (email, password) => {
            let mut fields = FieldErrors::default();
            if let Err(message) = email {
                fields.insert("email", message);
            }
            if let Err(message) = password {
                fields.insert("password", message);
            }
            Err(Error::invalid(fields))
        }
    }
}

async fn register(
    state: &Accounts,
    client: &ClientAddress,
    email: Email,
    password_hash: String,
    token: &LoginToken,
) -> Result<(), Error> {
    let now_ms = state.clock.now_ms();
    let (id, code) = (random::new_id(), random::six_digit_code());
    let signup = SignUp {
        code_hash: CodeKeys::of(&state.keys).hash(&id, Purpose::ConfirmEmail, &code),
        id,
        email: email.as_str().to_owned(),
        slot: 0,
        password_hash,
        client: signups::client_fingerprint(&state.keys, client),
        expires_at: now_ms + codes::LIFETIME_MS,
        created_at: now_ms,
        token_hash: Some(token.hash()),
    };
    let registration =
        Registration { email, code, signup, mail_shop: state.letterhead.shop(), zone: state.letterhead.zone() };
    state.db.write(registration, |tx, registration| Box::pin(registration.apply(tx))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

struct Registration {
    email: Email,
    code: String,
    signup: SignUp,
    mail_shop: ShopInfo,
    zone: ShopZone,
}

impl Registration {
    /// Adds a pending sign-up and emails its code. An existing account stays unchanged, and its owner gets a notice, also
    /// where the account had the address until a few days ago.
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let email_key = self.email.key();
        let now_ms = self.signup.created_at;
        let has_account = store::find_user_by_email(&mut *tx, &email_key).await?.is_some();
        let is_previous = email_changes::is_previous(&mut *tx, &email_key, now_ms).await?;
        if has_account || is_previous {
            // At most one notice an hour.
            let dedupe_key = format!("address-in-use:{email_key}:{}", now_ms / HOUR);
            let mail = match has_account {
                true => app::mail::address_in_use(&self.mail_shop),
                false => app::mail::address_was_changed(&self.mail_shop),
            };
            return outbox::enqueue(tx, now_ms, self.outgoing(EmailKind::AddressInUse, dedupe_key, mail)).await;
        }
        if !signups::add(tx, &self.signup, &email_key).await? {
            return Ok(());
        }
        let dedupe_key = format!("code:{}", self.signup.id);
        let signed_up_at = self.zone.minute(now_ms);
        let mail = app::mail::confirm_email(&self.mail_shop, self.email.as_str(), &self.code, &signed_up_at);
        let outgoing = self.outgoing(EmailKind::Code, dedupe_key, mail);
        outbox::enqueue_until(tx, now_ms, self.signup.expires_at, outgoing).await
    }

    fn outgoing(&self, kind: EmailKind, dedupe_key: String, mail: app::mail::Mail) -> OutgoingMail {
        OutgoingMail { kind, order_id: None, dedupe_key, to: self.email.as_str().to_owned(), mail }
    }
}
