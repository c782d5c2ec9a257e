//! Email transport and DNS settings.

use std::net::{IpAddr, SocketAddr};

use url::Url;

use super::vars::Vars;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailTo {
    /// Files in the folder `mail` of the data folder.
    Files,
    Smtp(Url),
}

impl Vars {
    pub(super) fn mail(&self) -> Result<MailTo, String> {
        let Some(text) = self.get("SMTP_URL") else {
            return Ok(MailTo::Files);
        };
        match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "smtp" | "smtps") && url.has_host() => Ok(MailTo::Smtp(url)),
            _ => Err("SMTP_URL must be like smtps://user:password@mail.example:465".to_owned()),
        }
    }

    pub(super) fn dns_servers(&self) -> Result<Vec<SocketAddr>, String> {
        const DNS_PORT: u16 = 53;
        let servers = self.get("SHOP_DNS_SERVERS").unwrap_or_default().split(',').map(str::trim);
        servers
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().or_else(|_| part.parse::<IpAddr>().map(|ip| SocketAddr::from((ip, DNS_PORT)))))
            .collect::<Result<_, _>>()
            .map_err(|_| {
                "SHOP_DNS_SERVERS must be IP addresses like 192.0.2.1 or 192.0.2.1:53, separated by commas".to_owned()
            })
    }

    pub(super) fn dkim_selector(&self) -> Result<Option<String>, String> {
        let is_label = |label: &str| {
            !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        };
        match self.get("SHOP_DKIM_SELECTOR") {
            Some(selector) if selector.contains("_domainkey") || !selector.split('.').all(is_label) => {
                Err("SHOP_DKIM_SELECTOR must be a name like s1, without ._domainkey and without the domain".to_owned())
            }
            selector => Ok(selector.map(str::to_owned)),
        }
    }
}
