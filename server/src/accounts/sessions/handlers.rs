use std::sync::Arc;

use app::mail::Mail;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::store::{self, EndResult, LiveSession};
use super::{Rotation, Successors, Tokens, is_well_formed, rotate, token_hash};
use crate::accounts::Accounts;
use crate::accounts::caller::SignedIn;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::{Body, Path};
use crate::infra::clock::rfc3339;
use crate::limits;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};
use crate::time_zone;

pub fn router() -> OpenApiRouter<Arc<Accounts>> {
    OpenApiRouter::new()
        .routes(routes!(refresh))
        .routes(routes!(logout))
        .routes(routes!(list_sessions))
        .routes(routes!(end_session))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshRequest {
    #[schema(min_length = 1, max_length = 100, examples("k3Zb0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyXM"))]
    refresh_token: String,
}

impl RefreshRequest {
    fn token(self) -> Result<String, Error> {
        if self.refresh_token.is_empty() {
            return Err(Error::invalid_field("refreshToken", "This is required."));
        }
        Ok(self.refresh_token)
    }
}

error_responses!(RefreshErrors: [BODY] RefreshTokenInvalid TooManyRequests);

/// Refresh an access token
///
/// Returns a new access token and a new refresh token, and invalidates the old refresh token. An unknown, expired or
/// reused token is a 401; reuse also ends the session.
#[utoipa::path(
    post,
    path = "/api/auth/refresh-token",
    tag = "Accounts",
    operation_id = "refresh_tokens",
    request_body = RefreshRequest,
    responses((status = 200, description = "New access and refresh tokens.", body = Tokens), RefreshErrors),
)]
pub async fn refresh(
    State(state): State<Arc<Accounts>>,
    Body(request): Body<RefreshRequest>,
) -> Result<Json<Tokens>, Error> {
    let now_ms = state.clock.now_ms();
    let token = request.token()?;
    if !is_well_formed(&token) {
        return Err(invalid_token());
    }
    let session = store::find_live_by_token(state.db.read(), &token_hash(&token), now_ms).await?;
    let session = session.ok_or_else(invalid_token)?;
    limits::check(&state.limits, &[(limits::REFRESH_PER_SESSION, &session.id)]).await?;

    let successors = Successors::of_shop(&state.keys);
    let refresh = Refresh { token, successors, notice: app::mail::sessions_ended(&state.letterhead.shop()), now_ms };
    match state.db.write(refresh, |tx, refresh| Box::pin(refresh.apply(tx))).await? {
        Rotation::Renewed { session, refresh_token } => Ok(Json(Tokens::issue(&state, &session, refresh_token)?)),
        Rotation::Rejected => Err(invalid_token()),
        Rotation::Reused { session } => {
            tracing::warn!(user = session.user_id, session = session.id, "refresh token reused: session ended");
            state.mail_enqueued.notify_one();
            Err(invalid_token())
        }
    }
}

struct Refresh {
    token: String,
    successors: Successors,
    notice: Mail,
    now_ms: i64,
}

impl Refresh {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<Rotation, Error> {
        let rotation = rotate(tx, &self.successors, &self.token, self.now_ms).await?;
        if let Rotation::Reused { session } = &rotation {
            outbox::enqueue(tx, self.now_ms, self.notice_to_owner(session)).await?;
        }
        Ok(rotation)
    }

    fn notice_to_owner(&self, session: &LiveSession) -> OutgoingMail {
        let dedupe_key = format!("sessions-ended:{}", session.id);
        let (kind, to) = (EmailKind::SessionsEnded, session.email.clone());
        OutgoingMail { kind, order_id: None, dedupe_key, to, mail: self.notice.clone() }
    }
}

fn invalid_token() -> Error {
    Error::new(Code::RefreshTokenInvalid, "Your session has ended. Please log in again.")
}

error_responses!(LogoutErrors: [BODY]);

