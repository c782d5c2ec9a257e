//! A new password for somebody who knows the old one, and what every new password has in common.

use std::sync::Arc;

use app::mail::Mail;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{AdminRule, COMMON_PASSWORDS, Email, Password, PasswordRules, Sentence, schema};

use super::caller::{Caller, SignedIn};
use super::password::Verdict;
use super::sessions::store as sessions;
use super::store::{self, Role};
use super::{Message, codes};
use crate::config::Config;
use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::http::extract::Body;
use crate::infra::random;
use crate::limits;
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

/// A password that may become this account's. Administrators need a longer one where real money moves.
pub fn parse(config: &Config, email: &Email, role: Role, typed: &str) -> Result<Password, Sentence> {
    let admin = match role {
        Role::Admin if !config.demo => AdminRule::Administrator,
        Role::Admin | Role::Customer => AdminRule::Customer,
    };
    let rules = PasswordRules {
        email: email.as_str(),
        shop_name: &config.shop_name,
        admin,
        common_passwords: COMMON_PASSWORDS,
    };
    Password::parse(typed, &rules)
}

/// The mail that tells an account's owner of a new password.
#[derive(Clone)]
pub struct PasswordChanged {
    id: String,
    mail: Mail,
}

impl PasswordChanged {
    pub fn new(shop: &Shop) -> Self {
        Self { id: random::new_id(), mail: app::mail::password_changed(&shop.mail_shop()) }
    }

    pub async fn tell(&self, tx: &mut AnyConnection, to: &str, now_ms: i64) -> Result<(), Error> {
        let outgoing = OutgoingMail {
            dedupe_key: format!("password-changed:{}", self.id),
            to: to.to_owned(),
            mail: self.mail.clone(),
        };
        outbox::enqueue(tx, now_ms, outgoing).await
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeRequest {
    #[schema(schema_with = schema::password)]
    previous_password: String,
    #[schema(schema_with = schema::new_password)]
    proposed_password: String,
}

error_responses!(ChangeErrors: [BODY, SIGNED_IN] TooManyRequests);

/// The caller's password is the proposed one from now on, and their other sessions are over.
#[utoipa::path(
    post,
    path = "/api/change-password",
    tag = "Accounts",
    request_body = ChangeRequest,
    security(("accessToken" = [])),
    responses((status = 200, description = "The new password counts.", body = Message), ChangeErrors),
)]
pub async fn change_password(
    State(shop): State<Arc<Shop>>,
    SignedIn(caller): SignedIn,
    Body(request): Body<ChangeRequest>,
) -> Result<Json<Message>, Error> {
    let user = store::load_user(shop.db.read(), &caller.user_id).await?;
    let email = Email::parse(&user.email).map_err(Error::internal)?;
    let proposed = parse(&shop.config, &email, caller.role(), &request.proposed_password)
        .map_err(|sentence| Error::invalid_field("proposedPassword", sentence))?;
    // A stolen access token is not to be a way to guess the password.
    let limits = [limits::PASSWORD_CHANGE_PER_ACCOUNT, limits::PASSWORD_CHANGES].map(|rule| (rule, &*caller.user_id));
    limits::take(&shop, &limits).await?;
    let previous = &request.previous_password;
    if shop.passwords.verify(previous, Some(&user.password_hash)).await? == Verdict::Wrong {
        return Err(not_the_current_one());
    }
    let new_hash = shop.passwords.hash(proposed.as_str()).await?;
    replace(&shop, caller, user.password_hash, new_hash).await?;
    shop.mail_enqueued.notify_one();
    Ok(Json(Message { message: "Password changed successfully." }))
}

async fn replace(shop: &Shop, caller: Caller, checked_hash: String, new_hash: String) -> Result<(), Error> {
    let now_ms = shop.clock.now_ms();
    let changed = PasswordChanged::new(shop);
    let pardoned = caller.user_id.clone();
    shop.db
        .write_closure(move |tx| {
            let (caller, changed) = (caller.clone(), changed.clone());
            let (checked_hash, new_hash) = (checked_hash.clone(), new_hash.clone());
            Box::pin(async move {
                let user_id = &caller.user_id;
                if !store::change_password(tx, user_id, &checked_hash, &new_hash).await? {
                    // Somebody else changed it while we looked.
                    return Err(not_the_current_one());
                }
                sessions::end_others(tx, user_id, &caller.session_id, now_ms).await?;
                codes::forget(tx, user_id).await?;
                limits::clear(tx, limits::PASSWORD_CHANGE_PER_ACCOUNT, user_id).await?;
                changed.tell(tx, &caller.email, now_ms).await
            })
        })
        .await?;
    limits::forget(shop, (limits::PASSWORD_CHANGE_PER_ACCOUNT, &pardoned));
    Ok(())
}

fn not_the_current_one() -> Error {
    Error::invalid_field("previousPassword", "This is not your current password.")
}
