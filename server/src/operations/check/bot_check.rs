//! The bot check of sign-ups.

use super::Status;
use crate::accounts::bot_check::BotCheck;
use crate::config::Config;

pub async fn status(config: &Config, now: i64) -> Status {
    let public_url = config.public_url.as_deref().unwrap_or("http://127.0.0.1");
    match BotCheck::new(config, public_url) {
        Ok(bot_check) => bot_check.probe(now).await.into(),
        Err(message) => Status::Fails(message),
    }
}
