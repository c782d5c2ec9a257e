//! The account's passkeys: list, rename, remove.

use std::sync::Arc;

use app::mail::{Mail, ShopInfo};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::ToSchema;

use super::store::{self, Passkey};
use crate::accounts::Accounts;
use crate::accounts::caller::SignedIn;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::{Body, Path};
use crate::infra::clock::rfc3339;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};
use crate::time_zone::{self, ShopZone};

/// Characters of a name.
const MAX_NAME: usize = 60;

/// A name for the list of passkeys, on one line.
#[derive(Clone, Debug)]
pub struct PasskeyName(String);

impl PasskeyName {
    /// # Errors
    /// 400 with a message for the field.
    pub fn parse(name: &str) -> Result<Self, Error> {
        let name = name.trim();
        let length = name.chars().count();
        if length == 0 || length > MAX_NAME || name.chars().any(char::is_control) {
            return Err(Error::invalid_field("name", format!("Enter a name of 1 to {MAX_NAME} characters.")));
        }
        Ok(Self(name.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Serialize, ToSchema)]
pub struct PasskeyList {
    passkeys: Vec<PasskeyView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Passkey, examples(json!({
    "id": "0193f5c6-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
    "name": "Phone",
    "created_at": "2026-12-20T09:15:00Z",
    "created_at_local": "2026-12-20T04:15:00-05:00",
    "last_used_at": "2026-12-24T18:00:00Z",
    "last_used_at_local": "2026-12-24T13:00:00-05:00",
})))]
pub struct PasskeyView {
    id: String,
    name: String,
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    created_at_local: String,
    /// The last login; `null` before the first one.
    #[schema(required)]
    last_used_at: Option<String>,
    /// The same time in the shop's time zone, with its offset.
    #[schema(required, format = DateTime)]
    last_used_at_local: Option<String>,
}

impl PasskeyView {
    pub fn of(passkey: Passkey, zone: &ShopZone) -> Self {
        let Passkey { id, name, created_at, last_used_at } = passkey;
        Self {
            id,
            name,
            created_at: rfc3339(created_at),
            created_at_local: zone.local(created_at),
            last_used_at: last_used_at.map(rfc3339),
            last_used_at_local: last_used_at.map(|at| zone.local(at)),
        }
    }
}

error_responses!(ListErrors: [SIGNED_IN]);

/// List passkeys
///
/// Returns the passkeys of the logged-in user, oldest first.
#[utoipa::path(
    get,
    path = "/api/auth/passkeys",
    tag = "Accounts",
    security(("accessToken" = [])),
    responses((status = 200, description = "The passkeys.", body = PasskeyList), ListErrors),
)]
pub async fn list_passkeys(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
) -> Result<Json<PasskeyList>, Error> {
    let zone = time_zone::store::load(state.db.read()).await?;
    let passkeys = store::list_of_user(state.db.read(), &caller.user_id).await?;
    Ok(Json(PasskeyList { passkeys: passkeys.into_iter().map(|passkey| PasskeyView::of(passkey, &zone)).collect() }))
}

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "name": "Old phone" })))]
pub struct RenameRequest {
    /// The new name.
    #[schema(min_length = 1, max_length = 60, examples("Old phone"))]
    name: String,
}

error_responses!(RenameErrors: [BODY, SIGNED_IN] NotFound);

/// Rename a passkey
///
/// Changes the name of a passkey of the logged-in user and returns the passkey. An unknown id is a 404.
#[utoipa::path(
    patch,
    path = "/api/auth/passkeys/{id}",
    tag = "Accounts",
    params(("id" = String, Path, description = "The id from the list of passkeys.", example = "0193f5c6-1a2b-7c3d-8e4f-5a6b7c8d9e0f")),
    request_body = RenameRequest,
    security(("accessToken" = [])),
    responses((status = 200, description = "The passkey with its new name.", body = PasskeyView), RenameErrors),
)]
pub async fn rename_passkey(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
    Path(id): Path,
    Body(request): Body<RenameRequest>,
) -> Result<Json<PasskeyView>, Error> {
    let name = PasskeyName::parse(&request.name)?;
    let zone = time_zone::store::load(state.db.read()).await?;
    let renaming = Renaming { user_id: caller.user_id, id, name };
    let renamed = state.db.write(renaming, |tx, renaming| Box::pin(renaming.apply(tx))).await?;
    let passkey = renamed.ok_or_else(|| Error::not_found("Passkey"))?;
    Ok(Json(PasskeyView::of(passkey, &zone)))
}

struct Renaming {
    user_id: String,
    id: String,
    name: PasskeyName,
}

impl Renaming {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<Option<Passkey>, Error> {
        Ok(store::rename(tx, &self.user_id, &self.id, self.name.as_str()).await?)
    }
}

error_responses!(RemoveErrors: [SIGNED_IN] NotFound);

/// Remove a passkey
///
/// Removes a passkey of the logged-in user and emails the user. It can no longer log in; sessions continue. An unknown
/// id is a 404.
#[utoipa::path(
    delete,
    path = "/api/auth/passkeys/{id}",
    tag = "Accounts",
    params(("id" = String, Path, description = "The id from the list of passkeys.", example = "0193f5c6-1a2b-7c3d-8e4f-5a6b7c8d9e0f")),
    security(("accessToken" = [])),
    responses((status = 204, description = "The passkey was removed."), RemoveErrors),
)]
pub async fn remove_passkey(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
    Path(id): Path,
) -> Result<StatusCode, Error> {
    let (user_id, passkey) = (caller.user_id.clone(), id.clone());
    let shop = state.letterhead.shop();
    let removal = Removal { user_id: caller.user_id, email: caller.email, id, shop, now_ms: state.clock.now_ms() };
    if !state.db.write(removal, |tx, removal| Box::pin(removal.apply(tx))).await? {
        return Err(Error::not_found("Passkey"));
    }
    state.mail_enqueued.notify_one();
    tracing::info!(user = user_id, passkey, "passkey removed");
    Ok(StatusCode::NO_CONTENT)
}

struct Removal {
    user_id: String,
    email: String,
    id: String,
    shop: ShopInfo,
    now_ms: i64,
}

impl Removal {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<bool, Error> {
        let Some(name) = store::delete(tx, &self.user_id, &self.id).await? else {
            return Ok(false);
        };
        let mail = app::mail::passkey_removed(&self.shop, &name);
        notify(tx, &self.email, format!("passkey-removed:{}", self.id), mail, self.now_ms).await?;
        Ok(true)
    }
}

/// Emails the owner of the account about a passkey.
pub async fn notify(
    tx: &mut AnyConnection,
    to: &str,
    dedupe_key: String,
    mail: Mail,
    now_ms: i64,
) -> Result<(), Error> {
    let outgoing = OutgoingMail { kind: EmailKind::Passkey, order_id: None, dedupe_key, to: to.to_owned(), mail };
    outbox::enqueue(tx, now_ms, outgoing).await
}
