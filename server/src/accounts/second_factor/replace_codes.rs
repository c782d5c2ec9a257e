//! New recovery codes in place of the earlier ones.

use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;

use super::totp::Secret;
use super::{RecoveryCodes, Verified, invalid_code, is_code, mark_used, notify, recovery, store, verify};
use crate::accounts::Accounts;
use crate::accounts::caller::SignedIn;
use crate::accounts::store::{self as users, User};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Body;
use crate::infra::random;
use crate::limits;

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "totp": "287082" })))]
pub struct ReplaceCodesRequest {
    /// The code of the authenticator app, or a recovery code.
    #[schema(pattern = "^(([0-9]\\s*){6}|([0-9A-Za-z]{4}[- ]?){4})$", examples("287082"))]
    totp: String,
}

error_responses!(ReplaceErrors: [BODY, SIGNED_IN] TotpRequired NotFound TooManyRequests);

/// Replace the recovery codes
///
/// Returns ten recovery codes, which replace all earlier ones, and emails the administrator. A wrong code is `TotpRequired`, an
/// account without a second factor a 404, and too many attempts are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/recovery-codes",
    tag = "Accounts",
    request_body = ReplaceCodesRequest,
    security(("accessToken" = [])),
    responses((status = 200, description = "Ten recovery codes.", body = RecoveryCodes), ReplaceErrors),
)]
pub async fn replace_recovery_codes(
    State(state): State<Arc<Accounts>>,
    SignedIn(caller): SignedIn,
    Body(request): Body<ReplaceCodesRequest>,
) -> Result<Json<RecoveryCodes>, Error> {
    if !is_code(&request.totp) {
        return Err(Error::invalid_field("totp", "Enter the six digits from your app or a recovery code."));
    }
    let user = users::load_user(state.db.read(), &caller.user_id).await?;
    let encrypted_secret = user.totp_secret.as_deref().ok_or_else(no_codes)?;
    let secret = Secret::decrypt(&state.keys, &user.id, encrypted_secret)?;
    let attempt = (limits::SECOND_FACTOR_PER_ACCOUNT, &*user.id);
    limits::check(&state.limits, &[attempt]).await?;
    let verified = verify(&state, &user, Some(&request.totp))?.ok_or_else(no_codes)?;
    let codes = recovery::generate();
    let code_hashes = codes.iter().map(|code| recovery::hash(&secret, code)).collect();
    let (shop, now_ms) = (state.letterhead.shop(), state.clock.now_ms());
    let replacement = Replacement { user: user.clone(), verified, code_hashes, shop, now_ms };
    state.db.write(replacement, |tx, replacement| Box::pin(replacement.apply(tx))).await?;
    limits::forget_cached(&state.limits, attempt);
    state.mail_enqueued.notify_one();
    tracing::info!(user = user.id, "recovery codes replaced");
    Ok(Json(RecoveryCodes::display(&codes)))
}

fn no_codes() -> Error {
    Error::new(Code::NotFound, "This account has no recovery codes.")
}

struct Replacement {
    user: User,
    verified: Verified,
    code_hashes: Vec<String>,
    shop: ShopInfo,
    now_ms: i64,
}

impl Replacement {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        if !mark_used(tx, &self.user, &self.verified, &self.shop, self.now_ms).await? {
            return Err(invalid_code(&self.user));
        }
        limits::clear(tx, limits::SECOND_FACTOR_PER_ACCOUNT, &self.user.id).await?;
        store::replace_recovery_codes(tx, &self.user.id, &self.code_hashes).await?;
        notify(tx, &self.user, &random::new_id(), app::mail::recovery_codes_replaced(&self.shop), self.now_ms).await
    }
}
