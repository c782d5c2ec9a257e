use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use wasm_core::orders::display_date;
use wasm_core::validation::{AdminRule, COMMON_PASSWORDS, Email, FieldErrors, Password, PasswordRules, schema};

use super::codes::{self, Purpose, Secrets};
use super::devices::Who;
use super::requested_code::{self, Wish};
use super::signups::store::SignUp;
use super::{Message, constant_time, signups, store};
use crate::botcheck::{self, Action, Check};
use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::http::extract::Body;
use crate::infra::clock::{HOUR, rfc3339};
use crate::infra::random;
use crate::limits;
use crate::limits::address::ClientAddress;
use crate::mail::outbox::{self, OutgoingMail};
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

error_responses!(SignUpErrors: [BODY] BotCheckFailed BotCheckUnavailable TooManyRequests);

/// A sign-up that waits for its code. An address that has an account already is answered alike, and its owner is
/// told by mail.
#[utoipa::path(
    post,
    path = "/api/auth/signup",
    tag = "Accounts",
    request_body = SignUpRequest,
    responses((status = 201, description = "The same whether or not the address has an account.", body = Message), SignUpErrors),
)]
pub async fn sign_up(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<SignUpRequest>,
) -> Result<(StatusCode, Json<Message>), Error> {
    constant_time::evenly(async {
        let (email, password) = validated(&request, &shop.config.shop_name)?;
        limits::take_each(&shop, &client.uses(limits::SIGN_UP_PER_ADDRESS)).await?;
        let check = botcheck::verify(&shop, Action::Signup, &request.bot_check, client.ip()).await?;
        if check == Check::Impossible {
            return Err(botcheck::unavailable());
        }
        let may_have_mail = requested_code::take(&shop, &Who::Client(&client), Wish::SignUp, &email).await?;
        let password_hash = shop.passwords.hash(password.as_str()).await?;
        if may_have_mail {
            register(&shop, &client, email, password_hash).await?;
        }
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

/// Keeps the sign-up beside those that wait with this address already. Nothing is mailed when there is no room for it,
/// and an account is not touched.
async fn register(shop: &Shop, client: &ClientAddress, email: Email, password_hash: String) -> Result<(), Error> {
    let now_ms = shop.clock.now_ms();
    let mail_shop = shop.mail_shop();
    let (id, code) = (random::new_id(), random::six_digit_code());
    let signup = SignUp {
        code_hash: Secrets::of(&shop.keys).hash(&id, Purpose::ConfirmEmail, &code),
        id,
        email: email.as_str().to_owned(),
        slot: 0,
        password_hash,
        client: signups::client_name(&shop.keys, client),
        expires_at: now_ms + codes::LIFETIME_MS,
        created_at: now_ms,
    };
    shop.db
        .write_closure(move |tx| {
            let (email, code) = (email.clone(), code.clone());
            let (mail_shop, signup) = (mail_shop.clone(), signup.clone());
            Box::pin(async move {
                let key = email.key();
                let to = email.as_str().to_owned();
                if store::find_user_by_email(&mut *tx, &key).await?.is_some() {
                    // Once an hour is enough to tell the owner.
                    let dedupe_key = format!("address-in-use:{key}:{}", now_ms / HOUR);
                    let mail = app::mail::address_in_use(&mail_shop);
                    return outbox::enqueue(tx, now_ms, OutgoingMail { dedupe_key, to, mail }).await;
                }
                let dedupe_key = format!("code:{}", signup.id);
                if !signups::keep(tx, signup, &key).await? {
                    return Ok(());
                }
                let mail = app::mail::confirm_email(&mail_shop, email.as_str(), &code, &minute(now_ms));
                let outgoing = OutgoingMail { dedupe_key, to, mail };
                outbox::enqueue_until(tx, now_ms, now_ms + codes::LIFETIME_MS, outgoing).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(())
}

/// An instant for people, as exactly as they remember it.
pub fn minute(now_ms: i64) -> String {
    let text = rfc3339(now_ms);
    let time = text.get(11..16).unwrap_or_default();
    format!("{}, {time} UTC", display_date(&text))
}
