//! `GET /api/config`: the public configuration for browsers.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::catalog::products::Contents;
use crate::config::{Analytics, BotCheckMode, Payments, TaxSource};
use crate::error::responses::error_responses;
use crate::settings::ShownAnnouncement;
use crate::storefront::Storefront;
use crate::storefront::pages::Firmware;
use utoipa::ToSchema;
use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use wasm_core::catalog::WarrantyRange;
use wasm_core::delivery::{DeliveryTimes, ReturnShipping};
use wasm_core::pricing::ShippingRates;

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "shop_name": "Nudgelight",
    "support_email": "support@nudgelight.example",
    "test_mode": true,
    "payments": { "kind": "test", "publishable_key": "pk_test_51PqLkX2eZvKYlo2C", "api_base": "/test-stripe" },
    "bot_check": { "kind": "pow", "site_key": null },
    "analytics": { "kind": "builtin", "site": null, "url": null },
    "shipping_rates": ShippingRates::default(),
    "tax": { "kind": "stripe" },
    "delivery": DeliveryTimes::default(),
    "time_zone": "America/New_York",
    "seller": "Nudgelight Inc., 1 Lamp Street, Springfield, IL 62701, United States",
    "return_shipping": "customer",
    "return_days": 30,
    "warranty_months": { "min": 24, "max": 24 },
    "announcement": { "id": "5b1c9a0e7d2f4a68", "text": "Order by December 18 for the holidays.", "link": null },
    "firmware": FirmwareConfig::example(),
    "passkey_origin": "https://shop.example",
})))]
pub struct PublicConfig {
    shop_name: String,
    support_email: String,
    test_mode: bool,
    payments: PaymentsConfig,
    bot_check: BotCheckConfig,
    analytics: AnalyticsConfig,
    shipping_rates: ShippingRates,
    tax: TaxConfig,
    delivery: DeliveryTimes,
    /// The shop's time zone, in which the day of an order and the cutoff hour count.
    time_zone: String,
    /// Name and postal address of the seller.
    #[schema(required)]
    seller: Option<String>,
    return_shipping: ReturnShipping,
    /// Days within which a light can be returned, if the shop has the standard return policy.
    #[schema(required)]
    return_days: Option<u32>,
    /// Warranties of the products for sale; `null` if none states one.
    #[schema(required)]
    warranty_months: Option<WarrantyRange>,
    /// Shown above every public page.
    #[schema(required)]
    announcement: Option<ShownAnnouncement>,
    /// The light's firmware, if the shop offers it.
    #[schema(required)]
    firmware: Option<FirmwareConfig>,
    /// The origin whose pages offer passkeys; `null` if the shop's address can't have any.
    #[schema(required)]
    passkey_origin: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!(Self::example())))]
struct FirmwareConfig {
    url: &'static str,
    bytes: u32,
    /// Version of the package and start of the program's hash. The first line of the light's `STATUS.TXT` has it, too.
    version: String,
    /// SHA-256 of the file, in hexadecimal digits.
    sha256: String,
}

impl FirmwareConfig {
    fn example() -> Self {
        Self {
            url: Firmware::URL,
            bytes: 734_208,
            version: "0.1.0+3f2a9c1d".to_owned(),
            sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned(),
        }
    }

    fn of(firmware: &Firmware) -> Self {
        let Firmware { bytes, version, sha256, .. } = firmware;
        Self { url: Firmware::URL, bytes: *bytes, version: version.clone(), sha256: sha256.clone() }
    }
}

#[derive(Serialize, ToSchema)]
struct PaymentsConfig {
    #[schema(schema_with = payment_kinds)]
    kind: &'static str,
    publishable_key: String,
    api_base: String,
}

