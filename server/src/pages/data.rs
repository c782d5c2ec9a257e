//! What pages are made of.

use app::pages::FirmwareFile;
use serde::Serialize;
use wasm_core::catalogue::Product;

use super::download::Firmware;
use crate::config::{Analytics, BotCheck, ServiceKind};
use crate::public_config::PublicConfig;
use crate::shop::Shop;

/// The shop as every page knows it.
#[derive(Clone, Debug)]
pub struct PageData {
    pub shop_name: String,
    pub support_email: String,
    pub test_mode: bool,
    pub public_url: String,
    /// The service that keeps robots out, by its name, and the host that counts page views.
    pub checked_by: Option<String>,
    pub counted_by: Option<String>,
    pub firmware: Option<FirmwareFile>,
    /// What is for sale.
    pub products: Vec<Product>,
}

impl PageData {
    pub fn of(shop: &Shop, products: Vec<Product>) -> Self {
        Self {
            shop_name: shop.config.shop_name.clone(),
            support_email: shop.config.support_email.clone(),
            test_mode: shop.config.test_mode(),
            public_url: shop.public_url.clone(),
            checked_by: checked_by(&shop.config.bot_check),
            counted_by: counted_by(&shop.config.analytics),
            firmware: shop.firmware.as_ref().map(firmware_file),
            products,
        }
    }
}

fn checked_by(bot_check: &BotCheck) -> Option<String> {
    let name = match bot_check {
        BotCheck::Service(service) => match service.kind {
            ServiceKind::Recaptcha => "Google’s reCAPTCHA",
            ServiceKind::Turnstile => "Cloudflare’s Turnstile",
        },
        BotCheck::Pow | BotCheck::Off => return None,
    };
    Some(name.to_owned())
}

fn counted_by(analytics: &Analytics) -> Option<String> {
    match analytics {
        Analytics::Plausible(there) => there.url.host_str().map(str::to_owned),
        Analytics::Builtin | Analytics::Off => None,
    }
}

fn firmware_file(firmware: &Firmware) -> FirmwareFile {
    FirmwareFile { url: Firmware::URL.to_owned(), bytes: firmware.bytes }
}

/// What the shell would otherwise ask for as soon as it runs.
#[derive(Serialize)]
struct FirstPaint<'a> {
    config: PublicConfig,
    /// Missing when they could not be read: the shell then asks by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    products: Option<&'a [Product]>,
}

/// As JSON that may stand inside a script element.
pub fn embedded(shop: &Shop, products: Option<&[Product]>) -> Result<String, serde_json::Error> {
    serde_json::to_string(&FirstPaint { config: PublicConfig::of(shop), products }).map(|json| without_tags(&json))
}

/// The same JSON without a sign that could end the element it stands in.
pub fn without_tags(json: &str) -> String {
    json.replace('<', "\\u003c")
}
