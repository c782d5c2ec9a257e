//! The settings, the rules of their values, and which of them environment variables set.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use wasm_core::delivery::{DeliveryTimes, ReturnShipping};
use wasm_core::pricing::ShippingRates;
use wasm_core::validation::Message;

use super::announcement::{Announcement, ShownAnnouncement};
use crate::config::EnvSettings;
use crate::time_zone::ShopZone;

/// As in `policies/standard/shipping-and-returns.md`.
const STANDARD_RETURN_DAYS: u32 = 30;
/// Characters of a policy, which fit in a request with any alphabet.
const MAX_POLICY: usize = 20_000;

/// The settings of the shop. The names of the members are those of the stored changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(examples(json!(Settings::example())))]
pub struct Settings {
    pub shop_name: String,
    /// Shown to customers, and the sender of every email.
    pub support_email: String,
    /// Who sells: the legal name of a company or person. Shown on every page and in every email.
    #[schema(required)]
    pub seller_name: Option<String>,
    /// The seller's postal address on one line.
    #[schema(required)]
    pub seller_address: Option<String>,
    pub return_shipping: ReturnShipping,
    /// Receives an email for each new order and each alert.
    #[schema(required)]
    pub orders_email: Option<String>,
    /// Receives the email about low stock; `null` for `orders_email`.
    #[schema(required)]
    pub low_stock_email: Option<String>,
    /// Name of a zone in `TimeZones`.
    pub time_zone: String,
    pub shipping_rates: ShippingRates,
    pub delivery_times: DeliveryTimes,
    /// Markdown of the page `/contact`; `null` for the standard text, as in all policies.
    #[schema(required)]
    pub contact: Option<String>,
    /// Markdown of the page `/privacy`.
    #[schema(required)]
    pub privacy: Option<String>,
    /// Markdown of the page `/terms`.
    #[schema(required)]
    pub terms: Option<String>,
    /// Markdown of the page `/shipping-and-returns`.
    #[schema(required)]
    pub shipping_and_returns: Option<String>,
    /// Shown above every public page.
    #[schema(required)]
    pub announcement: Option<Announcement>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            shop_name: "Nudgelight".to_owned(),
            support_email: "support@nudgelight.example".to_owned(),
            seller_name: None,
            seller_address: None,
            return_shipping: ReturnShipping::default(),
            orders_email: None,
            low_stock_email: None,
            time_zone: "UTC".to_owned(),
            shipping_rates: ShippingRates::default(),
            delivery_times: DeliveryTimes::default(),
            contact: None,
            privacy: None,
            terms: None,
            shipping_and_returns: None,
            announcement: None,
        }
    }
}

impl Settings {
    /// In the OpenAPI document.
    fn example() -> Self {
        Self {
            seller_name: Some("Nudgelight Inc.".to_owned()),
            seller_address: Some("1 Lamp Street, Springfield, IL 62701, United States".to_owned()),
            orders_email: Some("orders@nudgelight.example".to_owned()),
            time_zone: "America/New_York".to_owned(),
            contact: Some("Email {support_email}.".to_owned()),
            ..Self::default()
        }
    }

    /// The settings with these values by name; the others have their defaults. Unknown names are those of another version
    /// of the program.
    ///
    /// # Errors
    /// If a value has the wrong type.
    pub fn from_values(values: Map<String, Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(Value::Object(values))
    }

    /// The names and values that differ from `before`.
    ///
    /// # Errors
    /// Never with valid amounts.
    pub fn changes_since(&self, before: &Self) -> Result<Vec<(String, Value)>, serde_json::Error> {
        let before = serde_json::to_value(before)?;
        let Value::Object(after) = serde_json::to_value(self)? else { return Ok(Vec::new()) };
        Ok(after.into_iter().filter(|(name, value)| before.get(name) != Some(value)).collect())
    }

    /// Days within which a light can be returned according to the standard text; `None` if the shop has its own text.
    pub fn return_days(&self) -> Option<u32> {
        self.shipping_and_returns.is_none().then_some(STANDARD_RETURN_DAYS)
    }