#[derive(Serialize, ToSchema)]
struct BotCheckConfig {
    #[schema(schema_with = bot_check_kinds)]
    kind: &'static str,
    #[schema(required)]
    site_key: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct TaxConfig {
    /// `table`: the rules compute the tax of an order; `stripe`: Stripe does, and the rules estimate it.
    #[schema(schema_with = tax_kinds)]
    kind: &'static str,
}

#[derive(Serialize, ToSchema)]
struct AnalyticsConfig {
    #[schema(schema_with = analytics_kinds)]
    kind: &'static str,
    #[schema(required)]
    site: Option<String>,
    #[schema(required)]
    url: Option<String>,
}

fn payment_kinds() -> Object {
    words(["stripe", "test"])
}

fn bot_check_kinds() -> Object {
    words(["pow", "recaptcha", "turnstile", "off"])
}

fn tax_kinds() -> Object {
    words(["stripe", "table"])
}

fn analytics_kinds() -> Object {
    words(["builtin", "plausible", "off"])
}

/// One of these.
fn words<const N: usize>(words: [&'static str; N]) -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).build()
}

error_responses!(ConfigErrors: [NONE]);

/// The browser needs the configuration more than the warranties in it.
const CATALOG_WAIT: Duration = Duration::from_secs(1);

/// Get the public configuration
///
/// Returns the shop's name and support address, and the configuration of payments, bot check, analytics, shipping
/// rates, tax, delivery times, firmware and passkeys. With the shipping rates, the rules compute the shop's own prices.
/// While the database is unavailable, `warranty_months` may be `null`.
#[utoipa::path(
    get,
    path = "/api/config",
    tag = "Shop",
    responses((status = 200, description = "The public configuration.", body = PublicConfig), ConfigErrors),
)]
pub async fn get_config(State(state): State<Arc<Storefront>>) -> Json<PublicConfig> {
    let catalog = tokio::time::timeout(CATALOG_WAIT, state.catalog.snapshot.current()).await;
    let contents = catalog.ok().and_then(Result::ok);
    Json(PublicConfig::of(&state, contents.as_deref()))
}

impl PublicConfig {
    pub fn of(state: &Storefront, contents: Option<&Contents>) -> Self {
        let warranty_months = contents.and_then(|contents| WarrantyRange::of(&contents.active));
        let (config, settings) = (&state.config, state.settings.get());
        let payments = match &config.payments {
            Payments::Test => PaymentsConfig {
                kind: "test",
                publishable_key: state.publishable_key.clone(),
                api_base: "/test-stripe".to_owned(),
            },
            Payments::Stripe(keys) => PaymentsConfig {
                kind: "stripe",
                publishable_key: keys.publishable_key.clone(),
                api_base: keys.api_base.clone(),
            },
        };
        Self {
            shop_name: settings.shop_name.clone(),
            support_email: settings.support_email.clone(),
            test_mode: config.test_mode(),
            payments,
            bot_check: bot_check(&config.bot_check),
            analytics: analytics(&config.analytics),
            shipping_rates: settings.shipping_rates,
            tax: tax(config.tax),
            delivery: settings.delivery_times,
            time_zone: settings.time_zone.clone(),
            seller: settings.seller(),
            return_shipping: settings.return_shipping,
            return_days: settings.return_days(),
            warranty_months,
            announcement: settings.announcement_at(state.clock.now_ms()),
            firmware: state.firmware.as_ref().map(FirmwareConfig::of),
            passkey_origin: state.passkey_origin.clone(),
        }
    }
}

fn bot_check(bot_check: &BotCheckMode) -> BotCheckConfig {
    let (kind, site_key) = match bot_check {
        BotCheckMode::Pow => ("pow", None),
        BotCheckMode::Service(service) => (service.kind.as_str(), Some(service.site_key.clone())),
        BotCheckMode::Off => ("off", None),
    };
    BotCheckConfig { kind, site_key }
}

fn tax(source: TaxSource) -> TaxConfig {
    let kind = match source {
        TaxSource::Stripe => "stripe",
        TaxSource::Table => "table",
    };
    TaxConfig { kind }
}

fn analytics(analytics: &Analytics) -> AnalyticsConfig {
    let (kind, site, url) = match analytics {
        Analytics::Builtin => ("builtin", None, None),
        Analytics::Plausible(there) => {
            let url = there.url.as_str().trim_end_matches('/').to_owned();
            ("plausible", Some(there.site.clone()), Some(url))
        }
        Analytics::Off => ("off", None, None),
    };
    AnalyticsConfig { kind, site, url }
}
