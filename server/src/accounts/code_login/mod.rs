//! Logging in with an emailed code instead of a password. An address without an account gets one.
//!
//! A code is bound to the browser that requested it, so a stranger can neither replace it nor use up its attempts.
//! Administrators never log in this way: a mailbox alone must not open the admin area.

mod request;
pub mod store;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::schema;

pub use self::request::{__path_request_login_code, request_login_code};
use super::codes::{CodeKeys, Purpose, Verification};
use super::devices::Requester;
use super::logged_in::{LoggedIn, device_of};
use super::login_token::LoginToken;
use super::requested_code::parse_username;
use super::sessions::store::LiveSession;
use super::sessions::{self, NewSession};
use super::store::{self as users, NewUser, Role, User};
use super::{brute_force, constant_time, signups};
use crate::accounts::Accounts;
use crate::config::RateLimits;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::http::load_shedding::Permit;
use crate::infra::random;
use crate::limits::{self, Rule};

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "username": "ada@example.com",
    "code": "123456",
    "login_token": "Yb3kz0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyX",
})))]
pub struct CodeLogInRequest {
    /// The email address.
    #[schema(schema_with = schema::email)]
    username: String,
    /// The code from the email.
    #[schema(pattern = "^[0-9]{6}$", examples("123456"))]
    code: String,
    /// The token of the response to the request for the code.
    #[schema(min_length = 43, max_length = 43)]
    login_token: String,
    /// The device token of this browser's last login. It keeps the wrong codes of strangers from locking this browser out.
    #[schema(min_length = 1, max_length = 100)]
    device_token: Option<String>,
}

error_responses!(CodeLogInErrors: [BODY] CodeInvalid CodeExpired TooManyRequests);

/// Log in with a code
///
/// Starts a session in the browser that requested the code, and returns its tokens. Creates an account without a password
/// if the address has none. A wrong code, one of another browser, and one for an administrator are
/// `CodeInvalid`, an old one `CodeExpired`; too many attempts are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/login-with-code",
    tag = "Accounts",
    request_body = CodeLogInRequest,
    responses((status = 200, description = "The tokens of a new session.", body = LoggedIn), CodeLogInErrors),
)]
pub async fn log_in_with_code(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    headers: HeaderMap,
    permit: Permit,
    Body(request): Body<CodeLogInRequest>,
) -> Result<Json<LoggedIn>, Error> {
    constant_time::respond(permit, async {
        let email = parse_username(&request.username)?;
        let token_hash = LoginToken::parse(request.login_token)?.hash();
        let requester = Requester::identify(&state, &client, &email.key(), request.device_token.as_deref()).await?;
        brute_force::check_limits(&state, &requester, &email.key()).await?;
        let code_hash = store::find(state.db.read(), &token_hash, &email.key()).await?.unwrap_or_default();
        let login = CodeLogin {
            usages: brute_force::attempt_usages(&requester, &email.key(), &code_hash),
            email_key: email.key(),
            token_hash,
            code_hash,
            code: request.code,
            rate_limits: state.config.rate_limits,
            code_keys: CodeKeys::of(&state.keys),
            user_id: random::new_id(),
            password_hash: state.passwords.unknown_hash()?,
            device: device_of(&headers),
            session: NewSession::new(),
            now_ms: state.clock.now_ms(),
        };
        let refresh_token = login.session.refresh_token.clone();
        let (verification, begun) = state.db.write(login, |tx, login| Box::pin(login.apply(tx))).await?;
        brute_force::conclude(&state, &requester, verification).await?;
        let (user, session) = begun.ok_or_else(|| Error::internal("a valid code without a session"))?;
        tracing::info!(user = session.user_id, session = session.id, "logged in with a code");
        LoggedIn::of(&state, &user, &session, refresh_token).map(Json)
    })
    .await
}

/// A code that a browser entered.
struct CodeLogin {
    email_key: String,
    token_hash: String,
    /// Empty if there is none, which matches no code and costs the same statements.
    code_hash: String,
    code: String,
    usages: Vec<(Rule, String)>,
    rate_limits: RateLimits,
    code_keys: CodeKeys,
    /// Of the account if there is none yet.
    user_id: String,
    password_hash: String,
    device: String,
    session: NewSession,
    now_ms: i64,
}

impl CodeLogin {
    /// The transaction must commit whatever the result is, or the rollback would restore the attempt.
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(Verification, Option<(User, LiveSession)>), Error> {
        let Self { email_key, token_hash, code_hash, now_ms, .. } = self;
        if !limits::check_within(tx, self.rate_limits, &self.usages, *now_ms).await? {
            return Ok((Verification::Invalid, None));
        }
        let Some((email, expires_at)) = store::take_attempt(tx, token_hash, email_key, code_hash).await? else {
            return Ok((Verification::Invalid, None));
        };
        let is_live = *now_ms < expires_at;
        match self.code_keys.verify(token_hash, Purpose::LogIn, &self.code, code_hash, is_live) {
            Verification::Valid => self.begin(tx, &email).await,
            other => Ok((other, None)),
        }
    }

    /// Begins a session of the account, which is created if there is none.
    async fn begin(
        &self,
        tx: &mut AnyConnection,
        email: &str,
    ) -> Result<(Verification, Option<(User, LiveSession)>), Error> {
        store::delete_of_address(tx, &self.email_key).await?;
        let new = NewUser {
            id: &self.user_id,
            email,
            email_key: &self.email_key,
            password_hash: &self.password_hash,
            created_at: self.now_ms,
        };
        users::insert_or_confirm(tx, new).await?;
        // Whoever has the mailbox is the owner: a password that somebody else chose for the address is void.
        signups::store::delete_of_address(tx, &self.email_key).await?;
        let user = users::find_user_by_email(&mut *tx, &self.email_key).await?;
        let Some(user) = user.filter(|user| user.role == Role::Customer) else {
            tracing::info!("login with a code rejected: administrator");
            return Ok((Verification::Invalid, None));
        };
        users::touch_login(tx, &user.id, self.now_ms).await?;
        let session = sessions::begin(tx, &self.session, &user, &self.device, self.now_ms).await?;
        Ok((Verification::Valid, Some((user, session))))
    }
}
