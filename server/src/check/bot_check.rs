//! What keeps robots from signing up.

use super::Verdict;
use crate::config::{BotCheck, Config};

pub fn verdict(config: &Config) -> Verdict {
    match config.bot_check {
        BotCheck::Pow => Verdict::Works("the built-in proof of work, which needs no service".to_owned()),
        BotCheck::Off => Verdict::Works("off, as only a demo may have it".to_owned()),
    }
}
