//! Data of the server-rendered pages.

use app::pages::FirmwareFile;
use serde::Serialize;
use wasm_core::catalogue::Product;

use super::download::Firmware;
use crate::config::{Analytics, BotCheckMode, ServiceKind};
use crate::public_config::PublicConfig;
use crate::shop::Shop;

/// The data that every page shares.
#[derive(Clone, Debug)]
pub struct PageData {
    pub shop_name: String,
    pub support_email: String,
    pub test_mode: bool,
    pub public_url: String,
    /// The name of the external CAPTCHA service.
    pub captcha_provider: Option<String>,
    /// The host of the external analytics server.
    pub analytics_host: Option<String>,
    pub firmware: Option<FirmwareFile>,
    /// The active products.
    pub products: Vec<Product>,
}

impl PageData {
    pub fn of(shop: &Shop, products: Vec<Product>) -> Self {
        Self {
            shop_name: shop.config.shop_name.clone(),
            support_email: shop.config.support_email.clone(),
            test_mode: shop.config.test_mode(),
            public_url: shop.public_url.clone(),
            captcha_provider: captcha_provider(&shop.config.bot_check),
            analytics_host: analytics_host(&shop.config.analytics),
            firmware: shop.firmware.as_ref().map(firmware_file),
            products,
        }
    }
}

fn captcha_provider(bot_check: &BotCheckMode) -> Option<String> {
    let name = match bot_check {
        BotCheckMode::Service(service) => match service.kind {
            ServiceKind::Recaptcha => "Google’s reCAPTCHA",
            ServiceKind::Turnstile => "Cloudflare’s Turnstile",
        },
        BotCheckMode::Pow | BotCheckMode::Off => return None,
    };
    Some(name.to_owned())
}

fn analytics_host(analytics: &Analytics) -> Option<String> {
    match analytics {
        Analytics::Plausible(plausible) => plausible.url.host_str().map(str::to_owned),
        Analytics::Builtin | Analytics::Off => None,
    }
}

fn firmware_file(firmware: &Firmware) -> FirmwareFile {
    FirmwareFile { url: Firmware::URL.to_owned(), bytes: firmware.bytes }
}

/// The data that the shell would otherwise request first, embedded in the page.
#[derive(Serialize)]
struct FirstPaint<'a> {
    config: PublicConfig,
    /// Omitted when the database is unavailable; the shell then requests them itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    products: Option<&'a [Product]>,
}

/// The first-paint data as JSON that is safe inside a script element.
pub fn embedded(shop: &Shop, products: Option<&[Product]>) -> Result<String, serde_json::Error> {
    serde_json::to_string(&FirstPaint { config: PublicConfig::of(shop), products }).map(|json| without_tags(&json))
}

/// Escapes `<`, so that the JSON cannot close its script element.
pub fn without_tags(json: &str) -> String {
    json.replace('<', "\\u003c")
}
