//! Adding a passkey to the account.

use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::value::RawValue;
use sqlx::AnyConnection;
use utoipa::ToSchema;

use super::administrator::second_factor_hash;
use super::ceremony::{self, NewCredential, UserVerification};
use super::challenge::{NewCeremony, PasskeyCeremony, expired, relying_party, take_ceremony};
use super::list::{PasskeyName, PasskeyView, notify};
use super::store::{self, NewPasskey, Purpose};
use crate::accounts::Accounts;
use crate::accounts::caller::{SignedIn, unauthenticated};
use crate::accounts::second_factor::{self, Verified};
use crate::accounts::sessions::store as sessions;
use crate::accounts::store::{self as users, User};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Body;
use crate::infra::random;
use crate::limits::{self, Rule};
use crate::time_zone;

/// Passkeys of one account.
const MAX_PASSKEYS: usize = 20;

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "totp": "123456" })))]
pub struct StartRequest {
    /// The code of an administrator's authenticator app, or a recovery code.
    #[schema(pattern = "^(([0-9]\\s*){6}|([0-9A-Za-z]{4}[- ]?){4})$", examples("123456"))]
    totp: Option<String>,
}

error_responses!(StartErrors: [BODY, SIGNED_IN] TotpRequired NotFound TooManyRequests);

/// Start to add a passkey
///
/// Returns the options for `navigator.credentials.create`, and the token of the ceremony. Administrators with a second
/// factor need `totp`. An account that has twenty passkeys is a 400, a shop whose address can't have passkeys a 404, and
/// too many requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/passkeys/start",
    tag = "Accounts",
    request_body = StartRequest,
    security(("accessToken" = [])),
    responses((status = 200, description = "The registration has begun.", body = PasskeyCeremony), StartErrors),
)]
pub async fn start_passkey(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
    Body(request): Body<StartRequest>,
) -> Result<Json<PasskeyCeremony>, Error> {
    let party = relying_party(&state)?;
    if request.totp.as_deref().is_some_and(|totp| !second_factor::is_code(totp)) {
        return Err(Error::invalid_field("totp", "Enter the six digits from your app or a recovery code."));
    }
    let user = users::load_user(state.db.read(), &caller.user_id).await?;
    let attempts = attempts_of(&state, &user, request.totp.is_some());
    limits::check_each(&state.limits, &attempts).await?;
    let existing = store::list_credential_ids(state.db.read(), &user.id).await?;
    ensure_room(existing.len())?;
    let second_factor = second_factor::verify(&state, &user, request.totp.as_deref())?;
    let verification = if second_factor.is_some() { UserVerification::Required } else { UserVerification::Preferred };
    let shop = state.letterhead.shop();
    let new_user = ceremony::NewPasskeyUser { shop_name: &shop.name, user_id: &user.id, email: &user.email };
    let begun = ceremony::begin_registration(party, new_user, &existing, verification)?;
    let now_ms = state.clock.now_ms();
    let ceremony = NewCeremony::new(Purpose::Register, Some(user.id.clone()), begun.state, now_ms);
    let ceremony_token = ceremony.token.clone();
    let start = Start { user, second_factor, shop, attempts, ceremony, now_ms };
    let attempts = start.attempts.clone();
    state.db.write(start, |tx, start| Box::pin(start.apply(tx))).await?;
    limits::forget_cached_each(&state.limits, &attempts);
    state.mail_enqueued.notify_one();
    Ok(Json(PasskeyCeremony { ceremony_token, options: begun.options }))
}

/// A stolen access token must not help to guess the code of an administrator's app.
fn attempts_of(state: &Accounts, user: &User, has_code: bool) -> Vec<(Rule, String)> {
    let mut usages = vec![(limits::PASSKEY_CHANGES, user.id.clone())];
    if has_code && second_factor::is_needed(state, user) {
        usages.push((limits::SECOND_FACTOR_PER_ACCOUNT, user.id.clone()));
    }
    usages
}

fn ensure_room(passkeys: usize) -> Result<(), Error> {
    if passkeys < MAX_PASSKEYS {
        return Ok(());
    }
    Err(Error::new(Code::InvalidRequest, format!("You have {MAX_PASSKEYS} passkeys. Remove one to add another.")))
}

struct Start {
    user: User,
    second_factor: Option<Verified>,
    /// For the email about a recovery code.
    shop: ShopInfo,
    attempts: Vec<(Rule, String)>,
    ceremony: NewCeremony,
    now_ms: i64,
}

