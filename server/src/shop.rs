//! The application state, shared by all handlers.

use std::sync::Arc;
use std::time::Duration;

use app::mail::ShopInfo;
use axum::extract::FromRef;
use axum::http::HeaderMap;
use serde::Deserialize;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wasm_core::pricing::ShippingRates;

use crate::analytics::PageViews;
use crate::auth::{Keys, Passwords};
use crate::botcheck::BotCheck;
use crate::catalogue::Catalogue;
use crate::checkout::PaymentLocks;
use crate::checkout::provider::Provider;
use crate::checkout::reconcile::SeenRefunds;
use crate::checkout::webhook::SUBSCRIBED;
use crate::config::Config;
use crate::db::Db;
use crate::health::Readiness;
use crate::http::load_shedding::LoadShedding;
use crate::http::overload_log::OverloadLog;
use crate::http::response_cache::ResponseCache;
use crate::infra::clock::Clock;
use crate::limits;
use crate::metrics::Metrics;
use crate::mock_stripe::{self, MockStripe};
use crate::pages::Firmware;

pub struct Shop {
    pub config: Config,
    pub db: Db,
    pub clock: Clock,
    pub keys: Keys,
    pub passwords: Passwords,
    pub bot_check: BotCheck,
    pub provider: Provider,
    /// Payments that are being processed.
    pub payment_locks: PaymentLocks,
    /// Refunds that are already reconciled.
    pub seen_refunds: SeenRefunds,
    /// The mock Stripe's state, in test mode.
    pub test_stripe: mock_stripe::Memory,
    /// Publishable key, for the browser.
    pub publishable_key: String,
    pub rates: ShippingRates,
    /// Base URL of links in emails and of canonical URLs, without a trailing slash.
    pub public_url: String,
    /// Snapshot of the catalog, and the cached responses about it.
    pub catalogue: Arc<Catalogue>,
    /// Cached responses that never change while the process runs.
    pub documents: ResponseCache,
    pub metrics: Metrics,
    pub load_shedding: LoadShedding,
    pub readiness: Readiness,
    /// Page views that are not written to the database yet.
    pub page_views: PageViews,
    /// Rate limits that were exceeded recently.
    pub limits: limits::RejectionCache,
    /// Requests rejected by limits since the last log line.
    pub overload_log: OverloadLog,
    /// Headers of every response that does not set them itself.
    pub common_headers: HeaderMap,
    /// The light's firmware, if the shop offers it.
    pub firmware: Option<Firmware>,
    /// HTTP client for other services.
    pub http: reqwest::Client,
    /// Wakes the email worker when an email is enqueued.
    pub mail_enqueued: Arc<Notify>,
    pub stopping: CancellationToken,
    /// Background tasks of requests; shutdown waits for them.
    pub tasks: TaskTracker,
}

impl Shop {
    pub fn mail_shop(&self) -> ShopInfo {
        ShopInfo {
            name: self.config.shop_name.clone(),
            public_url: self.public_url.clone(),
            support_email: self.config.support_email.clone(),
        }
    }
}

impl FromRef<Arc<Shop>> for MockStripe {
    fn from_ref(shop: &Arc<Shop>) -> Self {
        Self {
            db: shop.db.clone(),
            clock: shop.clock.clone(),
            public_url: shop.public_url.clone(),
            subscribed: &SUBSCRIBED,
            memory: shop.test_stripe.clone(),
        }
    }
}

/// An HTTP client with short timeouts that follows no redirects.
///
/// # Errors
/// If the TLS backend cannot be initialized.
pub fn http_client() -> Result<reqwest::Client, String> {
    reqwest::Client::builder()
        .timeout(Duration::from_millis(2_500))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| format!("no HTTP client: {error}"))
}

/// Shipping rates from `shop.toml` in the working directory, or the defaults.
///
/// # Errors
/// A message that names the file and the invalid entry.
pub fn read_shop_toml() -> Result<ShippingRates, String> {
    match std::fs::read_to_string("shop.toml") {
        Ok(text) => parse_shop_toml(&text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(ShippingRates::default()),
        Err(error) => Err(format!("shop.toml: {error}")),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShopToml {
    #[serde(default)]
    shipping: ShippingRates,
}

/// # Errors
/// A message that names the file and the invalid entry.
pub fn parse_shop_toml(text: &str) -> Result<ShippingRates, String> {
    let file: ShopToml = toml::from_str(text).map_err(|error| format!("shop.toml: {error}"))?;
    Ok(file.shipping)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_the_repository_holds_the_defaults() {
        let rates = parse_shop_toml(include_str!("../../shop.toml")).unwrap();
        assert_eq!(rates, ShippingRates::default());
    }

    #[test]
    fn a_wrong_amount_is_named() {
        let text = include_str!("../../shop.toml").replace("\"4.95\"", "\"4.955\"");
        assert!(parse_shop_toml(&text).unwrap_err().contains("first_pound = \"4.955\""));
    }
}
