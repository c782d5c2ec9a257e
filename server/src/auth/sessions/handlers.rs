use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::ToSchema;

use super::store::{self, Ending, LiveSession};
use super::{Rotation, Successors, Tokens, is_well_formed, rotate, token_hash};
use crate::auth::caller::SignedIn;
use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::http::extract::{Body, Path};
use crate::infra::clock::rfc3339;
use crate::limits;
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshRequest {
    #[schema(min_length = 1, max_length = 100)]
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

/// New tokens for a refresh token, which is spent by this.
#[utoipa::path(
    post,
    path = "/api/auth/refresh-token",
    tag = "Accounts",
    operation_id = "refresh_tokens",
    request_body = RefreshRequest,
    responses((status = 200, description = "Both are new.", body = Tokens), RefreshErrors),
)]
pub async fn refresh(
    State(shop): State<Arc<Shop>>,
    Body(request): Body<RefreshRequest>,
) -> Result<Json<Tokens>, Error> {
    let now_ms = shop.clock.now_ms();
    let token = request.token()?;
    if !is_well_formed(&token) {
        return Err(refused());
    }
    let session = store::find_live_by_token(shop.db.read(), &token_hash(&token), now_ms).await?.ok_or_else(refused)?;
    limits::take(&shop, &[(limits::REFRESH_PER_SESSION, &session.id)]).await?;

    let successors = Successors::of_shop(&shop.keys);
    let mail_shop = shop.mail_shop();
    let rotation = shop
        .db
        .write_closure(move |tx| {
            let (token, mail_shop) = (token.clone(), mail_shop.clone());
            let successors = successors.clone();
            Box::pin(async move {
                let rotation = rotate(tx, &successors, &token, now_ms).await?;
                if let Rotation::Copied { session } = &rotation {
                    warn_owner(tx, session, app::mail::sessions_ended(&mail_shop), now_ms).await?;
                }
                Ok(rotation)
            })
        })
        .await?;
    match rotation {
        Rotation::Renewed { session, refresh_token } => Ok(Json(Tokens::issue(&shop, &session, refresh_token)?)),
        Rotation::Refused => Err(refused()),
        Rotation::Copied { session } => {
            tracing::warn!(
                user = session.user_id,
                session = session.id,
                "a spent refresh token came back: its session is ended"
            );
            shop.mail_enqueued.notify_one();
            Err(refused())
        }
    }
}

async fn warn_owner(
    tx: &mut AnyConnection,
    session: &LiveSession,
    mail: app::mail::Mail,
    now_ms: i64,
) -> Result<(), Error> {
    let outgoing =
        OutgoingMail { dedupe_key: format!("sessions-ended:{}", session.id), to: session.email.clone(), mail };
    outbox::enqueue(tx, now_ms, outgoing).await
}

fn refused() -> Error {
    Error::new(Code::RefreshTokenInvalid, "Your session is over. Please log in again.")
}

error_responses!(LogoutErrors: [BODY]);

/// Ends the session of the refresh token. An unknown one has none to end, and is answered alike.
#[utoipa::path(
    post,
    path = "/api/auth/logout",
    tag = "Accounts",
    operation_id = "log_out",
    request_body = RefreshRequest,
    responses((status = 204, description = "There is no such session any more."), LogoutErrors),
)]
pub async fn logout(State(shop): State<Arc<Shop>>, Body(request): Body<RefreshRequest>) -> Result<StatusCode, Error> {
    let now_ms = shop.clock.now_ms();
    let token = request.token()?;
    // Whoever has no session is not to cost a write, nor a read for what never was a token.
    if !is_well_formed(&token) {
        return Ok(StatusCode::NO_CONTENT);
    }
    let hash = token_hash(&token);
    if store::find_live_by_token(shop.db.read(), &hash, now_ms).await?.is_none() {
        return Ok(StatusCode::NO_CONTENT);
    }
    shop.db
        .write_closure(move |tx| {
            let hash = hash.clone();
            Box::pin(async move { Ok(store::end_by_token(tx, &hash, now_ms).await?) })
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Serialize, ToSchema)]
pub struct SessionList {
    sessions: Vec<SessionView>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
struct SessionView {
    id: String,
    device: String,
    created_at: String,
    last_used_at: String,
    expires_at: String,
    /// The one this answer is given to.
    current: bool,
}

error_responses!(ListErrors: [SIGNED_IN]);

/// The caller's live sessions, the one used last first.
#[utoipa::path(
    get,
    path = "/api/auth/sessions",
    tag = "Accounts",
    security(("accessToken" = [])),
    responses((status = 200, description = "One's own sessions.", body = SessionList), ListErrors),
)]
pub async fn list_sessions(
    State(shop): State<Arc<Shop>>,
    SignedIn(caller): SignedIn,
) -> Result<Json<SessionList>, Error> {
    let sessions = store::list_of_user(shop.db.read(), &caller.user_id, shop.clock.now_ms()).await?;
    let sessions = sessions
        .into_iter()
        .map(|session| SessionView {
            current: session.id == caller.session_id,
            id: session.id,
            device: session.device,
            created_at: rfc3339(session.created_at),
            last_used_at: rfc3339(session.last_used_at),
            expires_at: rfc3339(session.expires_at),
        })
        .collect();
    Ok(Json(SessionList { sessions }))
}

error_responses!(EndErrors: [SIGNED_IN] NotFound);

/// Ends one of the caller's own sessions; its access token is refused from then on.
#[utoipa::path(
    delete,
    path = "/api/auth/sessions/{id}",
    tag = "Accounts",
    params(("id" = String, Path, description = "As the list of sessions names it.")),
    security(("accessToken" = [])),
    responses((status = 204, description = "The session is over."), EndErrors),
)]
pub async fn end_session(
    State(shop): State<Arc<Shop>>,
    SignedIn(caller): SignedIn,
    Path(session_id): Path,
) -> Result<StatusCode, Error> {
    let now_ms = shop.clock.now_ms();
    // As at the logout: what is not there, or has ended already, costs no write.
    match store::find_has_ended(shop.db.read(), &caller.user_id, &session_id).await? {
        None => return Err(Error::not_found("Session")),
        Some(true) => return Ok(StatusCode::NO_CONTENT),
        Some(false) => {}
    }
    let ending = shop
        .db
        .write_closure(move |tx| {
            let (user_id, session_id) = (caller.user_id.clone(), session_id.clone());
            Box::pin(async move { Ok(store::end_own(tx, &user_id, &session_id, now_ms).await?) })
        })
        .await?;
    match ending {
        Ending::Ended => Ok(StatusCode::NO_CONTENT),
        Ending::NoSuchSession => Err(Error::not_found("Session")),
    }
}
