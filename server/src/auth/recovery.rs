use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{Sentence, schema};

use super::codes::{self, Judgement, Purpose, Secrets};
use super::new_password::{self, PasswordChanged};
use super::requested_code::{self, UsernameRequest, parse_username};
use super::sessions::store as sessions;
use super::store::{self, Role};
use super::{Message, guessing, pace};
use crate::error::Error;
use crate::extract::Body;
use crate::limits;
use crate::limits::address::ClientAddress;
use crate::refusals::refusals;
use crate::shop::Shop;

refusals!(ForgotRefusals: [BODY] TooManyRequests);

/// A code for setting a new password, if the address has an account.
#[utoipa::path(
    post,
    path = "/api/auth/forgot-password",
    tag = "Accounts",
    request_body = UsernameRequest,
    responses((status = 200, description = "The same whether or not there is such an account.", body = Message), ForgotRefusals),
)]
pub async fn forgot_password(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<UsernameRequest>,
) -> Result<Json<Message>, Error> {
    pace::evenly(async {
        requested_code::send(&shop, &client, &request, Purpose::ResetPassword).await?;
        let message = "If an account has this address, a code for a new password is on its way.";
        Ok(Json(Message { message }))
    })
    .await
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetRequest {
    #[schema(schema_with = schema::email)]
    username: String,
    #[schema(pattern = "^[0-9]{6}$", examples("123456"))]
    confirmation_code: String,
    #[schema(schema_with = schema::new_password)]
    password: String,
}

refusals!(ResetRefusals: [BODY] CodeInvalid CodeExpired TooManyRequests);

/// A new password by the code that was mailed. Every session ends; and since the code proved the mailbox,
/// an address that waited for confirmation is confirmed.
#[utoipa::path(
    post,
    path = "/api/auth/confirm-forgot-password",
    tag = "Accounts",
    request_body = ResetRequest,
    responses((status = 200, description = "The new password counts.", body = Message), ResetRefusals),
)]
pub async fn reset_password(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<ResetRequest>,
) -> Result<Json<Message>, Error> {
    pace::evenly(async {
        let email = parse_username(&request.username)?;
        let typed = &request.password;
        new_password::parse(&shop.config, &email, Role::Customer, typed)
            .map_err(|sentence| Error::invalid_field("password", sentence))?;
        guessing::admit(&shop, &client).await?;
        let reset = Reset {
            email_key: email.key(),
            password_hash: shop.passwords.hash(typed).await?,
            enough_for_admins: new_password::parse(&shop.config, &email, Role::Admin, typed).map(drop),
            code: request.confirmation_code,
            secrets: Secrets::of(&shop.keys),
            changed: PasswordChanged::new(&shop),
        };
        match apply(&shop, reset).await? {
            Outcome::Judged(judgement) => guessing::settle(&shop, judgement).await?,
            Outcome::TooWeakForAdmin(sentence) => return Err(Error::invalid_field("password", sentence)),
        }
        shop.mail_waiting.notify_one();
        Ok(Json(Message { message: "Password reset successfully." }))
    })
    .await
}

struct Reset {
    email_key: String,
    password_hash: String,
    /// Said only to whoever has the code: nobody else is to learn who is an administrator.
    enough_for_admins: Result<(), Sentence>,
    code: String,
    secrets: Secrets,
    changed: PasswordChanged,
}

enum Outcome {
    Judged(Judgement),
    /// The code was right, and still is.
    TooWeakForAdmin(Sentence),
}

async fn apply(shop: &Shop, reset: Reset) -> Result<Outcome, Error> {
    let now_ms = shop.clock.now_ms();
    let reset = Arc::new(reset);
    let applied = reset.clone();
    let outcome = shop
        .db
        .write(move |tx| {
            let reset = applied.clone();
            Box::pin(async move { reset.apply(tx, now_ms).await })
        })
        .await?;
    if matches!(outcome, Outcome::Judged(Judgement::Right)) {
        limits::forget(shop, (limits::LOGIN_PER_ACCOUNT, &reset.email_key));
    }
    Ok(outcome)
}

impl Reset {
    async fn apply(&self, tx: &mut AnyConnection, now_ms: i64) -> Result<Outcome, Error> {
        let user = store::find_user_by_email(&mut *tx, &self.email_key).await?;
        let user_id = user.as_ref().map(|user| user.id.as_str());
        let purpose = Purpose::ResetPassword;
        let judgement = codes::judge(tx, &self.secrets, user_id, purpose, &self.code, now_ms).await?;
        let (Some(user), Judgement::Right) = (user, judgement) else {
            return Ok(Outcome::Judged(judgement));
        };
        if let (Role::Admin, Err(sentence)) = (user.role, &self.enough_for_admins) {
            return Ok(Outcome::TooWeakForAdmin(sentence.clone()));
        }
        store::set_password(tx, &user.id, &self.password_hash).await?;
        store::confirm(tx, &user.id, now_ms).await?;
        codes::forget(tx, &user.id).await?;
        sessions::end_all(tx, &user.id, now_ms).await?;
        // Whoever was locked out by a stranger's guesses is let in again.
        limits::clear(tx, limits::LOGIN_PER_ACCOUNT, &self.email_key).await?;
        self.changed.tell(tx, &user.email, now_ms).await?;
        Ok(Outcome::Judged(judgement))
    }
}
