use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::codes::{self, Purpose, Secrets};
use super::devices::Who;
use super::requested_code::{self, UsernameRequest, Wish, parse_username};
use super::signup::minute;
use super::{Message, brute_force, constant_time, signups};
use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::http::extract::Body;
use crate::infra::random;
use crate::limits::address::ClientAddress;
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
pub struct ConfirmRequest {
    #[schema(schema_with = schema::email)]
    username: String,
    #[schema(pattern = "^[0-9]{6}$", examples("123456"))]
    code: String,
}

error_responses!(ConfirmErrors: [BODY] CodeInvalid CodeExpired TooManyRequests);

/// The account is opened by the code that was mailed, with the password of the sign-up that the code is for.
#[utoipa::path(
    post,
    path = "/api/auth/confirm-email",
    tag = "Accounts",
    request_body = ConfirmRequest,
    responses((status = 200, description = "Confirmed.", body = Message), ConfirmErrors),
)]
pub async fn confirm_email(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<ConfirmRequest>,
) -> Result<Json<Message>, Error> {
    constant_time::evenly(async {
        let email = parse_username(&request.username)?;
        let who = Who::Client(&client);
        brute_force::admit(&shop, &who, &email.key()).await?;
        let judgement = signups::confirm(&shop, &client, &email.key(), &request.code).await?;
        brute_force::settle(&shop, &who, judgement).await?;
        Ok(Json(Message { message: "Your e-mail address is confirmed. You can log in now." }))
    })
    .await
}

error_responses!(ResendErrors: [BODY] TooManyRequests);

/// A new code for the newest sign-up that this client may confirm, if there is one; its older code is no longer valid.
#[utoipa::path(
    post,
    path = "/api/auth/resend-code",
    tag = "Accounts",
    request_body = UsernameRequest,
    responses((status = 200, description = "The same whether or not there is such an account.", body = Message), ResendErrors),
)]
pub async fn resend_code(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<UsernameRequest>,
) -> Result<Json<Message>, Error> {
    constant_time::evenly(async {
        let email = parse_username(&request.username)?;
        if requested_code::admit(&shop, &Who::Client(&client), Wish::Resend, &email).await? {
            resend(&shop, &client, &email).await?;
        }
        let message = "If an account with this address waits for confirmation, a new code is on its way.";
        Ok(Json(Message { message }))
    })
    .await
}

async fn resend(shop: &Shop, client: &ClientAddress, email: &Email) -> Result<(), Error> {
    let now_ms = shop.clock.now_ms();
    let secrets = Secrets::of(&shop.keys);
    let mail_shop = shop.mail_shop();
    let client = signups::client_name(&shop.keys, client);
    let (mail_id, code, key) = (random::new_id(), random::six_digit_code(), email.key());
    shop.db
        .write_closure(move |tx| {
            let (mail_id, code, key) = (mail_id.clone(), code.clone(), key.clone());
            let (mail_shop, secrets, client) = (mail_shop.clone(), secrets.clone(), client.clone());
            Box::pin(async move {
                let waiting = signups::store::list(&mut *tx, &key).await?;
                let Some(signup) = signups::to_renew(&waiting, &client) else {
                    return Ok(());
                };
                let code_hash = secrets.hash(&signup.id, Purpose::ConfirmEmail, &code);
                let expires_at = now_ms + codes::LIFETIME_MS;
                signups::store::renew_code(tx, &signup.id, &code_hash, codes::TRIES, expires_at).await?;
                let mail = app::mail::confirm_email(&mail_shop, &signup.email, &code, &minute(signup.created_at));
                let outgoing = OutgoingMail { dedupe_key: format!("code:{mail_id}"), to: signup.email.clone(), mail };
                outbox::enqueue_until(tx, now_ms, expires_at, outgoing).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(())
}
