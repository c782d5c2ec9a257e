use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::devices::Requester;
use super::logged_in::{LoggedIn, device_of};
use super::password::PasswordCheck;
use super::second_factor::{self, Verified};
use super::sessions::store::LiveSession;
use super::sessions::{self, NewSession};
use super::store::{self, User};
use crate::accounts::Accounts;
use crate::accounts::bot_check::{self, Action, CheckResult};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::limits::{self, Rule};

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "username": "ada@example.com",
    "password": "a lamp in every room",
    "recaptchaToken": "eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=",
})))]
pub struct LogInRequest {
    /// The email address.
    #[schema(schema_with = schema::email)]
    username: String,
    #[schema(schema_with = schema::password)]
    password: String,
    /// The solution of the bot check, or the token of the configured CAPTCHA service.
    #[serde(default, rename = "recaptchaToken")]
    #[schema(value_type = Option<String>)]
    bot_check: Value,
    /// The code of an administrator's authenticator app, or a recovery code.
    #[schema(pattern = "^(([0-9]\\s*){6}|([0-9A-Za-z]{4}[- ]?){4})$", examples("123456"))]
    totp: Option<String>,
    /// The device token of this browser's last login. It keeps the failed attempts of strangers from locking this
    /// browser out. An invalid or outdated token has no effect.
    #[schema(min_length = 1, max_length = 100)]
    device_token: Option<String>,
}

error_responses!(LogInErrors: [BODY] BotCheckFailed BadCredentials TotpRequired TooManyRequests);

/// Log in
///
/// Starts a session and returns its tokens. An unknown address, an unconfirmed address and a wrong password get the
/// same 401. Administrators with a second factor need `totp`. A missing or invalid bot check is a 400, too many
/// attempts are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/login",
    tag = "Accounts",
    request_body = LogInRequest,
    responses((status = 200, description = "The tokens of a new session.", body = LoggedIn), LogInErrors),
)]
pub async fn log_in(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    headers: HeaderMap,
    Body(request): Body<LogInRequest>,
) -> Result<Json<LoggedIn>, Error> {
    let email = parse(&request)?;
    // Reject before the first write.
    state.passwords.ensure_capacity()?;
    bot_check::verify_in_memory(&state, Action::Login, &request.bot_check)?;
    let key = email.key();
    let requester = Requester::identify(&state, &client, &key, request.device_token.as_deref()).await?;
    limits::check_each(&state.limits, &requester.usages(limits::LOGIN_PER_ADDRESS, &key)).await?;
    let bot_check = bot_check::verify(&state, Action::Login, &request.bot_check, client.ip()).await?;
    // The bot check comes first, so that a lockout costs the attacker work.
    let attempts = requester.usages_on(limits::LOGIN_PER_CLIENT, &key);
    limits::check_each(&state.limits, &all_usages(&requester, &key, bot_check, &attempts)).await?;

    let (user, check) = verify_password(&state, &key, &request.password).await?;
    let user = match check {
        PasswordCheck::Outdated => rehash(&state, user, &key, &request.password).await?,
        PasswordCheck::Right | PasswordCheck::Wrong => user,
    };
    let second_factor = second_factor::verify(&state, &user, request.totp.as_deref())?;
    let login = Login {
        user: user.clone(),
        second_factor,
        shop: state.letterhead.shop(),
        attempts,
        device: device_of(&headers),
        session: NewSession::new(),
        now_ms: state.clock.now_ms(),
    };
    let (session, refresh_token) = begin_session(&state, login).await?;
    LoggedIn::of(&state, &user, &session, refresh_token).map(Json)
}

fn parse(request: &LogInRequest) -> Result<Email, Error> {
    let email = Email::parse(&request.username).map_err(|message| Error::invalid_field("username", message))?;
    if request.password.is_empty() {
        return Err(Error::invalid_field("password", "Password is required."));
    }
    Ok(email)
}

