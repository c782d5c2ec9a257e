//! Configuration from environment variables, read once at the start. An invalid value is reported on one line that names
//! its variable.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;
use ipnet::IpNet;
use url::Url;

mod analytics;
mod bot_check;
mod cors;
mod mail;
mod payments;
mod settings;
mod shop_toml;
mod signing_key;
mod vars;

pub use analytics::{Analytics, Plausible};
pub use bot_check::{BotCheckMode, BotService, ServiceKind};
pub use mail::MailTo;
pub use payments::{Payments, StripeKeys};
pub use settings::{EnvSettings, parse_shop_name};
pub use shop_toml::ShopToml;
pub use signing_key::SigningKeySource;
use vars::is_loopback;
use vars::{Vars, web_address};

/// The library's defaults, which OWASP recommends: 19 MiB, two passes, one lane.
pub const PASSWORD_COST: argon2::Params = argon2::Params::DEFAULT;

#[derive(Clone, Debug)]
pub struct Config {
    pub addr: SocketAddr,
    pub data_dir: PathBuf,
    pub database_url: String,
    /// `SHOP_PUBLIC_URL`. The default is the bound address for links, and a constant for the token issuer.
    pub public_url: Option<String>,
    pub signing_key: SigningKeySource,
    pub demo: bool,
    pub demo_password: Option<String>,
    pub payments: Payments,
    /// An additional address for the mock Stripe.
    pub mock_stripe_addr: Option<SocketAddr>,
    pub tax: TaxSource,
    pub bot_check: BotCheckMode,
    pub analytics: Analytics,
    pub mail: MailTo,
    /// DNS servers for `nudgelight check`. The default is the system's.
    pub dns_servers: Vec<SocketAddr>,
    /// The selector of the mail server's DKIM key.
    pub dkim_selector: Option<String>,
    pub trusted_proxies: Vec<IpNet>,
    /// Origins whose pages may use the API.
    pub cors_origins: Vec<HeaderValue>,
    pub metrics_token: Option<String>,
    pub rate_limits: RateLimits,
    /// The cost of hashing a password. Not a setting: only tests change it.
    pub password_cost: argon2::Params,
    pub reservation_seconds: i64,
    /// How long the shop still takes requests when it stops.
    pub drain: Duration,
    /// Whether a replicator, such as Litestream, copies SQLite's write-ahead log.
    pub has_replicator: bool,
    pub hsts: Hsts,
    pub settings: EnvSettings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaxSource {
    Stripe,
    Table,
}

/// Where browsers use https only (HTTP Strict Transport Security).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hsts {
    Host,
    /// Also at all subdomains, which may belong to other services.
    Subdomains,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimits {
    On,
    Off,
}

impl Config {
    /// Reads `.env` and the process environment, which takes precedence.
    ///
    /// # Errors
    /// A message that names the invalid variable.
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the environment")]
    pub fn from_env() -> Result<Self, String> {
        match dotenvy::dotenv() {
            Err(error) if !error.not_found() => return Err(format!(".env: {error}")),
            _ => {}
        }
        Self::from_vars(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )
    }

    /// # Errors
    /// A message that names the invalid variable.
    pub fn from_vars(vars: impl IntoIterator<Item = (String, String)>) -> Result<Self, String> {
        let vars = Vars::new(vars)?;
        let addr: SocketAddr =
            vars.parsed("SHOP_ADDR", "127.0.0.1:3000", "must be an address and port like 127.0.0.1:3000")?;
        let data_dir = PathBuf::from(vars.get("SHOP_DATA_DIR").unwrap_or("./data"));
        let stripe = vars.stripe_keys()?;
        let demo = vars.demo(addr, stripe.is_some())?;
        let payments = payments(stripe, demo)?;
        Ok(Self {
            addr,
            database_url: vars
                .get("DATABASE_URL")
                .map_or_else(|| format!("sqlite:{}", data_dir.join("shop.db").display()), str::to_owned),
            public_url: vars.get("SHOP_PUBLIC_URL").map(|url| url.trim_end_matches('/').to_owned()),
            signing_key: vars.signing_key(&data_dir),
            demo,
            demo_password: vars.get("SHOP_DEMO_PASSWORD").map(str::to_owned),
            mock_stripe_addr: vars.mock_stripe_addr(&payments)?,
            payments,
            tax: vars.choice("SHOP_TAX", &[("stripe", TaxSource::Stripe), ("table", TaxSource::Table)])?,
            rate_limits: vars.rate_limits(demo)?,
            password_cost: PASSWORD_COST,
            bot_check: vars.bot_check_for(demo)?,
            analytics: vars.analytics()?,
            mail: vars.mail()?,
            dns_servers: vars.dns_servers()?,
            dkim_selector: vars.dkim_selector()?,
            trusted_proxies: vars.networks("SHOP_TRUSTED_PROXIES")?,
            cors_origins: vars.cors_origins()?,
            metrics_token: vars.get("SHOP_METRICS_TOKEN").map(str::to_owned),
            reservation_seconds: vars.reservation_seconds()?,
            drain: vars.drain()?,
            has_replicator: vars.choice("SHOP_REPLICATOR", &[("off", false), ("litestream", true)])?,
            hsts: vars
                .choice("SHOP_HSTS", &[("host", Hsts::Host), ("subdomains", Hsts::Subdomains), ("off", Hsts::Off)])?,
            settings: vars.settings()?,
            data_dir,
        })
    }

