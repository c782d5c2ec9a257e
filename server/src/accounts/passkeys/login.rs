//! Logging in with a passkey. The authenticator names the account, so the start of a login reveals nothing.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::value::RawValue;
use sqlx::AnyConnection;
use utoipa::ToSchema;

use super::administrator::second_factor_hash;
use super::ceremony::{self, LoginResponse, StoredCredential, VerifiedLogin};
use super::challenge::{NewCeremony, PasskeyCeremony, relying_party, take_ceremony};
use super::store::{self, LoginPasskey, Purpose};
use crate::accounts::Accounts;
use crate::accounts::constant_time;
use crate::accounts::logged_in::{LoggedIn, device_of};
use crate::accounts::second_factor;
use crate::accounts::sessions::store::LiveSession;
use crate::accounts::sessions::{self, NewSession};
use crate::accounts::store::{self as users, User};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::http::load_shedding::Permit;
use crate::limits;

error_responses!(StartErrors: [NONE] NotFound TooManyRequests);

/// Start a login with a passkey
///
/// Returns the options for `navigator.credentials.get`, and the token of the ceremony. A shop whose address can't have
/// passkeys is a 404; too many requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/passkey-login",
    tag = "Accounts",
    responses((status = 200, description = "The login has begun.", body = PasskeyCeremony), StartErrors),
)]
pub async fn start_passkey_login(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
) -> Result<Json<PasskeyCeremony>, Error> {
    let party = relying_party(&state)?;
    limits::check_each(&state.limits, &client.usages(limits::PASSKEY_LOGINS_STARTED)).await?;
    let begun = ceremony::begin_login(party)?;
    let ceremony = NewCeremony::new(Purpose::LogIn, None, begun.state, state.clock.now_ms());
    let ceremony_token = ceremony.token.clone();
    state.db.write(ceremony, |tx, ceremony| Box::pin(ceremony.insert(tx))).await?;
    Ok(Json(PasskeyCeremony { ceremony_token, options: begun.options }))
}

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "ceremony_token": "Yb3kz0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyX",
    "credential": { "id": "BwcHBwcHBwc", "type": "public-key", "response": {} },
})))]
pub struct PasskeyLogInRequest {
    /// The token of the ceremony.
    #[schema(min_length = 43, max_length = 43)]
    ceremony_token: String,
    /// The response of `navigator.credentials.get`, as `toJSON()` returns it.
    #[schema(value_type = Object)]
    credential: Box<RawValue>,
}

error_responses!(LogInErrors: [BODY] PasskeyInvalid PasskeyExpired NotFound TooManyRequests);

/// Log in with a passkey
///
/// Starts a session and returns its tokens. A passkey that is wrong or removed, or that does not verify an administrator,
/// is `PasskeyInvalid`. A ceremony that is old, or was used already, is `PasskeyExpired`. Too many attempts are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/login-with-passkey",
    tag = "Accounts",
    request_body = PasskeyLogInRequest,
    responses((status = 200, description = "The tokens of a new session.", body = LoggedIn), LogInErrors),
)]
pub async fn log_in_with_passkey(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    headers: HeaderMap,
    permit: Permit,
    Body(request): Body<PasskeyLogInRequest>,
) -> Result<Json<LoggedIn>, Error> {
    constant_time::respond(permit, async {
        limits::check_each(&state.limits, &client.usages(limits::PASSKEY_LOGINS)).await?;
        let (passkey, user, verified) = verify(&state, &request).await?;
        let login = PasskeyLogin {
            passkey,
            user,
            verified,
            device: device_of(&headers),
            session: NewSession::new(),
            now_ms: state.clock.now_ms(),
        };
        let (user, refresh_token) = (login.user.clone(), login.session.refresh_token.clone());
        let session = state.db.write(login, |tx, login| Box::pin(login.apply(tx))).await?;
        tracing::info!(user = session.user_id, session = session.id, "logged in with a passkey");
        LoggedIn::of(&state, &user, &session, refresh_token).map(Json)
    })
    .await
}

async fn verify(state: &Accounts, request: &PasskeyLogInRequest) -> Result<(LoginPasskey, User, VerifiedLogin), Error> {
    let party = relying_party(state)?;
    let ceremony = take_ceremony(state, &request.ceremony_token, Purpose::LogIn).await?;
    let response = LoginResponse::parse(request.credential.get()).map_err(|error| invalid(error.reason()))?;
    let credential_id = response.credential_id();
    let passkey = store::find_by_credential(state.db.read(), &credential_id).await?;
    let passkey = passkey.ok_or_else(|| invalid("unknown passkey"))?;
    let stored = StoredCredential {
        user_id: passkey.user_id.clone(),
        public_key: passkey.public_key.clone(),
        state: passkey.state.clone(),
    };
    let verified = response.verify(party, &ceremony.state, &stored).map_err(|error| invalid(error.reason()))?;
    let user = users::load_user(state.db.read(), &passkey.user_id).await?;
    if second_factor::is_needed(state, &user) {
        ensure_second_factor(state, &user, &passkey, &credential_id, &verified)?;
    }
    Ok((passkey, user, verified))
}

/// An administrator's passkey verifies the user, and was added with the current authenticator app.
fn ensure_second_factor(
    state: &Accounts,
    user: &User,
    passkey: &LoginPasskey,
    credential_id: &str,
    verified: &VerifiedLogin,
) -> Result<(), Error> {
    if !verified.user_verified {
        return Err(invalid("the user of an administrator's passkey was not verified"));
    }
    let bound = second_factor_hash(&state.keys, user, credential_id)?;
    if bound.is_none() || bound != passkey.second_factor_hash {
        return Err(invalid("the passkey is older than the administrator's second factor"));
    }
    Ok(())
}

/// A login whose passkey was verified.
struct PasskeyLogin {
    passkey: LoginPasskey,
    user: User,
    verified: VerifiedLogin,
    device: String,
    session: NewSession,
    now_ms: i64,
}

impl PasskeyLogin {
    /// Begins the session, unless the account, the passkey, or its signature counter has changed since the check.
    async fn apply(&self, tx: &mut AnyConnection) -> Result<LiveSession, Error> {
        users::touch_login(tx, &self.user.id, self.now_ms).await?;
        let user = users::load_user(&mut *tx, &self.user.id).await?;
        if user.role != self.user.role || user.totp_secret != self.user.totp_secret {
            return Err(invalid("the account has changed"));
        }
        let LoginPasskey { id, state, .. } = &self.passkey;
        if !store::record_use(tx, id, state, &self.verified.state, self.now_ms).await? {
            return Err(invalid("the passkey was removed or used meanwhile"));
        }
        Ok(sessions::begin(tx, &self.session, &user, &self.device, self.now_ms).await?)
    }
}

fn invalid(reason: &str) -> Error {
    tracing::info!(reason, "login with a passkey rejected");
    Error::new(Code::PasskeyInvalid, "That passkey didn’t work. Try again, or log in another way.")
}
