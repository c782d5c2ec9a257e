use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{AdminRule, COMMON_PASSWORDS, Email, FieldErrors, Password, PasswordRules};

use super::codes::{self, Judgement, Purpose, Secret};
use super::store::{self, NewUser};
use super::{Message, pace};
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
    email: String,
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
        take_code(&shop, &email).await?;
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

/// Counts a code that is about to be sent to the address, whether or not it has an account.
pub(super) async fn take_code(shop: &Shop, email: &Email) -> Result<(), Error> {
    let key = email.key();
    limits::take(shop, &[(limits::CODES_PER_HOUR, &key), (limits::CODES_PER_DAY, &key)]).await
}

/// Whoever signs up for an unconfirmed address takes it over with password and code together: the older
/// code dies with the older password, so the code that is confirmed is always that of the password which
/// then counts. Only the mailbox's owner can confirm, and an account that is confirmed is not touched.
async fn register(shop: &Shop, email: Email, password_hash: String) -> Result<(), Error> {
    let now_ms = shop.clock.now_ms();
    let secret = Secret::of(&shop.keys);
    let mail_shop = shop.mail_shop();
    let (id, code) = (chance::new_id(), chance::six_digit_code());
    shop.db
        .write(move |tx| {
            let (id, code) = (id.clone(), code.clone());
            let (email, password_hash) = (email.clone(), password_hash.clone());
            let mail_shop = mail_shop.clone();
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
                codes::replace(tx, secret, &user_id, Purpose::ConfirmEmail, &code, now_ms).await?;
                let mail = app::mail::confirm_email(&mail_shop, email.as_str(), &code);
                let outgoing = OutgoingMail { dedupe_key: format!("code:{id}"), to, mail };
                outbox::enqueue_until(tx, now_ms, now_ms + codes::LIFETIME_MS, outgoing).await
            })
        })
        .await?;
    shop.mail_waiting.notify_one();
    Ok(())
}

#[derive(Deserialize, ToSchema)]
pub struct ConfirmRequest {
    username: String,
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
        limits::take(&shop, &[(limits::CODE_PER_ADDRESS, &client.subject())]).await?;
        let now_ms = shop.clock.now_ms();
        let secret = Secret::of(&shop.keys);
        let judgement = shop
            .db
            .write(move |tx| {
                let (key, code) = (email.key(), request.code.clone());
                Box::pin(async move { confirm(tx, secret, &key, &code, now_ms).await })
            })
            .await?;
        judgement.accept()?;
        Ok(Json(Message { message: "Your e-mail address is confirmed. You can log in now." }))
    })
    .await
}

async fn confirm(
    tx: &mut AnyConnection,
    secret: Secret,
    email_key: &str,
    code: &str,
    now_ms: i64,
) -> Result<Judgement, Error> {
    let user = store::find_user_by_email(&mut *tx, email_key).await?;
    let user_id = user.map(|user| user.id);
    let judgement = codes::judge(tx, secret, user_id.as_deref(), Purpose::ConfirmEmail, code, now_ms).await?;
    if let (Some(user_id), Judgement::Right) = (user_id, judgement) {
        store::confirm(tx, &user_id, now_ms).await?;
        codes::forget(tx, &user_id).await?;
    }
    Ok(judgement)
}

#[derive(Deserialize, ToSchema)]
pub struct UsernameRequest {
    pub(super) username: String,
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
        let email = parse_username(&request.username)?;
        limits::take(&shop, &[(limits::CODE_PER_ADDRESS, &client.subject())]).await?;
        take_code(&shop, &email).await?;
        send_code(&shop, &email, Purpose::ConfirmEmail).await?;
        let message = "If an account with this address waits for confirmation, a new code is on its way.";
        Ok(Json(Message { message }))
    })
    .await
}

/// Mails a code to the account, if there is one that the purpose fits.
pub(super) async fn send_code(shop: &Shop, email: &Email, purpose: Purpose) -> Result<(), Error> {
    let now_ms = shop.clock.now_ms();
    let secret = Secret::of(&shop.keys);
    let mail_shop = shop.mail_shop();
    let (id, code, key) = (chance::new_id(), chance::six_digit_code(), email.key());
    shop.db
        .write(move |tx| {
            let (id, code, key) = (id.clone(), code.clone(), key.clone());
            let mail_shop = mail_shop.clone();
            Box::pin(async move {
                let Some(user) = store::find_user_by_email(&mut *tx, &key).await? else {
                    return Ok(());
                };
                let mail = match purpose {
                    Purpose::ConfirmEmail if user.confirmed => return Ok(()),
                    Purpose::ConfirmEmail => app::mail::confirm_email(&mail_shop, &user.email, &code),
                    Purpose::ResetPassword => app::mail::reset_password(&mail_shop, &user.email, &code),
                };
                codes::replace(tx, secret, &user.id, purpose, &code, now_ms).await?;
                let outgoing = OutgoingMail { dedupe_key: format!("code:{id}"), to: user.email, mail };
                outbox::enqueue_until(tx, now_ms, now_ms + codes::LIFETIME_MS, outgoing).await
            })
        })
        .await?;
    shop.mail_waiting.notify_one();
    Ok(())
}

pub(super) fn parse_username(username: &str) -> Result<Email, Error> {
    Email::parse(username).map_err(|sentence| Error::invalid_field("username", sentence))
}