    /// Name and address of the seller, as far as they are given: `Nudgelight Inc., 1 Lamp Street, …`.
    pub fn seller(&self) -> Option<String> {
        let parts: Vec<&str> =
            [&self.seller_name, &self.seller_address].into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The recipient of the email about low stock.
    pub fn low_stock_recipient(&self) -> Option<&str> {
        self.low_stock_email.as_deref().or(self.orders_email.as_deref())
    }

    /// The time zone. The transaction of a change brings it into force ([`crate::time_zone::store`]).
    pub fn zone(&self) -> ShopZone {
        ShopZone::of_name(&self.time_zone).unwrap_or_default()
    }

    pub fn announcement_at(&self, now: i64) -> Option<ShownAnnouncement> {
        self.announcement.as_ref()?.shown_at(now, self.zone())
    }

    /// The settings in force: environment variables take precedence.
    #[must_use]
    pub fn with_environment(mut self, environment: &EnvSettings) -> Self {
        if let Some(name) = &environment.shop_name {
            self.shop_name.clone_from(name);
        }
        if let Some(email) = &environment.support_email {
            self.support_email.clone_from(email);
        }
        if environment.orders_email.is_some() {
            self.orders_email.clone_from(&environment.orders_email);
        }
        if let Some(zone) = &environment.time_zone {
            self.time_zone.clone_from(zone);
        }
        self
    }
}

/// # Errors
/// A message for a text that is too long.
pub fn check_policy(markdown: &str) -> Result<(), Message> {
    if markdown.chars().count() <= MAX_POLICY {
        return Ok(());
    }
    Err(format!("Enter at most {MAX_POLICY} characters."))
}

/// The settings in force with their version.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(examples(json!({
    "version": 3,
    "settings": Settings::example(),
    "locked": { "shop_name": "SHOP_NAME" },
})))]
pub struct SettingsVersion {
    /// Number of changes so far, for optimistic concurrency.
    pub version: i64,
    pub settings: Settings,
    /// Settings that can't be changed here, with the environment variable that sets each.
    pub locked: BTreeMap<&'static str, &'static str>,
}

/// The settings that environment variables set, with their variables.
pub fn locked(environment: &EnvSettings) -> BTreeMap<&'static str, &'static str> {
    let EnvSettings { shop_name, support_email, orders_email, time_zone } = environment;
    [
        ("shop_name", "SHOP_NAME", shop_name),
        ("support_email", "SHOP_SUPPORT_EMAIL", support_email),
        ("orders_email", "SHOP_ORDERS_EMAIL", orders_email),
        ("time_zone", "SHOP_TIME_ZONE", time_zone),
    ]
    .into_iter()
    .filter(|(_, _, value)| value.is_some())
    .map(|(name, variable, _)| (name, variable))
    .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn values(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(values) => values,
            _ => Map::new(),
        }
    }

    #[test]
    fn stored_values_stand_over_the_defaults_and_unknown_ones_are_left_alone() {
        let stored = json!({ "shop_name": "Lampshop", "time_travel": true });
        let settings = Settings::from_values(values(stored)).unwrap();
        assert_eq!(settings, Settings { shop_name: "Lampshop".to_owned(), ..Settings::default() });
        assert!(Settings::from_values(values(json!({ "shop_name": 7 }))).is_err());
    }

    #[test]
    fn a_change_is_what_differs_and_makes_the_same_settings_again() {
        let before = Settings::default();
        let mut after = Settings { orders_email: Some("orders@shop.example".to_owned()), ..before.clone() };
        after.shipping_rates.ca.first_pound = wasm_core::money::Cents::from_cents(1_205);
        let changes = after.changes_since(&before).unwrap();
        let names: Vec<&str> = changes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["orders_email", "shipping_rates"]);
        assert_eq!(Settings::from_values(changes.into_iter().collect()).unwrap(), after);
        assert_eq!(before.changes_since(&before).unwrap(), []);
    }

    #[test]
    fn an_environment_variable_wins_and_is_named() {
        let environment = EnvSettings { support_email: Some("help@shop.example".to_owned()), ..EnvSettings::default() };
        let settings = Settings::default().with_environment(&environment);
        assert_eq!(settings.support_email, "help@shop.example");
        assert_eq!(settings.shop_name, "Nudgelight");
        assert_eq!(locked(&environment), BTreeMap::from([("support_email", "SHOP_SUPPORT_EMAIL")]));
    }
}
