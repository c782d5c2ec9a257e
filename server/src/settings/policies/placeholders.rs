//! Placeholders in policies, so that a text never has to repeat a setting.

use wasm_core::delivery::DayRange;
use wasm_core::pricing::Rate;

use super::markdown::escape;
use crate::config::{Analytics, BotCheckMode, Config, ServiceKind};
use crate::settings::values::Settings;

/// The Markdown of each placeholder.
pub struct Placeholders([(&'static str, String); 7]);

impl Placeholders {
    pub fn of(config: &Config, settings: &Settings) -> Self {
        let email = escape(&settings.support_email);
        Self([
            ("{shop_name}", escape(&settings.shop_name)),
            ("{support_email}", format!("[{email}](<mailto:{email}>)")),
            ("{seller}", escape(&settings.seller().unwrap_or_else(|| settings.shop_name.clone()))),
            ("{postal_address}", postal_address(settings)),
            ("{shipping_rates}", shipping_rates(settings)),
            ("{return_shipping}", settings.return_shipping.sentence().to_owned()),
            ("{services}", services(&config.bot_check, &config.analytics)),
        ])
    }

    pub fn fill(&self, markdown: &str) -> String {
        let Self(values) = self;
        values.iter().fold(markdown.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

/// The postal address as one line. Empty if the settings have none.
fn postal_address(settings: &Settings) -> String {
    let seller = settings.seller().filter(|_| settings.seller_address.is_some());
    seller.map(|seller| format!("Our postal address is {}.", escape(&seller))).unwrap_or_default()
}

/// A table of the rates and delivery times by country.
fn shipping_rates(settings: &Settings) -> String {
    let (rates, times) = (&settings.shipping_rates, &settings.delivery_times);
    let row = |country: &str, rate: Rate, transit: DayRange| {
        format!("| {country} | {} | {} | {transit} |\n", rate.first_pound, rate.additional_pound)
    };
    format!(
        "| Country | First pound | Each additional pound | Delivery |\n|---|---|---|---|\n{}{}\nOrders ship in {}.",
        row("United States", rates.us, times.transit.us),
        row("Canada", rates.ca, times.transit.ca),
        times.handling,
    )
}

/// A paragraph for each external service that processes visitors' data.
fn services(bot_check: &BotCheckMode, analytics: &Analytics) -> String {
    let captcha = captcha_provider(bot_check).map(|service| {
        format!("When you register or log in, {service} verifies that you’re human. It receives your browser details and IP address.")
    });
    let analytics = analytics_host(analytics).map(|host| {
        let host = escape(host);
        format!("Views of public pages are counted by {host}, which also receives your browser details and IP address.")
    });
    [captcha, analytics].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn captcha_provider(bot_check: &BotCheckMode) -> Option<&'static str> {
    match bot_check {
        BotCheckMode::Service(service) => Some(match service.kind {
            ServiceKind::Recaptcha => "Google’s reCAPTCHA",
            ServiceKind::Turnstile => "Cloudflare’s Turnstile",
        }),
        BotCheckMode::Pow | BotCheckMode::Off => None,
    }
}

fn analytics_host(analytics: &Analytics) -> Option<&str> {
    match analytics {
        Analytics::Plausible(plausible) => plausible.url.host_str(),
        Analytics::Builtin | Analytics::Off => None,
    }
}
