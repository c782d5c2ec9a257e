//! Asking for a code by an address: what resending and forgetting have in common.

use serde::Deserialize;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::brute_force;
use super::devices::Who;
use crate::http::error::Error;
use crate::limits;
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
pub struct UsernameRequest {
    #[schema(schema_with = schema::email)]
    pub username: String,
}

/// Why a code is mailed. Each has tries of its own, so that one call too many does not make another one useless.
#[derive(Clone, Copy, Debug)]
pub enum Wish {
    SignUp,
    Resend,
    Reset,
}

pub fn parse_username(username: &str) -> Result<Email, Error> {
    Email::parse(username).map_err(|sentence| Error::invalid_field("username", sentence))
}

/// Counts somebody who asks for a code; whether it is mailed, if there is something to mail it for.
///
/// # Errors
/// 429 when this client asks too often, for whatever addresses.
pub async fn admit(shop: &Shop, who: &Who<'_>, wish: Wish, email: &Email) -> Result<bool, Error> {
    limits::take_each(shop, &who.uses(limits::CODE_PER_ADDRESS, &email.key())).await?;
    take(shop, who, wish, email).await
}

/// Counts a code that is about to be mailed to the address, whether or not it has an account. Past a limit nothing goes
/// out, the last code stays as good as it was, and nobody is told: a refusal would be one more way to shut somebody out.
pub async fn take(shop: &Shop, who: &Who<'_>, wish: Wish, email: &Email) -> Result<bool, Error> {
    let of_this_wish = format!("{wish:?} {}", email.key());
    let mut uses = who.uses_on(limits::CODES_PER_HOUR, &of_this_wish);
    uses.extend(who.uses_on(limits::CODES_PER_DAY, &of_this_wish));
    if matches!(who, Who::Client(_)) {
        uses.push((limits::CODES_PER_ACCOUNT, of_this_wish));
    }
    brute_force::is_allowed(limits::take_each(shop, &uses).await)
}