    /// The `iss` claim of access tokens. It does not depend on the port.
    pub fn issuer(&self) -> &str {
        self.public_url.as_deref().unwrap_or("nudgelight")
    }

    /// The public URL, unless it is a loopback address, at which no customer reaches a shop.
    pub fn shop_address(&self) -> Option<&str> {
        let url = self.public_url.as_deref()?;
        let is_public = Url::parse(url).is_ok_and(|url| !is_loopback(&url));
        is_public.then_some(url)
    }

    pub fn mail_dir(&self) -> PathBuf {
        self.data_dir.join("mail")
    }

    /// Whether payments are in test mode.
    pub fn test_mode(&self) -> bool {
        match &self.payments {
            Payments::Test => true,
            Payments::Stripe(keys) => !keys.is_live(),
        }
    }
}

fn payments(stripe: Option<StripeKeys>, demo: bool) -> Result<Payments, String> {
    match stripe {
        Some(keys) if keys.is_live() && demo => {
            Err("STRIPE_SECRET_KEY is a live key and cannot be used with SHOP_DEMO=1".to_owned())
        }
        Some(keys) => Ok(Payments::Stripe(keys)),
        None if demo => Ok(Payments::Test),
        None => {
            Err("STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set when SHOP_DEMO is 0"
                .to_owned())
        }
    }
}

impl Vars {
    /// Demo mode is the default only on a loopback address without Stripe keys.
    fn demo(&self, addr: SocketAddr, has_stripe_keys: bool) -> Result<bool, String> {
        let public_url = self.public_url()?;
        match self.get("SHOP_DEMO") {
            // Behind a proxy a shop on a loopback address may still be public.
            None if !has_stripe_keys && addr.ip().is_loopback() => {
                if public_url.as_ref().is_some_and(|url| !is_loopback(url)) {
                    return Err(
                        "SHOP_DEMO must be set, because SHOP_PUBLIC_URL is public and there are no Stripe keys. \
                        Set it to 1 for a public demo, or to 0 for a shop with STRIPE_SECRET_KEY, \
                        STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET"
                            .to_owned(),
                    );
                }
                Ok(true)
            }
            None => Ok(false),
            Some("1") => Ok(true),
            Some("0") => Ok(false),
            Some(_) => Err("SHOP_DEMO must be 0 or 1".to_owned()),
        }
    }

    fn mock_stripe_addr(&self, payments: &Payments) -> Result<Option<SocketAddr>, String> {
        match self.get("SHOP_TEST_STRIPE_ADDR") {
            None => Ok(None),
            Some(_) if *payments != Payments::Test => {
                Err("SHOP_TEST_STRIPE_ADDR is for the mock Stripe and cannot be set with Stripe keys".to_owned())
            }
            Some(_) => {
                self.parsed("SHOP_TEST_STRIPE_ADDR", "", "must be an address and port like 127.0.0.1:12111").map(Some)
            }
        }
    }

    fn rate_limits(&self, demo: bool) -> Result<RateLimits, String> {
        match self.choice("SHOP_RATE_LIMITS", &[("on", RateLimits::On), ("off", RateLimits::Off)])? {
            RateLimits::Off if !demo => Err("SHOP_RATE_LIMITS can be off only with SHOP_DEMO=1".to_owned()),
            rate_limits => Ok(rate_limits),
        }
    }

