//! What keeps robots out: a proof of work of our own, or one of two services that judge tokens.

use url::Url;

use super::vars::{Vars, web_address};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotCheck {
    Pow,
    Service(BotService),
    Off,
}

/// A service whose script runs on the pages with the forms, and which judges the tokens it made there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotService {
    pub kind: ServiceKind,
    pub site_key: String,
    pub secret: String,
    pub verify_url: Url,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceKind {
    Recaptcha,
    Turnstile,
}

impl ServiceKind {
    /// As `SHOP_BOT_CHECK` has it, and the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::Recaptcha => "recaptcha",
            Self::Turnstile => "turnstile",
        }
    }

    fn verify_url(self) -> &'static str {
        match self {
            Self::Recaptcha => "https://www.google.com/recaptcha/api/siteverify",
            Self::Turnstile => "https://challenges.cloudflare.com/turnstile/v0/siteverify",
        }
    }
}

#[derive(Clone, Copy)]
enum Choice {
    Pow,
    Service(ServiceKind),
    Off,
}

impl Vars {
    pub(super) fn bot_check(&self) -> Result<BotCheck, String> {
        let choices = [
            ("pow", Choice::Pow),
            ("recaptcha", Choice::Service(ServiceKind::Recaptcha)),
            ("turnstile", Choice::Service(ServiceKind::Turnstile)),
            ("off", Choice::Off),
        ];
        match self.choice("SHOP_BOT_CHECK", &choices)? {
            Choice::Pow => Ok(BotCheck::Pow),
            Choice::Off => Ok(BotCheck::Off),
            Choice::Service(kind) => Ok(BotCheck::Service(self.bot_service(kind)?)),
        }
    }

    fn bot_service(&self, kind: ServiceKind) -> Result<BotService, String> {
        let verify_url = self.get("BOT_CHECK_VERIFY_URL").unwrap_or(kind.verify_url());
        Ok(BotService {
            kind,
            site_key: self.service_key("BOT_CHECK_SITE_KEY", kind)?,
            secret: self.service_key("BOT_CHECK_SECRET", kind)?,
            verify_url: web_address("BOT_CHECK_VERIFY_URL", verify_url, kind.verify_url())?,
        })
    }

    fn service_key(&self, name: &str, kind: ServiceKind) -> Result<String, String> {
        let key = self.required(name, &format!("SHOP_BOT_CHECK is {}", kind.word()))?;
        let is_key = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        if is_key { Ok(key.to_owned()) } else { Err(format!("{name} must be a key as {} gives it", kind.word())) }
    }
}
