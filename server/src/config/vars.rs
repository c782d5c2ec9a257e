//! Environment variables and their parsers. Every error message names its variable.

use std::collections::BTreeMap;
use std::str::FromStr;

use ipnet::IpNet;
use url::{Host, Url};

/// All variables with the prefix `SHOP_`. Any other is rejected as a typo.
const SHOP_VARIABLES: &[&str] = &[
    "SHOP_ADDR",
    "SHOP_ANALYTICS",
    "SHOP_BOT_CHECK",
    "SHOP_CORS_ORIGINS",
    "SHOP_DATA_DIR",
    "SHOP_DEMO",
    "SHOP_DEMO_PASSWORD",
    "SHOP_DKIM_SELECTOR",
    "SHOP_DNS_SERVERS",
    "SHOP_DRAIN_SECONDS",
    "SHOP_HSTS",
    "SHOP_METRICS_TOKEN",
    "SHOP_NAME",
    "SHOP_ORDERS_EMAIL",
    "SHOP_PUBLIC_URL",
    "SHOP_RATE_LIMITS",
    "SHOP_REPLICATOR",
    "SHOP_RESERVATION_SECONDS",
    "SHOP_SIGNING_KEY",
    "SHOP_SUPPORT_EMAIL",
    "SHOP_TAX",
    "SHOP_TEST_STRIPE_ADDR",
    "SHOP_TIME_ZONE",
    "SHOP_TRUSTED_PROXIES",
];

pub(super) struct Vars(BTreeMap<String, String>);

impl Vars {
    /// An empty value counts as unset.
    pub(super) fn new(vars: impl IntoIterator<Item = (String, String)>) -> Result<Self, String> {
        let vars = Self(vars.into_iter().filter(|(_, value)| !value.is_empty()).collect());
        let unknown = vars.0.keys().find(|name| name.starts_with("SHOP_") && !SHOP_VARIABLES.contains(&name.as_str()));
        match unknown {
            Some(name) => Err(format!("{name}: unknown variable (typo?)")),
            None => Ok(vars),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A variable that is required under a condition.
    pub(super) fn required(&self, name: &str, condition: &str) -> Result<&str, String> {
        self.get(name).ok_or_else(|| format!("{name} must be set when {condition}"))
    }

    pub(super) fn parsed<T: FromStr>(&self, name: &str, default: &str, rule: &str) -> Result<T, String> {
        self.get(name).unwrap_or(default).parse().map_err(|_| format!("{name} {rule}"))
    }

    /// Parses one of several values. The first is the default.
    pub(super) fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<T, String> {
        let Some(value) = self.get(name).or_else(|| choices.first().map(|(word, _)| *word)) else {
            return Err(format!("{name} has no choices"));
        };
        choices.iter().find(|(word, _)| *word == value).map(|(_, choice)| *choice).ok_or_else(|| {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            format!("{name} must be {}", words.join(" or "))
        })
    }

    pub(super) fn email(&self, name: &str) -> Result<Option<String>, String> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        match wasm_core::validation::Email::parse(text) {
            Ok(email) => Ok(Some(email.as_str().to_owned())),
            Err(_) => Err(format!("{name} must be an email address")),
        }
    }

    pub(super) fn networks(&self, name: &str) -> Result<Vec<IpNet>, String> {
        self.get(name)
            .unwrap_or_default()
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                part.parse::<IpNet>()
                    .or_else(|_| part.parse::<std::net::IpAddr>().map(IpNet::from))
                    .map_err(|_| format!("{name} must be networks like 10.0.0.0/8, separated by commas"))
            })
            .collect()
    }
}

/// Parses an `http` or `https` URL without query, fragment and credentials.
pub(super) fn web_address(name: &str, text: &str, example: &str) -> Result<Url, String> {
    // The parser also accepts spaces and missing slashes, which would break text that is built from the value.
    let is_strict = text.contains("://") && !text.contains(char::is_whitespace);
    match Url::parse(text) {
        Ok(url) if is_strict && is_plain(&url) => Ok(url),
        _ => Err(format!("{name} must be a URL like {example}")),
    }
}

/// Whether the URL has a loopback host.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

fn is_plain(url: &Url) -> bool {
    let has_password = !url.username().is_empty() || url.password().is_some();
    let has_more = url.query().is_some() || url.fragment().is_some();
    matches!(url.scheme(), "http" | "https") && url.has_host() && !has_password && !has_more
}