impl Start {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        if let Some(verified) = &self.second_factor {
            if !second_factor::mark_used(tx, &self.user, verified, &self.shop, self.now_ms).await? {
                return Err(second_factor::invalid_code(&self.user));
            }
            limits::clear(tx, limits::SECOND_FACTOR_PER_ACCOUNT, &self.user.id).await?;
        }
        self.ceremony.insert(tx).await
    }
}

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "ceremony_token": "Yb3kz0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyX",
    "name": "Phone",
    "credential": { "id": "BwcHBwcHBwc", "type": "public-key", "response": {} },
})))]
pub struct AddRequest {
    /// The token of the ceremony.
    #[schema(min_length = 43, max_length = 43)]
    ceremony_token: String,
    /// A name for the list of passkeys.
    #[schema(min_length = 1, max_length = 60, examples("Phone"))]
    name: String,
    /// The response of `navigator.credentials.create`, as `toJSON()` returns it.
    #[schema(value_type = Object)]
    credential: Box<RawValue>,
}

error_responses!(AddErrors: [BODY, SIGNED_IN] PasskeyInvalid PasskeyExpired NotFound);

/// Add a passkey
///
/// Adds the passkey that the browser has created, emails the user, and returns the passkey. One that is wrong, or that
/// an account has already, is `PasskeyInvalid`. A ceremony that is old, or was used already, is `PasskeyExpired`.
#[utoipa::path(
    post,
    path = "/api/auth/passkeys",
    tag = "Accounts",
    request_body = AddRequest,
    security(("accessToken" = [])),
    responses((status = 201, description = "The passkey was added.", body = PasskeyView), AddErrors),
)]
pub async fn add_passkey(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
    Body(request): Body<AddRequest>,
) -> Result<(StatusCode, Json<PasskeyView>), Error> {
    let party = relying_party(&state)?;
    let name = PasskeyName::parse(&request.name)?;
    // Before the ceremony is taken: `Addition` compares the account with this one.
    let user = users::load_user(state.db.read(), &caller.user_id).await?;
    let ceremony = take_ceremony(&state, &request.ceremony_token, Purpose::Register).await?;
    if ceremony.user_id.as_ref() != Some(&caller.user_id) {
        tracing::info!(user = caller.user_id, "passkey rejected: the registration of another account");
        return Err(expired());
    }
    let credential = ceremony::finish_registration(party, &ceremony.state, request.credential.get())
        .map_err(|error| invalid(error.reason()))?;
    // In a demo, it is added without a code of the app, so it isn't bound to the app.
    let second_factor_hash = match second_factor::is_needed(&state, &user) {
        true => second_factor_hash(&state.keys, &user, &credential.credential_id)?,
        false => None,
    };
    let zone = time_zone::store::load(state.db.read()).await?;
    let now_ms = state.clock.now_ms();
    let shop = state.letterhead.shop();
    let session_id = caller.session_id.clone();
    let addition =
        Addition { id: random::new_id(), session_id, user, credential, name, second_factor_hash, shop, now_ms };
    let passkey = store::Passkey {
        id: addition.id.clone(),
        name: addition.name.as_str().to_owned(),
        created_at: now_ms,
        last_used_at: None,
    };
    state.db.write(addition, |tx, addition| Box::pin(addition.apply(tx))).await?;
    state.mail_enqueued.notify_one();
    tracing::info!(user = caller.user_id, passkey = passkey.id, "passkey added");
    Ok((StatusCode::CREATED, Json(PasskeyView::of(passkey, &zone))))
}

struct Addition {
    id: String,
    session_id: String,
    user: User,
    credential: NewCredential,
    name: PasskeyName,
    second_factor_hash: Option<String>,
    shop: ShopInfo,
    now_ms: i64,
}

impl Addition {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        users::lock_user(tx, &self.user.id).await?;
        // A new password or a grant may have ended the session while the request's body was on its way.
        if sessions::find_live(&mut *tx, &self.session_id, self.now_ms).await?.is_none() {
            return Err(unauthenticated());
        }
        let user = users::load_user(&mut *tx, &self.user.id).await?;
        if user.role != self.user.role || user.totp_secret != self.user.totp_secret {
            return Err(invalid("the account has changed"));
        }
        ensure_room(store::list_credential_ids(&mut *tx, &user.id).await?.len())?;
        let row = NewPasskey {
            id: &self.id,
            user_id: &user.id,
            credential_id: &self.credential.credential_id,
            public_key: &self.credential.public_key,
            state: &self.credential.state,
            name: self.name.as_str(),
            second_factor_hash: self.second_factor_hash.as_deref(),
            created_at: self.now_ms,
        };
        if !store::insert(tx, row).await? {
            return Err(invalid("an account has this passkey"));
        }
        let mail = app::mail::passkey_added(&self.shop, self.name.as_str());
        notify(tx, &user.email, format!("passkey-added:{}", self.id), mail, self.now_ms).await
    }
}

fn invalid(reason: &str) -> Error {
    tracing::info!(reason, "passkey rejected");
    Error::new(Code::PasskeyInvalid, "That passkey couldn’t be added. Please try again.")
}
