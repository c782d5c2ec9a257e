//! Page view analytics: built-in, a Plausible server, or off.

use url::Url;

use super::vars::{Vars, web_address};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Analytics {
    Builtin,
    Plausible(Plausible),
    Off,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plausible {
    /// The site's name in Plausible.
    pub site: String,
    /// The base URL of the server.
    pub url: Url,
}

impl Plausible {
    /// Scheme, host and port, for the content security policy.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

#[derive(Clone, Copy)]
enum Choice {
    Builtin,
    Plausible,
    Off,
}

impl Vars {
    pub(super) fn analytics(&self) -> Result<Analytics, String> {
        let choices = [("builtin", Choice::Builtin), ("plausible", Choice::Plausible), ("off", Choice::Off)];
        match self.choice("SHOP_ANALYTICS", &choices)? {
            Choice::Builtin => Ok(Analytics::Builtin),
            Choice::Off => Ok(Analytics::Off),
            Choice::Plausible => Ok(Analytics::Plausible(self.plausible()?)),
        }
    }

    fn plausible(&self) -> Result<Plausible, String> {
        let condition = "SHOP_ANALYTICS is plausible";
        let site = self.required("ANALYTICS_SITE", condition)?;
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/' | b':');
        if !site.bytes().all(is_allowed) {
            return Err("ANALYTICS_SITE must be the site's name in Plausible, like shop.example".to_owned());
        }
        let address = self.required("ANALYTICS_URL", condition)?;
        let url = web_address("ANALYTICS_URL", address, "https://plausible.example")?;
        Ok(Plausible { site: site.to_owned(), url })
    }
}
