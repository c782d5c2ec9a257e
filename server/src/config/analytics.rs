//! Who counts page views: the shop itself, a Plausible server, or nobody.

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
    /// The name under which the site is counted.
    pub site: String,
    /// Where the server is; its script and its calls are below.
    pub url: Url,
}

impl Plausible {
    /// Scheme, host and port, as a content security policy names them.
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
        let because = "SHOP_ANALYTICS is plausible";
        let site = self.required("ANALYTICS_SITE", because)?;
        let readable = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/' | b':');
        if !site.bytes().all(readable) {
            return Err("ANALYTICS_SITE must be the site's name in Plausible, like shop.example".to_owned());
        }
        let address = self.required("ANALYTICS_URL", because)?;
        let url = web_address("ANALYTICS_URL", address, "https://plausible.example")?;
        Ok(Plausible { site: site.to_owned(), url })
    }
}
