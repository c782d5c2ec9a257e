//! Requests for a code that logs in.

use std::sync::Arc;

use app::mail::{Mail, ShopInfo};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::store;
use crate::accounts::Accounts;
use crate::accounts::bot_check::{self, Action, CheckResult};
use crate::accounts::codes::{self, CodeKeys, Purpose};
use crate::accounts::constant_time;
use crate::accounts::devices::Requester;
use crate::accounts::email_change::store as email_changes;
use crate::accounts::login_token::LoginToken;
use crate::accounts::requested_code::{self, CodeRequest, CodeRequested, parse_username};
use crate::accounts::store::{self as users, Role};
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
    "recaptchaToken": "eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=",
})))]
pub struct LoginCodeRequest {
    /// The email address.
    #[schema(schema_with = schema::email)]
    username: String,
    /// The solution of the bot check, or the token of the configured CAPTCHA service.
    #[serde(default, rename = "recaptchaToken")]
    #[schema(value_type = Option<String>)]
    bot_check: Value,
    /// The token of this browser's last request for a code.
    #[schema(min_length = 43, max_length = 43)]
    login_token: Option<String>,
    /// The device token of this browser's last login.
    #[schema(min_length = 1, max_length = 100)]
    device_token: Option<String>,
}

error_responses!(LoginCodeErrors: [BODY] BotCheckFailed TooManyRequests);

/// Request a login code
///
/// Emails a code that logs in, whether or not the address has an account. Returns the same response in both cases, and for
/// administrators, who get a notice instead. During an outage of the bot check's service, only addresses with an account get
/// a code. A failed bot check is `BotCheckFailed`, too many requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/login-code",
    tag = "Accounts",
    request_body = LoginCodeRequest,
    responses((status = 200, description = "The same response whether or not the address has an account.", body = CodeRequested), LoginCodeErrors),
)]
pub async fn request_login_code(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    permit: Permit,
    Body(request): Body<LoginCodeRequest>,
) -> Result<Json<CodeRequested>, Error> {
    constant_time::respond(permit, async {
        let email = parse_username(&request.username)?;
        let token = LoginToken::sent_or_new(request.login_token)?;
        // Before anything is counted.
        bot_check::verify_in_memory(&state, Action::Login, &request.bot_check)?;
        let requester = Requester::identify(&state, &client, &email.key(), request.device_token.as_deref()).await?;
        limits::check_each(&state.limits, &requester.usages(limits::LOGIN_CODE_PER_ADDRESS, &email.key())).await?;
        let checked = bot_check::verify(&state, Action::Login, &request.bot_check, client.ip()).await?;
        if checked == CheckResult::Unavailable {
            limits::check_each(&state.limits, &unchecked_usages(&client, &email.key())).await?;
        }
        if requested_code::may_send(&state, &requester, CodeRequest::LogIn, &email).await? {
            send(&state, email, &token, checked).await?;
        }
        Ok(Json(CodeRequested { message: "We emailed you a 6-digit code.", login_token: token.into_string() }))
    })
    .await
}

/// While the CAPTCHA service is down, few codes are sent, like logins with a password.
fn unchecked_usages(client: &ClientAddress, email_key: &str) -> Vec<(Rule, String)> {
    let of_account = (limits::UNCHECKED_LOGIN_PER_ACCOUNT, email_key.to_owned());
    [client.usages(limits::UNCHECKED_LOGIN), vec![of_account]].concat()
}

async fn send(state: &Accounts, email: Email, token: &LoginToken, checked: CheckResult) -> Result<(), Error> {
    let sending = Sending {
        email,
        checked,
        token_hash: token.hash(),
        code: random::six_digit_code(),
        code_keys: CodeKeys::of(&state.keys),
        dedupe_key: format!("code:{}", random::new_id()),
        mail_shop: state.letterhead.shop(),
        now_ms: state.clock.now_ms(),
    };
    state.db.write(sending, |tx, sending| Box::pin(sending.apply(tx))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

/// Whose address it is. One without an account is that of a new customer.
#[derive(Clone, Copy)]
enum Addressee {
    Customer,
    Administrator,
    /// An account had it until a few days ago, and may get it back.
    PreviousOwner,
}

struct Sending {
    email: Email,
    checked: CheckResult,
    token_hash: String,
    code: String,
    code_keys: CodeKeys,
    dedupe_key: String,
    mail_shop: ShopInfo,
    now_ms: i64,
}

impl Sending {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let user = users::find_user_by_email(&mut *tx, &self.email.key()).await?;
        // Without a bot check, nobody signs up.
        if user.is_none() && self.checked == CheckResult::Unavailable {
            return Ok(());
        }
        let is_previous = email_changes::is_previous(&mut *tx, &self.email.key(), self.now_ms).await?;
        let addressee = match &user {
            Some(user) if user.role == Role::Admin => Addressee::Administrator,
            None if is_previous => Addressee::PreviousOwner,
            Some(_) | None => Addressee::Customer,
        };
        let (code_hash, mail) = self.code_for(addressee);
        // Not to another spelling of the account's address, which may be another mailbox.
        let to = user.map_or_else(|| self.email.as_str().to_owned(), |user| user.email);
        let expires_at = self.now_ms + codes::LIFETIME_MS;
        let code = store::NewLoginCode {
            token_hash: &self.token_hash,
            email_key: &self.email.key(),
            email: self.email.as_str(),
            code_hash: &code_hash,
            attempts: codes::MAX_ATTEMPTS,
            expires_at,
        };
        store::replace(tx, code).await?;
        let (kind, dedupe_key) = (EmailKind::Code, self.dedupe_key.clone());
        let outgoing = OutgoingMail { kind, order_id: None, dedupe_key, to, mail };
        outbox::enqueue_until(tx, self.now_ms, expires_at, outgoing).await
    }

    /// The hash and the email of the code. Who gets no code gets an empty hash, which matches none.
    fn code_for(&self, addressee: Addressee) -> (String, Mail) {
        match addressee {
            Addressee::Customer => (
                self.code_keys.hash(&self.token_hash, Purpose::LogIn, &self.code),
                app::mail::login_code(&self.mail_shop, self.email.as_str(), &self.code),
            ),
            Addressee::Administrator => (String::new(), app::mail::no_login_code(&self.mail_shop)),
            Addressee::PreviousOwner => (String::new(), app::mail::address_was_changed(&self.mail_shop)),
        }
    }
}
