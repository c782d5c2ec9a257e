//! Sets up the second factor in the browser, with the link that `nudgelight admin grant` prints. The link works once, for 15
//! minutes.

use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::ToSchema;

use super::totp::Secret;
use super::{RecoveryCodes, notify, recovery, store};
use crate::accounts::Accounts;
use crate::accounts::sessions::{is_well_formed, token_hash};
use crate::accounts::store::{self as users, User};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::infra::clock::MINUTE;
use crate::infra::encoding::base64url;
use crate::infra::random;
use crate::limits;

const LIFETIME_MS: i64 = 15 * MINUTE;

/// A new link: its token is in the fragment, which browsers send to no server.
pub struct Link {
    pub url: String,
    pub token_hash: String,
    pub expires_at: i64,
}

impl Link {
    pub fn new(public_url: &str, now_ms: i64) -> Self {
        let token = base64url(random::random_bytes::<32>());
        Self {
            url: format!("{public_url}/second-factor#{token}"),
            token_hash: token_hash(&token),
            expires_at: now_ms + LIFETIME_MS,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "setup_token": "k3Zb0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyXM" })))]
pub struct SecondFactorRequest {
    /// The token of the link.
    #[schema(min_length = 43, max_length = 43)]
    setup_token: String,
}

/// What sets up an authenticator app.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "email": "admin@nudgelight.example",
    "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    "url": "otpauth://totp/Nudgelight:admin%40nudgelight.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Nudgelight",
    "qr_code": "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
})))]
pub struct SecondFactorSetup {
    /// The administrator's email address.
    email: String,
    /// For an app that can't scan the code: base32.
    secret: String,
    /// The `otpauth://` URL in the code.
    url: String,
    /// The QR code as an SVG document.
    qr_code: String,
}

error_responses!(SetUpErrors: [BODY] CodeExpired TooManyRequests);

/// Set up the second factor
///
/// Returns what an authenticator app needs, for the link of `nudgelight admin grant`. A link that is wrong, old, or was used
/// already is `CodeExpired`; too many requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/second-factor",
    tag = "Accounts",
    request_body = SecondFactorRequest,
    responses((status = 200, description = "What an authenticator app needs.", body = SecondFactorSetup), SetUpErrors),
)]
pub async fn set_up_second_factor(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    Body(request): Body<SecondFactorRequest>,
) -> Result<Json<SecondFactorSetup>, Error> {
    limits::check_each(&state.limits, &client.usages(limits::CODE_PER_ADDRESS)).await?;
    let (user, secret, _) = find(&state, &request.setup_token).await?;
    let setup = secret.setup(&state.letterhead.shop().name, &user.email)?;
    let qr_code = app::ui::qr_code(&setup.url).ok_or_else(|| Error::internal("the URL is too long for a QR code"))?;
    Ok(Json(SecondFactorSetup { email: user.email, secret: setup.secret, url: setup.url, qr_code }))
}

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "setup_token": "k3Zb0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyXM", "totp": "287082" })))]
pub struct SecondFactorConfirmation {
    /// The token of the link.
    #[schema(min_length = 43, max_length = 43)]
    setup_token: String,
    /// The code that the app shows.
    #[schema(pattern = "^([0-9]\\s*){6}$")]
    totp: String,
}

error_responses!(ConfirmErrors: [BODY] CodeInvalid CodeExpired TooManyRequests);

/// Finish setting up the second factor
///
/// Checks that the authenticator app works, uses up the link, emails the administrator, and returns ten recovery codes, which
/// replace all earlier ones. A wrong code of the app is `CodeInvalid`. A link that is wrong, old, or was used already is
/// `CodeExpired`; too many requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/second-factor/confirm",
    tag = "Accounts",
    request_body = SecondFactorConfirmation,
    responses((status = 200, description = "Ten recovery codes.", body = RecoveryCodes), ConfirmErrors),
)]
pub async fn confirm_second_factor(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    Body(request): Body<SecondFactorConfirmation>,
) -> Result<Json<RecoveryCodes>, Error> {
    limits::check_each(&state.limits, &client.usages(limits::CODE_PER_ADDRESS)).await?;
    let (user, secret, token_hash) = find(&state, &request.setup_token).await?;
    let now_ms = state.clock.now_ms();
    if secret.step_of(&request.totp, now_ms)?.is_none() {
        let message = "That code isn’t right. Enter the code that your app shows now.";
        return Err(Error::new(Code::CodeInvalid, message));
    }
    let codes = recovery::generate();
    let code_hashes = codes.iter().map(|code| recovery::hash(&secret, code)).collect();
    let setup = Setup { user, token_hash, code_hashes, shop: state.letterhead.shop(), now_ms };
    state.db.write(setup, |tx, setup| Box::pin(setup.apply(tx))).await?;
    state.mail_enqueued.notify_one();
    Ok(Json(RecoveryCodes::display(&codes)))
}

/// The administrator of the link, with the secret.
async fn find(state: &Accounts, token: &str) -> Result<(User, Secret, String), Error> {
    if !is_well_formed(token) {
        return Err(expired());
    }
    let token_hash = token_hash(token);
    let user_id = store::find_setup(state.db.read(), &token_hash, state.clock.now_ms()).await?.ok_or_else(expired)?;
    let user = users::load_user(state.db.read(), &user_id).await?;
    let encrypted = user.totp_secret.as_deref().ok_or_else(expired)?;
    let secret = Secret::decrypt(&state.keys, &user.id, encrypted)?;
    Ok((user, secret, token_hash))
}

fn expired() -> Error {
    let message = "This link has expired or was already used. Run nudgelight admin grant again for a new one.";
    Error::new(Code::CodeExpired, message)
}

/// The last step.
struct Setup {
    user: User,
    token_hash: String,
    code_hashes: Vec<String>,
    shop: ShopInfo,
    now_ms: i64,
}

impl Setup {
    /// Of two tabs, one uses the link.
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        if !store::take_setup(tx, &self.token_hash).await? {
            return Err(expired());
        }
        store::replace_recovery_codes(tx, &self.user.id, &self.code_hashes).await?;
        notify(tx, &self.user, &self.token_hash, app::mail::second_factor_set_up(&self.shop), self.now_ms).await
    }
}
