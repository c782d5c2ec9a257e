use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::password::Verdict;
use super::sessions::store::LiveSession;
use super::sessions::{self, Begun, Tokens};
use super::store::{self, User};
use super::totp::{self, Proof};
use crate::botcheck::{self, Action, Check};
use crate::error::{Code, Error};
use crate::extract::Body;
use crate::limits;
use crate::limits::address::ClientAddress;
use crate::refusals::refusals;
use crate::shop::Shop;

/// What is kept of a browser's name for itself.
const DEVICE_LENGTH: usize = 200;

#[derive(Deserialize, ToSchema)]
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
}

refusals!(LogInRefusals: [BODY] BotCheckFailed BadCredentials TotpRequired EmailNotConfirmed TooManyRequests);

/// Tokens of a new session. An unknown address and a wrong password are answered alike, and as slowly.
#[utoipa::path(
    post,
    path = "/api/auth/login",
    tag = "Accounts",
    request_body = LogInRequest,
    responses((status = 200, description = "A new session.", body = Tokens), LogInRefusals),
)]
pub async fn log_in(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    headers: HeaderMap,
    Body(request): Body<LogInRequest>,
) -> Result<Json<Tokens>, Error> {
    let email = Email::parse(&request.username).map_err(|sentence| Error::invalid_field("username", sentence))?;
    if request.password.is_empty() {
        return Err(Error::invalid_field("password", "Password is required."));
    }
    // Before anything is written for somebody who would be refused in the end.
    shop.passwords.admit()?;
    limits::take(&shop, &[(limits::LOGIN_PER_ADDRESS, &client.subject())]).await?;
    let check = botcheck::verify(&shop, Action::Login, &request.bot_check, client.ip()).await?;
    // After the bot check, so that locking somebody out costs work.
    let key = email.key();
    if check == Check::Impossible {
        // Customers come to their orders also while the service is down; guessing stays as slow as it was.
        limits::take(&shop, &[(limits::UNCHECKED_LOGIN, &client.subject()), (limits::UNCHECKED_LOGIN, &key)]).await?;
    }
    limits::take(&shop, &[(limits::LOGIN_PER_ACCOUNT, &key)]).await?;

    let user = store::find_user_by_email(shop.db.read(), &key).await?;
    let stored = user.as_ref().map(|user| user.password_hash.as_str());
    let verdict = shop.passwords.verify(&request.password, stored).await?;
    let Some(user) = user.filter(|_| verdict != Verdict::Wrong) else {
        tracing::info!("a log-in was refused: unknown address or wrong password");
        return Err(bad_credentials());
    };
    if !user.confirmed {
        return Err(Error::new(
            Code::EmailNotConfirmed,
            "Please confirm your e-mail address first. A new code can be sent to you.",
        ));
    }
    let proof = totp::demand(&shop, &user, request.totp.as_deref())?;
    let user = match verdict {
        Verdict::RightButWeak => strengthen(&shop, user, &request.password).await?,
        Verdict::Right | Verdict::Wrong => user,
    };
    let (session, refresh_token) = begin_session(&shop, user, proof, key, device(&headers)).await?;
    Tokens::issue(&shop, &session, refresh_token).map(Json)
}

/// The password hashed anew with today's parameters, which only a log-in knows to do.
async fn strengthen(shop: &Shop, user: User, password: &str) -> Result<User, Error> {
    let stronger = User { password_hash: shop.passwords.hash(password).await?, ..user.clone() };
    let new_hash = stronger.password_hash.clone();
    let changed = shop
        .db
        .write(move |tx| {
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
    email_key: String,
    device: String,
) -> Result<(LiveSession, String), Error> {
    let now_ms = shop.clock.now_ms();
    let begun = Begun::new();
    let refresh_token = begun.refresh_token.clone();
    let pardoned = email_key.clone();
    let session = shop
        .db
        .write(move |tx| {
            let (user, begun, proof) = (user.clone(), begun.clone(), proof.clone());
            let (email_key, device) = (email_key.clone(), device.clone());
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
                limits::clear(tx, limits::LOGIN_PER_ACCOUNT, &email_key).await?;
                Ok(LiveSession { id: begun.session_id, user_id: user.id, email: user.email, role: user.role })
            })
        })
        .await?;
    limits::forget(shop, (limits::LOGIN_PER_ACCOUNT, &pardoned));
    tracing::info!(user = session.user_id, session = session.id, "logged in");
    Ok((session, refresh_token))
}

fn bad_credentials() -> Error {
    Error::new(Code::BadCredentials, "Incorrect e-mail or password.")
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
