//! Passkeys, which belong to the host of `SHOP_PUBLIC_URL`. No service is called.

use super::Status;
use crate::accounts::RelyingParty;
use crate::config::Config;

pub fn status(config: &Config) -> Status {
    let public_url = config.public_url.as_deref().unwrap_or("http://127.0.0.1");
    match RelyingParty::of(public_url) {
        Ok(party) => Status::Works(format!("they belong to {} and are lost if it changes", party.host())),
        Err(reason) => Status::Fails(format!("SHOP_PUBLIC_URL: none are offered: {reason}")),
    }
}