    fn bot_check_for(&self, demo: bool) -> Result<BotCheckMode, String> {
        match self.bot_check()? {
            BotCheckMode::Off if !demo => Err("SHOP_BOT_CHECK can be off only with SHOP_DEMO=1".to_owned()),
            bot_check => Ok(bot_check),
        }
    }

    fn public_url(&self) -> Result<Option<Url>, String> {
        self.get("SHOP_PUBLIC_URL").map(|url| web_address("SHOP_PUBLIC_URL", url, "https://shop.example")).transpose()
    }

    fn drain(&self) -> Result<Duration, String> {
        let rule = "must be whole seconds from 0 to 300";
        let seconds: u64 = self.parsed("SHOP_DRAIN_SECONDS", "0", rule)?;
        if seconds <= 300 { Ok(Duration::from_secs(seconds)) } else { Err(format!("SHOP_DRAIN_SECONDS {rule}")) }
    }

    fn reservation_seconds(&self) -> Result<i64, String> {
        let rule = "must be whole seconds from 1 to 86400";
        let seconds: i64 = self.parsed("SHOP_RESERVATION_SECONDS", "900", rule)?;
        if (1..=86_400).contains(&seconds) { Ok(seconds) } else { Err(format!("SHOP_RESERVATION_SECONDS {rule}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(vars: &[(&str, &str)]) -> Result<Config, String> {
        Config::from_vars(vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn with_nothing_set_it_is_a_demo_on_loopback() {
        let config = config(&[]).unwrap();
        assert!(config.demo && config.test_mode());
        assert_eq!(config.database_url, "sqlite:./data/shop.db");
        assert_eq!(config.issuer(), "nudgelight");
        assert_eq!(config.reservation_seconds, 900);
    }

    #[test]
    fn a_demo_behind_a_public_address_has_to_be_asked_for() {
        let demo = |vars: &[(&str, &str)]| config(vars).map(|config| config.demo);
        for public in ["https://shop.example", "http://10.0.0.1", "http://[2001:db8::1]/", "https://localhost.example"]
        {
            let message = demo(&[("SHOP_PUBLIC_URL", public)]).unwrap_err();
            assert!(message.starts_with("SHOP_DEMO must be set"), "{public}: {message}");
            assert_eq!(demo(&[("SHOP_PUBLIC_URL", public), ("SHOP_DEMO", "1")]), Ok(true));
        }
        for own in
            ["http://127.0.0.1:3000", "http://127.1.2.3", "http://localhost", "http://[::1]:3000", "https://LOCALHOST"]
        {
            assert_eq!(demo(&[("SHOP_PUBLIC_URL", own)]), Ok(true), "{own}");
        }
    }

    #[test]
    fn every_bad_value_is_refused_by_the_name_of_its_variable() {
        let bad = [
            ("SHOP_ADDR", "localhost"),
            ("SHOP_DEMO", "yes"),
            ("SHOP_TAX", "none"),
            ("SHOP_BOT_CHECK", "maybe"),
            ("SHOP_ANALYTICS", "all"),
            ("SHOP_ORDERS_EMAIL", "nobody"),
            ("SHOP_SUPPORT_EMAIL", "a@b"),
            ("SHOP_TIME_ZONE", "EST5EDT,M3.2.0,M11.1.0"),
            ("SHOP_TRUSTED_PROXIES", "10.0.0.0/99"),
            ("SHOP_CORS_ORIGINS", "*"),
            ("SHOP_CORS_ORIGINS", "https://shop.example/"),
            ("SHOP_DNS_SERVERS", "dns.example"),
            ("SHOP_DNS_SERVERS", "192.0.2.1:dns"),
            ("SHOP_DKIM_SELECTOR", "my key"),
            ("SHOP_DKIM_SELECTOR", "s1._domainkey.shop.example."),
            ("SHOP_RESERVATION_SECONDS", "0"),
            ("SHOP_DRAIN_SECONDS", "301"),
            ("SHOP_DRAIN_SECONDS", "-1"),
            ("SHOP_HSTS", "on"),
            ("SHOP_REPLICATOR", "on"),
            ("SHOP_PUBLIC_URL", "shop.example"),
            ("SHOP_RATE_LIMITS", "sometimes"),
            ("SHOP_ADRESS", "127.0.0.1:1"),
            ("SHOP_NAME", "Lamps\r\nBcc: eve@example.com"),
            ("STRIPE_SECRET_KEY", "sk_test_1"),
            ("SMTP_URL", "mail.example:25"),
            ("SMTP_URL", "https://mail.example"),
        ];
        for (name, value) in bad {
            let message = config(&[(name, value)]).unwrap_err();
            let names_it = message.contains(name) || message.contains("STRIPE_");
            assert!(names_it && !message.contains('\n'), "{name}: {message}");
        }
    }

    #[test]
    fn a_service_that_is_chosen_needs_all_of_its_variables() {
        let recaptcha =
            [("SHOP_BOT_CHECK", "recaptcha"), ("BOT_CHECK_SITE_KEY", "site-key"), ("BOT_CHECK_SECRET", "secret_key")];
        let plausible = [
            ("SHOP_ANALYTICS", "plausible"),
            ("ANALYTICS_SITE", "shop.example"),
            ("ANALYTICS_URL", "https://stats.example"),
        ];
        for whole in [recaptcha, plausible] {
            config(&whole).unwrap();
            for (index, (name, _)) in whole.iter().enumerate().skip(1) {
                let mut missing = whole.to_vec();
                missing.remove(index);
                assert!(config(&missing).unwrap_err().starts_with(&format!("{name} must be set")), "{name}");
            }
        }
        let bad = [
            ("BOT_CHECK_SITE_KEY", "a key"),
            ("BOT_CHECK_SECRET", "secret;"),
            ("BOT_CHECK_VERIFY_URL", "verify.example"),
            ("BOT_CHECK_VERIFY_URL", "ftp://verify.example"),
            ("ANALYTICS_SITE", "my shop"),
            ("ANALYTICS_URL", "stats.example"),
            ("ANALYTICS_URL", "https://me:secret@stats.example"),
            ("ANALYTICS_URL", "https://stats.example?key=1"),
            ("ANALYTICS_URL", " https://stats.example"),
            ("ANALYTICS_URL", "https:stats.example"),
        ];
        for (name, value) in bad {
            let all = [&recaptcha[..], &plausible[..], &[(name, value)]].concat();
            let message = config(&all).unwrap_err();
            assert!(message.starts_with(name) && !message.contains('\n'), "{name}={value}: {message}");
        }
    }

    #[test]
    fn each_service_is_asked_at_its_own_address_unless_another_is_set() {
        let verify_url = |vars: &[(&str, &str)]| {
            let keys = [("BOT_CHECK_SITE_KEY", "site"), ("BOT_CHECK_SECRET", "secret")];
            match config(&[&keys[..], vars].concat()).unwrap().bot_check {
                BotCheckMode::Service(service) => service.verify_url.to_string(),
                BotCheckMode::Pow | BotCheckMode::Off => String::new(),
            }
        };
        let google = verify_url(&[("SHOP_BOT_CHECK", "recaptcha")]);
        assert_eq!(google, "https://www.google.com/recaptcha/api/siteverify");
        let cloudflare = verify_url(&[("SHOP_BOT_CHECK", "turnstile")]);
        assert_eq!(cloudflare, "https://challenges.cloudflare.com/turnstile/v0/siteverify");
        let own = [("SHOP_BOT_CHECK", "turnstile"), ("BOT_CHECK_VERIFY_URL", "http://127.0.0.1:9/verify")];
        assert_eq!(verify_url(&own), "http://127.0.0.1:9/verify");
    }

    #[test]
    fn money_and_demo_exclude_each_other() {
        let live = [
            ("STRIPE_SECRET_KEY", "sk_live_1"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_live_1"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
        ];
        assert!(!config(&live).unwrap().test_mode());
        assert!(config(&[&live[..], &[("SHOP_DEMO", "1")]].concat()).is_err());
        assert!(config(&[("SHOP_DEMO", "0")]).is_err());
        let beside = [&live[..], &[("SHOP_TEST_STRIPE_ADDR", "127.0.0.1:0")]].concat();
        assert!(config(&beside).unwrap_err().starts_with("SHOP_TEST_STRIPE_ADDR"));
        assert!(config(&[("SHOP_TEST_STRIPE_ADDR", "12111")]).unwrap_err().starts_with("SHOP_TEST_STRIPE_ADDR"));
        assert!(config(&[("SHOP_ADDR", "0.0.0.0:80")]).is_err());
        let open = [&live[..], &[("SHOP_BOT_CHECK", "off")]].concat();
        assert!(config(&open).unwrap_err().starts_with("SHOP_BOT_CHECK"));
    }
}
