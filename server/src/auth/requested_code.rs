//! A code that somebody asks for by an address: the way that resending and forgetting have in common.

use serde::Deserialize;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::codes::{self, Purpose, Secrets};
use super::store;
use crate::chance;
use crate::error::Error;
use crate::limits;
use crate::limits::address::ClientAddress;
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
pub struct UsernameRequest {
    #[schema(schema_with = schema::email)]
    username: String,
}

/// Mails a code to the address, if it has an account that the purpose fits. Nothing that is seen from outside
/// depends on that.
pub async fn send(
    shop: &Shop,
    client: &ClientAddress,
    request: &UsernameRequest,
    purpose: Purpose,
) -> Result<(), Error> {
    let email = parse_username(&request.username)?;
    limits::take(shop, &[(limits::CODE_PER_ADDRESS, &client.subject())]).await?;
    take(shop, &email).await?;
    mail(shop, &email, purpose).await
}

pub fn parse_username(username: &str) -> Result<Email, Error> {
    Email::parse(username).map_err(|sentence| Error::invalid_field("username", sentence))
}

/// Counts a code that is about to be sent to the address, whether or not it has an account.
pub async fn take(shop: &Shop, email: &Email) -> Result<(), Error> {
    let key = email.key();
    limits::take(shop, &[(limits::CODES_PER_HOUR, &key), (limits::CODES_PER_DAY, &key)]).await
}

async fn mail(shop: &Shop, email: &Email, purpose: Purpose) -> Result<(), Error> {
    let now_ms = shop.clock.now_ms();
    let secrets = Secrets::of(&shop.keys);
    let mail_shop = shop.mail_shop();
    let (id, code, key) = (chance::new_id(), chance::six_digit_code(), email.key());
    shop.db
        .write(move |tx| {
            let (id, code, key) = (id.clone(), code.clone(), key.clone());
            let (mail_shop, secrets) = (mail_shop.clone(), secrets.clone());
            Box::pin(async move {
                let Some(user) = store::find_user_by_email(&mut *tx, &key).await? else {
                    return Ok(());
                };
                let mail = match purpose {
                    Purpose::ConfirmEmail if user.confirmed => return Ok(()),
                    Purpose::ConfirmEmail => app::mail::confirm_email(&mail_shop, &user.email, &code),
                    Purpose::ResetPassword => app::mail::reset_password(&mail_shop, &user.email, &code),
                };
                codes::replace(tx, &secrets, &user.id, purpose, &code, now_ms).await?;
                let outgoing = OutgoingMail { dedupe_key: format!("code:{id}"), to: user.email, mail };
                outbox::enqueue_until(tx, now_ms, now_ms + codes::LIFETIME_MS, outgoing).await
            })
        })
        .await?;
    shop.mail_waiting.notify_one();
    Ok(())
}