/// Log out
///
/// Ends the session of the refresh token. Returns no content, for an unknown token too.
#[utoipa::path(
    post,
    path = "/api/auth/logout",
    tag = "Accounts",
    operation_id = "log_out",
    request_body = RefreshRequest,
    responses((status = 204, description = "The session has ended."), LogoutErrors),
)]
pub async fn logout(
    State(state): State<Arc<Accounts>>,
    Body(request): Body<RefreshRequest>,
) -> Result<StatusCode, Error> {
    let now_ms = state.clock.now_ms();
    let token = request.token()?;
    // A request without a session costs no write, and a malformed token costs no read either.
    if !is_well_formed(&token) {
        return Ok(StatusCode::NO_CONTENT);
    }
    let hash = token_hash(&token);
    if store::find_live_by_token(state.db.read(), &hash, now_ms).await?.is_none() {
        return Ok(StatusCode::NO_CONTENT);
    }
    state.db.write((hash, now_ms), |tx, (hash, now_ms)| Box::pin(end_by_token(tx, hash, *now_ms))).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn end_by_token(tx: &mut AnyConnection, token_hash: &str, now_ms: i64) -> Result<(), Error> {
    Ok(store::end_by_token(tx, token_hash, now_ms).await?)
}

#[derive(Serialize, ToSchema)]
pub struct SessionList {
    sessions: Vec<SessionView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Session, examples(json!({
    "id": "0193f5c6-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
    "device": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    "created_at": "2026-12-20T09:15:00Z",
    "created_at_local": "2026-12-20T04:15:00-05:00",
    "last_used_at": "2026-12-24T18:00:00Z",
    "last_used_at_local": "2026-12-24T13:00:00-05:00",
    "expires_at": "2027-01-19T09:15:00Z",
    "current": true,
})))]
struct SessionView {
    id: String,
    /// The browser's `User-Agent` at login.
    device: String,
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    created_at_local: String,
    last_used_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    last_used_at_local: String,
    expires_at: String,
    /// True for the session that sent this request.
    current: bool,
}

error_responses!(ListErrors: [SIGNED_IN]);

/// List sessions
///
/// Returns the active sessions of the logged-in user, most recently used first.
#[utoipa::path(
    get,
    path = "/api/auth/sessions",
    tag = "Accounts",
    security(("accessToken" = [])),
    responses((status = 200, description = "The active sessions.", body = SessionList), ListErrors),
)]
pub async fn list_sessions(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
) -> Result<Json<SessionList>, Error> {
    let zone = time_zone::store::load(state.db.read()).await?;
    let sessions = store::list_of_user(state.db.read(), &caller.user_id, state.clock.now_ms()).await?;
    let sessions = sessions
        .into_iter()
        .map(|session| SessionView {
            current: session.id == caller.session_id,
            id: session.id,
            device: session.device,
            created_at: rfc3339(session.created_at),
            created_at_local: zone.local(session.created_at),
            last_used_at: rfc3339(session.last_used_at),
            last_used_at_local: zone.local(session.last_used_at),
            expires_at: rfc3339(session.expires_at),
        })
        .collect();
    Ok(Json(SessionList { sessions }))
}

error_responses!(EndErrors: [SIGNED_IN] NotFound);

/// End a session
///
/// Ends a session of the logged-in user and invalidates its access tokens. Returns no content, even if the session had
/// already ended; an unknown id is a 404.
#[utoipa::path(
    delete,
    path = "/api/auth/sessions/{id}",
    tag = "Accounts",
    params(("id" = String, Path, description = "The id from the list of sessions.", example = "0193f5c6-1a2b-7c3d-8e4f-5a6b7c8d9e0f")),
    security(("accessToken" = [])),
    responses((status = 204, description = "The session has ended."), EndErrors),
)]
pub async fn end_session(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
    Path(session_id): Path,
) -> Result<StatusCode, Error> {
    // A session that does not exist or has already ended costs no write.
    match store::find_has_ended(state.db.read(), &caller.user_id, &session_id).await? {
        None => return Err(Error::not_found("Session")),
        Some(true) => return Ok(StatusCode::NO_CONTENT),
        Some(false) => {}
    }
    let ending = Ending { user_id: caller.user_id, session_id, now_ms: state.clock.now_ms() };
    match state.db.write(ending, |tx, ending| Box::pin(ending.apply(tx))).await? {
        EndResult::Ended => Ok(StatusCode::NO_CONTENT),
        EndResult::NotFound => Err(Error::not_found("Session")),
    }
}

struct Ending {
    user_id: String,
    session_id: String,
    now_ms: i64,
}

impl Ending {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<EndResult, Error> {
        Ok(store::end_own(tx, &self.user_id, &self.session_id, self.now_ms).await?)
    }
}
