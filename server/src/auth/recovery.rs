use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{Email, Sentence, schema};

use super::codes::{self, Judgement, Secrets};
use super::devices::Who;
use super::new_password::{self, PasswordChanged};
use super::requested_code::{self, Wish, parse_username};
use super::sessions::store as sessions;
use super::store::{self, Role};
use super::{Message, brute_force, constant_time};
use crate::config::RateLimits;
use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::http::extract::Body;
use crate::infra::random;
use crate::limits::address::ClientAddress;
use crate::limits::{self, Rule};
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgotRequest {
    #[schema(schema_with = schema::email)]
    username: String,
    /// What the last log-in of this browser gave.
    #[schema(min_length = 1, max_length = 100)]
    device_token: Option<String>,
}

error_responses!(ForgotErrors: [BODY] TooManyRequests);

/// A code for setting a new password, if the address has an account.
#[utoipa::path(
    post,
    path = "/api/auth/forgot-password",
    tag = "Accounts",
    request_body = ForgotRequest,
    responses((status = 200, description = "The same whether or not there is such an account.", body = Message), ForgotErrors),
)]
pub async fn forgot_password(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<ForgotRequest>,
) -> Result<Json<Message>, Error> {
    constant_time::evenly(async {
        let email = parse_username(&request.username)?;
        let who = Who::of(&shop, &client, &email.key(), request.device_token.as_deref()).await?;
        if requested_code::admit(&shop, &who, Wish::Reset, &email).await? {
            mail_code(&shop, &email).await?;
        }
        let message = "If an account has this address, a code for a new password is on its way.";
        Ok(Json(Message { message }))
    })
    .await
}

async fn mail_code(shop: &Shop, email: &Email) -> Result<(), Error> {
    let now_ms = shop.clock.now_ms();
    let secrets = Secrets::of(&shop.keys);
    let mail_shop = shop.mail_shop();
    let (id, code, key) = (random::new_id(), random::six_digit_code(), email.key());
    shop.db
        .write_closure(move |tx| {
            let (id, code, key) = (id.clone(), code.clone(), key.clone());
            let (mail_shop, secrets) = (mail_shop.clone(), secrets.clone());
            Box::pin(async move {
                let Some(user) = store::find_user_by_email(&mut *tx, &key).await? else {
                    return Ok(());
                };
                codes::replace(tx, &secrets, &user.id, &code, now_ms).await?;
                let mail = app::mail::reset_password(&mail_shop, &user.email, &code);
                let outgoing = OutgoingMail { dedupe_key: format!("code:{id}"), to: user.email, mail };
                outbox::enqueue_until(tx, now_ms, now_ms + codes::LIFETIME_MS, outgoing).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(())
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
    /// What the last log-in of this browser gave.
    #[schema(min_length = 1, max_length = 100)]
    device_token: Option<String>,
}

error_responses!(ResetErrors: [BODY] CodeInvalid CodeExpired TooManyRequests);

/// A new password by the code that was mailed. Every session ends.
#[utoipa::path(
    post,
    path = "/api/auth/confirm-forgot-password",
    tag = "Accounts",
    request_body = ResetRequest,
    responses((status = 200, description = "The new password counts.", body = Message), ResetErrors),
)]
pub async fn reset_password(
    State(shop): State<Arc<Shop>>,
    client: ClientAddress,
    Body(request): Body<ResetRequest>,
) -> Result<Json<Message>, Error> {
    constant_time::evenly(async {
        let email = parse_username(&request.username)?;
        let typed = &request.password;
        new_password::parse(&shop.config, &email, Role::Customer, typed)
            .map_err(|sentence| Error::invalid_field("password", sentence))?;
        let email_key = email.key();
        let who = Who::of(&shop, &client, &email_key, request.device_token.as_deref()).await?;
        brute_force::admit(&shop, &who, &email_key).await?;
        let user = store::find_user_by_email(shop.db.read(), &email_key).await?;
        let code_hash = codes::find(shop.db.read(), user.as_ref().map_or("", |user| &user.id)).await?;
        let reset = Reset {
            rate_limits: shop.config.rate_limits,
            tries: brute_force::tries(&who, &email_key, &code_hash),
            code_hash,
            // What strangers have tried is none of a browser's that has logged in before.
            cost: i64::from(matches!(who, Who::Client(_))),
            pardoned: who.uses_on(limits::LOGIN_PER_CLIENT, &email_key),
            email_key,
            password_hash: shop.passwords.hash(typed).await?,
            enough_for_admins: new_password::parse(&shop.config, &email, Role::Admin, typed).map(drop),
            code: request.confirmation_code,
            secrets: Secrets::of(&shop.keys),
            changed: PasswordChanged::new(&shop),
        };
        match apply(&shop, reset).await? {
            Outcome::Judged(judgement) => brute_force::settle(&shop, &who, judgement).await?,
            Outcome::TooWeakForAdmin(sentence) => return Err(Error::invalid_field("password", sentence)),
        }
        shop.mail_enqueued.notify_one();
        Ok(Json(Message { message: "Password reset successfully." }))
    })
    .await
}

struct Reset {
    email_key: String,
    rate_limits: RateLimits,
    tries: Vec<(Rule, String)>,
    code_hash: String,
    cost: i64,
    pardoned: Vec<(Rule, String)>,
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
        .write_closure(move |tx| {
            let reset = applied.clone();
            Box::pin(async move { reset.apply(tx, now_ms).await })
        })
        .await?;
    if matches!(outcome, Outcome::Judged(Judgement::Right)) {
        limits::forget(shop, (limits::LOGIN_PER_ACCOUNT, &reset.email_key));
        limits::forget_each(shop, &reset.pardoned);
    }
    Ok(outcome)
}

impl Reset {
    async fn apply(&self, tx: &mut AnyConnection, now_ms: i64) -> Result<Outcome, Error> {
        let user = store::find_user_by_email(&mut *tx, &self.email_key).await?;
        let user_id = user.as_ref().map(|user| user.id.as_str());
        let may_try = limits::take_within(tx, self.rate_limits, &self.tries, now_ms).await?;
        // A code that may not be tried is compared with none.
        let code_hash = if may_try { &self.code_hash } else { "" };
        let judgement = codes::judge(tx, &self.secrets, user_id, code_hash, self.cost, &self.code, now_ms).await?;
        let (Some(user), Judgement::Right) = (user, judgement) else {
            return Ok(Outcome::Judged(judgement));
        };
        if let (Role::Admin, Err(sentence)) = (user.role, &self.enough_for_admins) {
            return Ok(Outcome::TooWeakForAdmin(sentence.clone()));
        }
        store::set_password(tx, &user.id, &self.password_hash).await?;
        codes::forget(tx, &user.id).await?;
        sessions::end_all(tx, &user.id, now_ms).await?;
        // Whoever was locked out by a stranger's guesses is let in again.
        limits::clear(tx, limits::LOGIN_PER_ACCOUNT, &self.email_key).await?;
        limits::clear_each(tx, &self.pardoned).await?;
        self.changed.tell(tx, &user.email, now_ms).await?;
        Ok(Outcome::Judged(judgement))
    }
}
