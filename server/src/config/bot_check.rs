//! Bot check: the built-in proof of work, or an external CAPTCHA service.

use url::Url;

use super::vars::{Vars, web_address};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotCheckMode {
    Pow,
    Service(BotService),
    Off,
}

/// An external CAPTCHA service: its script issues tokens in the browser, and its API verifies them.
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
    /// The name in `SHOP_BOT_CHECK` and in the API.
    pub fn as_str(self) -> &'static str {
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
    pub(super) fn bot_check(&self) -> Result<BotCheckMode, String> {
        let choices = [
            ("pow", Choice::Pow),
            ("recaptcha", Choice::Service(ServiceKind::Recaptcha)),
            ("turnstile", Choice::Service(ServiceKind::Turnstile)),
            ("off", Choice::Off),
        ];
        match self.choice("SHOP_BOT_CHECK", &choices)? {
            Choice::Pow => Ok(BotCheckMode::Pow),
            Choice::Off => Ok(BotCheckMode::Off),
            Choice::Service(kind) => Ok(BotCheckMode::Service(self.bot_service(kind)?)),
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
        let key = self.required(name, &format!("SHOP_BOT_CHECK is {}", kind.as_str()))?;
        let is_key = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        if is_key { Ok(key.to_owned()) } else { Err(format!("{name} must be a key from {}", kind.as_str())) }
    }
}