/// Finds the account and checks its password. An unconfirmed sign-up is no account, so its password counts as wrong.
async fn verify_password(state: &Accounts, email_key: &str, password: &str) -> Result<(User, PasswordCheck), Error> {
    let user = store::find_user_by_email(state.db.read(), email_key).await?;
    let stored = user.as_ref().map(|user| user.password_hash.as_str());
    let check = state.passwords.verify(password, stored).await?;
    match user {
        Some(user) if check != PasswordCheck::Wrong => Ok((user, check)),
        _ => {
            tracing::info!("login rejected: unknown address or wrong password");
            Err(bad_credentials())
        }
    }
}

/// The usages that a login attempt counts. Rules for all clients together come last, so that a client that is over its
/// own limit uses up nothing of theirs.
fn all_usages(
    requester: &Requester<'_>,
    email_key: &str,
    bot_check: CheckResult,
    attempts: &[(Rule, String)],
) -> Vec<(Rule, String)> {
    let Requester::Client(client) = requester else {
        return attempts.to_vec();
    };
    let of_account = |rule: Rule| (rule, email_key.to_owned());
    match bot_check {
        CheckResult::Passed => [attempts, &[of_account(limits::LOGIN_PER_ACCOUNT)]].concat(),
        // While the CAPTCHA service is down customers can still log in, but only a few attempts are allowed.
        CheckResult::Unavailable => {
            let unchecked = client.usages(limits::UNCHECKED_LOGIN);
            let all = [limits::UNCHECKED_LOGIN_PER_ACCOUNT, limits::LOGIN_PER_ACCOUNT].map(of_account);
            [&unchecked, attempts, &all].concat()
        }
    }
}

/// Hashes the password again with the current parameters. Only a login has the password in plain text. If another
/// request has replaced the hash since the check, the password is verified against the new one.
async fn rehash(state: &Accounts, user: User, email_key: &str, password: &str) -> Result<User, Error> {
    let new_hash = state.passwords.hash(password).await?;
    let rehashed = User { password_hash: new_hash.clone(), ..user.clone() };
    let changed = state.db.write((user, new_hash), |tx, (user, new_hash)| Box::pin(replace_hash(tx, user, new_hash)));
    if changed.await? {
        return Ok(rehashed);
    }
    let (user, _) = verify_password(state, email_key, password).await?;
    Ok(user)
}

async fn replace_hash(tx: &mut AnyConnection, user: &User, new_hash: &str) -> Result<bool, Error> {
    Ok(store::change_password(tx, &user.id, &user.password_hash, new_hash).await?)
}

/// A login whose password and second factor were verified.
struct Login {
    user: User,
    second_factor: Option<Verified>,
    /// For the email about a recovery code.
    shop: ShopInfo,
    attempts: Vec<(Rule, String)>,
    device: String,
    session: NewSession,
    now_ms: i64,
}

async fn begin_session(state: &Accounts, login: Login) -> Result<(LiveSession, String), Error> {
    let login = Arc::new(login);
    let session = state.db.write(login.clone(), |tx, login| Box::pin(login.apply(tx))).await?;
    limits::forget_cached_each(&state.limits, &login.attempts);
    if matches!(login.second_factor, Some(Verified::Recovery { .. })) {
        state.mail_enqueued.notify_one();
    }
    tracing::info!(user = session.user_id, session = session.id, "logged in");
    Ok((session, login.session.refresh_token.clone()))
}

impl Login {
    /// Begins the session, unless another request has changed the password or the role since the check, or has used the
    /// code.
    async fn apply(&self, tx: &mut AnyConnection) -> Result<LiveSession, Error> {
        let user = &self.user;
        if !store::record_login(tx, user, self.now_ms).await? {
            return Err(bad_credentials());
        }
        if let Some(verified) = &self.second_factor
            && !second_factor::mark_used(tx, user, verified, &self.shop, self.now_ms).await?
        {
            return Err(second_factor::invalid_code(user));
        }
        let session = sessions::begin(tx, &self.session, user, &self.device, self.now_ms).await?;
        limits::clear_each(tx, &self.attempts).await?;
        Ok(session)
    }
}

fn bad_credentials() -> Error {
    let message = "Incorrect email or password. If you just signed up, confirm your email first.";
    Error::new(Code::BadCredentials, message)
}
