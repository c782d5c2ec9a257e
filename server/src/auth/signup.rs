use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use wasm_core::validation::{AdminRule, COMMON_PASSWORDS, Email, FieldErrors, Password, PasswordRules, schema};

use super::codes::{self, Purpose, Secrets};
use super::store::{self, NewUser};
use super::{Message, pace, requested_code};
use crate::botcheck::{self, Action, Check};
use crate::chance;
use crate::clock::HOUR;
use crate::error::Error;
use crate::extract::Body;
use crate::limits;
use crate::limits::address::ClientAddress;
use crate::mail::outbox::{self, OutgoingMail};
use crate::refusals::refusals;
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
pub struct SignUpRequest {
    #[schema(schema_with = schema::email)]
    email: String,
    #[schema(schema_with = schema::new_password)]
    password: String,
    #[serde(default, rename = "recaptchaToken")]
    #[schema(value_type = Option<String>)]
    bot_check: Value,
}

refusals!(SignUpRefusals: [BODY] BotCheckFailed BotCheckUnavailable TooManyRequests);

/// An account that waits for its code. An address that has one already is answered alike, and its owner is
/// told by mail.
#[utoipa::path(
    post,
    path = "/api/auth/signup",
    tag = "Accounts",
    request_body = SignUpRequest,
    responses((status = 201, description = "The same whether or not the address has an account.", body = Message), SignUpRefusals),
)]
pub async fn sign_up(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<SignUpRequest>,
) -> Result<(StatusCode, Json<Message>), Error> {
    pace::evenly(async {
        let (email, password) = validated(&request, &shop.config.shop_name)?;
        limits::take(&shop, &[(limits::SIGN_UP_PER_ADDRESS, &client.subject())]).await?;
        let check = botcheck::verify(&shop, Action::Signup, &request.bot_check, client.ip()).await?;
        if check == Check::Impossible {
            return Err(botcheck::unavailable());
        }
        requested_code::take(&shop, &email).await?;
        let password_hash = shop.passwords.hash(password.as_str()).await?;
        register(&shop, email, password_hash).await?;
        let message = "Check your e-mail: we have sent you what you need to go on.";
        Ok((StatusCode::CREATED, Json(Message { message })))
    })
    .await
}

fn validated(request: &SignUpRequest, shop_name: &str) -> Result<(Email, Password), Error> {
    let rules = PasswordRules {
        email: &request.email,
        shop_name,
        admin: AdminRule::Customer,
        common_passwords: COMMON_PASSWORDS,
    };
    let email = Email::parse(&request.email);
    let password = Password::parse(&request.password, &rules);
    match (email, password) {
        (Ok(email), Ok(password)) => Ok((email, password)),
        (email, password) => {
            let mut fields = FieldErrors::default();
            if let Err(sentence) = email {
                fields.insert("email", sentence);
            }
            if let Err(sentence) = password {
                fields.insert("password", sentence);
            }
            Err(Error::invalid(fields))
        }
    }
}

/// Whoever signs up for an unconfirmed address takes it over with password and code together: the older
/// code dies with the older password, so the code that is confirmed is always that of the password which
/// then counts. Only the mailbox's owner can confirm, and an account that is confirmed is not touched.
async fn register(shop: &Shop, email: Email, password_hash: String) -> Result<(), Error> {
    let now_ms = shop.clock.now_ms();
    let secrets = Secrets::of(&shop.keys);
    let mail_shop = shop.mail_shop();
    let (id, code) = (chance::new_id(), chance::six_digit_code());
    shop.db
        .write(move |tx| {
            let (id, code) = (id.clone(), code.clone());
            let (email, password_hash) = (email.clone(), password_hash.clone());
            let (mail_shop, secrets) = (mail_shop.clone(), secrets.clone());
            Box::pin(async move {
                let user = NewUser {
                    id: &id,
                    email: email.as_str(),
                    email_key: &email.key(),
                    password_hash: &password_hash,
                    created_at: now_ms,
                };
                let to = email.as_str().to_owned();
                let Some(user_id) = store::upsert_unconfirmed(tx, user).await? else {
                    // Once an hour is enough to tell the owner.
                    let dedupe_key = format!("address-in-use:{}:{}", email.key(), now_ms / HOUR);
                    let mail = app::mail::address_in_use(&mail_shop);
                    return outbox::enqueue(tx, now_ms, OutgoingMail { dedupe_key, to, mail }).await;
                };
                codes::replace(tx, &secrets, &user_id, Purpose::ConfirmEmail, &code, now_ms).await?;
                let mail = app::mail::confirm_email(&mail_shop, email.as_str(), &code);
                let outgoing = OutgoingMail { dedupe_key: format!("code:{id}"), to, mail };
                outbox::enqueue_until(tx, now_ms, now_ms + codes::LIFETIME_MS, outgoing).await
            })
        })
        .await?;
    shop.mail_waiting.notify_one();
    Ok(())
}
