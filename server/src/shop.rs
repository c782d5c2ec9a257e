//! What every handler may use.

use std::sync::Arc;
use std::time::Duration;

use app::mail::MailShop;
use axum::extract::FromRef;
use axum::http::HeaderMap;
use serde::Deserialize;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wasm_core::pricing::ShippingRates;

use crate::analytics::PageViews;
use crate::auth::{Keys, Passwords};
use crate::botcheck::Gate;
use crate::catalogue::Catalogue;
use crate::checkout::PaymentLocks;
use crate::checkout::provider::Provider;
use crate::checkout::reconcile::SeenRefunds;
use crate::checkout::webhook::SUBSCRIBED;
use crate::config::Config;
use crate::db::Db;
use crate::health::Readiness;
use crate::http::load_shedding::Admission;
use crate::http::overload_log::Refused;
use crate::http::response_cache::Shelf;
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
    pub bot_check: Gate,
    pub provider: Provider,
    /// Who is at work on which payment.
    pub payment_locks: PaymentLocks,
    /// Which refunds need not be compared with the provider again.
    pub seen_refunds: SeenRefunds,
    /// What the embedded provider remembers, where there is one.
    pub test_stripe: mock_stripe::Memory,
    /// The key with which a browser may speak to the payment provider.
    pub publishable_key: String,
    pub rates: ShippingRates,
    /// For links in mail and canonical URLs; without a slash at its end.
    pub public_url: String,
    /// What is for sale now, and the answers about it that are the same for everybody.
    pub catalogue: Arc<Catalogue>,
    /// Public answers that stay the same as long as the process lives.
    pub documents: Shelf,
    pub metrics: Metrics,
    pub admission: Admission,
    pub readiness: Readiness,
    /// Page views that are not written yet.
    pub page_views: PageViews,
    /// Which rate limits have refused lately.
    pub limits: limits::Memory,
    /// Requests that were refused because there was too much, until the log tells of them.
    pub refused: Refused,
    /// What every answer carries, unless its handler knows better.
    pub common_headers: HeaderMap,
    /// The light's program, if the shop has it to offer.
    pub firmware: Option<Firmware>,
    /// For plain HTTP calls to other services.
    pub http: reqwest::Client,
    /// Woken when a mail is put into the outbox, so that it need not wait for the next look.
    pub mail_waiting: Arc<Notify>,
    pub stopping: CancellationToken,
    /// Work that outlives its request; a stop waits for it.
    pub tasks: TaskTracker,
}

impl Shop {
    pub fn mail_shop(&self) -> MailShop {
        MailShop {
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

/// A client that never waits long and never follows a redirect.
///
/// # Errors
/// When the system refuses to set one up.
pub fn http_client() -> Result<reqwest::Client, String> {
    reqwest::Client::builder()
        .timeout(Duration::from_millis(2_500))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| format!("no HTTP client: {error}"))
}

/// The shipping rates a shopkeeper may set, from `shop.toml` in the working directory; without it, the defaults.
///
/// # Errors
/// One sentence that names the file and what is wrong in it.
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
/// One sentence that names the file and what is wrong in it.
pub fn parse_shop_toml(text: &str) -> Result<ShippingRates, String> {
    let file: ShopToml = toml::from_str(text).map_err(|error| format!("shop.toml: {error}"))?;
    Ok(file.shipping)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
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
        assert!(parse_shop_toml(&text).unwrap_err().contains("first = \"4.955\""));
    }
}
