//! What keeps robots from signing up.

use super::Verdict;
use crate::botcheck::BotCheck;
use crate::config::Config;

pub async fn verdict(config: &Config, now: i64) -> Verdict {
    let public_url = config.public_url.as_deref().unwrap_or("http://127.0.0.1");
    match BotCheck::new(config, public_url) {
        Ok(gate) => gate.probe(now).await.into(),
        Err(sentence) => Verdict::Fails(sentence),
    }
}
