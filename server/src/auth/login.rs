use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::devices::{self, Who};
use super::password::Verdict;
use super::sessions::store::LiveSession;
use super::sessions::{self, Begun, Tokens};
use super::store::{self, User};
use super::totp::{self, Proof};
use crate::botcheck::{self, Action, Check};
use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::http::extract::Body;
use crate::limits::address::ClientAddress;
use crate::limits::{self, Rule};
use crate::shop::Shop;

/// What is kept of a browser's name for itself.
const DEVICE_LENGTH: usize = 200;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogInRequest {
    #[schema(schema_with = schema::email)]
    username: String,
    #[schema(schema_with = schema::password)]
    password: String,
    #[serde(default, rename = "recaptchaToken")]
    #[schema(value_type = Option<String>)]
    bot_check: Value,
    /// What an administrator's authenticator app shows.
    #[schema(pattern = "^([0-9]\\s*){6}$", examples("123456"))]
    totp: Option<String>,
    /// What the last log-in of this browser gave: strangers' wrong passwords do not stand in its way then. One that is
    /// not known, or not any more, is as good as none.
    #[schema(min_length = 1, max_length = 100)]
    device_token: Option<String>,
}

/// Tokens of a new session, and what this browser is known by from now on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoggedIn {
    access_token: String,
    refresh_token: String,
    /// To be sent along with the next log-in. It opens nothing by itself.
    device_token: String,
}

error_responses!(LogInErrors: [BODY] BotCheckFailed BadCredentials TotpRequired TooManyRequests);

/// Tokens of a new session. An unknown address, one that was never confirmed and a wrong password are answered alike,
/// and as slowly.
#[utoipa::path(
    post,
    path = "/api/auth/login",
    tag = "Accounts",
    request_body = LogInRequest,
    responses((status = 200, description = "A new session.", body = LoggedIn), LogInErrors),
)]
pub async fn log_in(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    headers: HeaderMap,
    Body(request): Body<LogInRequest>,
) -> Result<Json<LoggedIn>, Error> {
    let email = Email::parse(&request.username).map_err(|sentence| Error::invalid_field("username", sentence))?;
    if request.password.is_empty() {
        return Err(Error::invalid_field("password", "Password is required."));
    }
    // Before anything is written for somebody who would be refused in the end.
    shop.passwords.admit()?;
    let key = email.key();
    let who = Who::of(&shop, &client, &key, request.device_token.as_deref()).await?;
    limits::take_each(&shop, &who.uses(limits::LOGIN_PER_ADDRESS, &key)).await?;
    let check = botcheck::verify(&shop, Action::Login, &request.bot_check, client.ip()).await?;
    // After the bot check, so that locking somebody out costs work.
    let tries = who.uses_on(limits::LOGIN_PER_CLIENT, &key);
    limits::take_each(&shop, &all_uses(&who, &key, check, &tries)).await?;

    // Whoever signed up and has not confirmed has no account yet: the right password says no more than a wrong one.
    let user = store::find_user_by_email(shop.db.read(), &key).await?;
    let stored = user.as_ref().map(|user| user.password_hash.as_str());
    let verdict = shop.passwords.verify(&request.password, stored).await?;
    let Some(user) = user.filter(|_| verdict != Verdict::Wrong) else {
        tracing::info!("a log-in was refused: unknown address or wrong password");
        return Err(bad_credentials());
    };
    let proof = totp::demand(&shop, &user, request.totp.as_deref())?;
    let user = match verdict {
        Verdict::RightButWeak => strengthen(&shop, user, &request.password).await?,
        Verdict::Right | Verdict::Wrong => user,
    };
    let device_token = devices::issue(&shop.keys, &user);
    let (session, refresh_token) = begin_session(&shop, user, proof, tries, device(&headers)).await?;
    let Tokens { access_token, refresh_token } = Tokens::issue(&shop, &session, refresh_token)?;
    Ok(Json(LoggedIn { access_token, refresh_token, device_token }))
}

/// What a log-in counts as. Those of everybody together come last: what a client may not do is nobody else's try.
fn all_uses(who: &Who<'_>, email_key: &str, check: Check, tries: &[(Rule, String)]) -> Vec<(Rule, String)> {
    let Who::Client(client) = who else {
        return tries.to_vec();
    };
    let of_all = |rule: Rule| (rule, email_key.to_owned());
    match check {
        Check::Passed => [tries, &[of_all(limits::LOGIN_PER_ACCOUNT)]].concat(),
        // Customers come to their orders also while the service is down; guessing stays as slow as it was.
        Check::Impossible => {
            let unchecked = client.uses(limits::UNCHECKED_LOGIN);
            let all = [limits::UNCHECKED_LOGIN_PER_ACCOUNT, limits::LOGIN_PER_ACCOUNT].map(of_all);
            [&unchecked, tries, &all].concat()
        }
    }
}

/// The password hashed anew with today's parameters, which only a log-in knows to do.
async fn strengthen(shop: &Shop, user: User, password: &str) -> Result<User, Error> {
    let stronger = User { password_hash: shop.passwords.hash(password).await?, ..user.clone() };
    let new_hash = stronger.password_hash.clone();
    let changed = shop
        .db
        .write_closure(move |tx| {
            let (user, new_hash) = (user.clone(), new_hash.clone());
            Box::pin(async move { Ok(store::change_password(tx, &user.id, &user.password_hash, &new_hash).await?) })
        })
        .await?;
    if changed { Ok(stronger) } else { Err(bad_credentials()) }
}

/// Begins a session, unless the password that was checked has been changed since or the second factor was used.
async fn begin_session(
    shop: &Shop,
    user: User,
    proof: Option<Proof>,
    tries: Vec<(Rule, String)>,
    device: String,
) -> Result<(LiveSession, String), Error> {
    let now_ms = shop.clock.now_ms();
    let begun = Begun::new();
    let refresh_token = begun.refresh_token.clone();
    let pardoned = tries.clone();
    let session = shop
        .db
        .write_closure(move |tx| {
            let (user, begun, proof) = (user.clone(), begun.clone(), proof.clone());
            let (tries, device) = (tries.clone(), device.clone());
            Box::pin(async move {
                if !store::note_login(tx, &user.id, &user.password_hash, now_ms).await? {
                    return Err(bad_credentials());
                }
                if let Some(proof) = proof
                    && !totp::store::use_up(tx, &user.id, &proof).await?
                {
                    return Err(totp::not_right(&user));
                }
                sessions::begin(tx, &begun, &user.id, &device, now_ms).await?;
                limits::clear_each(tx, &tries).await?;
                Ok(LiveSession { id: begun.session_id, user_id: user.id, email: user.email, role: user.role })
            })
        })
        .await?;
    limits::forget_each(shop, &pardoned);
    tracing::info!(user = session.user_id, session = session.id, "logged in");
    Ok((session, refresh_token))
}

fn bad_credentials() -> Error {
    let sentence = "Incorrect email or password. If you just signed up, confirm your email first.";
    Error::new(Code::BadCredentials, sentence)
}

/// What the browser calls itself, for the owner's list of sessions.
fn device(headers: &HeaderMap) -> String {
    headers
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .chars()
        .take(DEVICE_LENGTH)
        .collect()
}
