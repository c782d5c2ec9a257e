use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::schema;

use super::codes::{self, Judgement, Purpose, Secrets};
use super::requested_code::{self, UsernameRequest, parse_username};
use super::{Message, guessing, pace, store};
use crate::error::Error;
use crate::extract::Body;
use crate::limits::address::ClientAddress;
use crate::refusals::refusals;
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
pub struct ConfirmRequest {
    #[schema(schema_with = schema::email)]
    username: String,
    #[schema(pattern = "^[0-9]{6}$", examples("123456"))]
    code: String,
}

refusals!(ConfirmRefusals: [BODY] CodeInvalid CodeExpired TooManyRequests);

/// The account is confirmed by the code that was mailed to it.
#[utoipa::path(
    post,
    path = "/api/auth/confirm-email",
    tag = "Accounts",
    request_body = ConfirmRequest,
    responses((status = 200, description = "Confirmed.", body = Message), ConfirmRefusals),
)]
pub async fn confirm_email(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<ConfirmRequest>,
) -> Result<Json<Message>, Error> {
    pace::evenly(async {
        let email = parse_username(&request.username)?;
        guessing::admit(&shop, &client).await?;
        let now_ms = shop.clock.now_ms();
        let secrets = Secrets::of(&shop.keys);
        let judgement = shop
            .db
            .write(move |tx| {
                let (key, code, secrets) = (email.key(), request.code.clone(), secrets.clone());
                Box::pin(async move { confirm(tx, &secrets, &key, &code, now_ms).await })
            })
            .await?;
        guessing::settle(&shop, judgement).await?;
        Ok(Json(Message { message: "Your e-mail address is confirmed. You can log in now." }))
    })
    .await
}

async fn confirm(
    tx: &mut AnyConnection,
    secrets: &Secrets,
    email_key: &str,
    code: &str,
    now_ms: i64,
) -> Result<Judgement, Error> {
    let user = store::find_user_by_email(&mut *tx, email_key).await?;
    let user_id = user.map(|user| user.id);
    let judgement = codes::judge(tx, secrets, user_id.as_deref(), Purpose::ConfirmEmail, code, now_ms).await?;
    if let (Some(user_id), Judgement::Right) = (user_id, judgement) {
        store::confirm(tx, &user_id, now_ms).await?;
        codes::forget(tx, &user_id).await?;
    }
    Ok(judgement)
}

refusals!(ResendRefusals: [BODY] TooManyRequests);

/// A new code, if an account waits for one; the older code no longer counts.
#[utoipa::path(
    post,
    path = "/api/auth/resend-code",
    tag = "Accounts",
    request_body = UsernameRequest,
    responses((status = 200, description = "The same whether or not there is such an account.", body = Message), ResendRefusals),
)]
pub async fn resend_code(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<UsernameRequest>,
) -> Result<Json<Message>, Error> {
    pace::evenly(async {
        requested_code::send(&shop, &client, &request, Purpose::ConfirmEmail).await?;
        let message = "If an account with this address waits for confirmation, a new code is on its way.";
        Ok(Json(Message { message }))
    })
    .await
}
