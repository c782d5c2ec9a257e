//! A change of settings: its rules, and its transaction.

use lettre::Address;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::delivery::{DayRange, DeliveryTimes, ReturnShipping, check_cutoff_hour};
use wasm_core::money::Cents;
use wasm_core::pricing::{Rate, ShippingRates};
use wasm_core::validation::{Email, FieldErrors, Message, is_hidden_character};
use wasm_core::wire::{clearable, non_null, non_null_whole_number};

use super::announcement::{self, AnnouncementPatch};
use super::daily_totals::DailyTotals;
use super::values::{Settings, SettingsVersion, check_policy, locked};
use super::{current, store, wire};
use crate::config::{EnvSettings, parse_shop_name};
use crate::error::Error;
use crate::time_zone;

/// Far above any real rate, so that a typo in the decimals is found.
const MAX_RATE: Cents = Cents::from_cents(99_999);
const MAX_SELLER_NAME: usize = 100;
const MAX_SELLER_ADDRESS: usize = 200;

/// A change of settings. Absent members stay unchanged; `null` is invalid everywhere but in `orders_email`, `low_stock_email`, the
/// policies, and the announcement with its members.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[schema(examples(json!({
    "version": 3,
    "shop_name": "Nudgelight",
    "shipping_rates": { "us": { "first_pound": 5.25, "additional_pound": 1.25 } },
})))]
pub struct SettingsPatch {
    /// One line, at most 60 characters.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub shop_name: Option<String>,
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub support_email: Option<String>,
    /// One line, at most 100 characters. `null` or the empty text clears it.
    #[serde(default, deserialize_with = "clearable")]
    #[schema(max_length = 100)]
    pub seller_name: Option<String>,
    /// One line, at most 200 characters. `null` or the empty text clears it.
    #[serde(default, deserialize_with = "clearable")]
    #[schema(max_length = 200)]
    pub seller_address: Option<String>,
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub return_shipping: Option<ReturnShipping>,
    /// `null` or the empty text clears it.
    #[serde(default, deserialize_with = "clearable")]
    pub orders_email: Option<String>,
    /// `null` or the empty text stands for `orders_email`.
    #[serde(default, deserialize_with = "clearable")]
    pub low_stock_email: Option<String>,
    /// Name of a zone in `TimeZones`, in any case.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub time_zone: Option<String>,
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub shipping_rates: Option<ShippingRatesPatch>,
    /// Complete.
    #[serde(default, deserialize_with = "wire::delivery_times")]
    #[schema(nullable = false)]
    pub delivery_times: Option<DeliveryTimes>,
    /// Markdown of at most 20,000 characters. `null` or the empty text restores the standard text, as in all policies.
    #[serde(default, deserialize_with = "clearable")]
    #[schema(max_length = 20000)]
    pub contact: Option<String>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(max_length = 20000)]
    pub privacy: Option<String>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(max_length = 20000)]
    pub terms: Option<String>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(max_length = 20000)]
    pub shipping_and_returns: Option<String>,
    /// `null` or an empty text removes it.
    #[serde(default, deserialize_with = "announcement::removable")]
    pub announcement: Option<AnnouncementPatch>,
    /// Version of the settings that were edited (optimistic concurrency): if it is sent and one of the changed settings
    /// is newer, the edit is a conflict.
    #[serde(default, deserialize_with = "non_null_whole_number")]
    #[schema(nullable = false)]
    pub version: Option<i64>,
}

/// The rates of one or both countries.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct ShippingRatesPatch {
    #[serde(default, deserialize_with = "wire::rate")]
    #[schema(nullable = false)]
    pub us: Option<Rate>,
    #[serde(default, deserialize_with = "wire::rate")]
    #[schema(nullable = false)]
    pub ca: Option<Rate>,
}

impl SettingsPatch {
    /// The settings after this change, without what environment variables set.
    ///
    /// # Errors
    /// A message for each invalid field, and for each that an environment variable sets to another value.
    pub fn applied_to(&self, before: &Settings, environment: &EnvSettings) -> Result<Settings, FieldErrors> {
        let mut fields = self.conflicts_with(environment);
        let mut after = before.clone();
        if let (Some(name), None) = (&self.shop_name, &environment.shop_name) {
            set(&mut after.shop_name, &mut fields, "shop_name", parse_shop_name(name).map_err(str::to_owned));
        }
        if let (Some(email), None) = (&self.support_email, &environment.support_email) {
            set(&mut after.support_email, &mut fields, "support_email", parse_sender(email));
        }
        if let (Some(email), None) = (&self.orders_email, &environment.orders_email) {
            set(&mut after.orders_email, &mut fields, "orders_email", parse_optional_email(email));
        }
        for (name, typed, most, value) in [
            ("seller_name", &self.seller_name, MAX_SELLER_NAME, &mut after.seller_name),
            ("seller_address", &self.seller_address, MAX_SELLER_ADDRESS, &mut after.seller_address),
        ] {
            if let Some(typed) = typed {
                set(value, &mut fields, name, parse_line(typed, most));
            }
        }
        after.return_shipping = self.return_shipping.unwrap_or(before.return_shipping);
        if let Some(email) = &self.low_stock_email {
            set(&mut after.low_stock_email, &mut fields, "low_stock_email", parse_optional_email(email));
        }
        if let (Some(name), None) = (&self.time_zone, &environment.time_zone) {
            set(&mut after.time_zone, &mut fields, "time_zone", time_zone::parse_name(name).map_err(str::to_owned));
        }
        if let Some(rates) = &self.shipping_rates {
            after.shipping_rates = rates.applied_to(before.shipping_rates, &mut fields);
        }
        if let Some(times) = self.delivery_times {
            check_delivery_times(&times, &mut fields);
            after.delivery_times = times;
        }
        if let Some(announcement) = &self.announcement {
            after.announcement = announcement.parse(&mut fields);
        }
        self.apply_policies(&mut after, &mut fields);
        if fields.is_empty() { Ok(after) } else { Err(fields) }
    }

    fn apply_policies(&self, after: &mut Settings, fields: &mut FieldErrors) {
        for (name, markdown, policy) in [
            ("contact", &self.contact, &mut after.contact),
            ("privacy", &self.privacy, &mut after.privacy),
            ("terms", &self.terms, &mut after.terms),
            ("shipping_and_returns", &self.shipping_and_returns, &mut after.shipping_and_returns),
        ] {
            if let Some(markdown) = markdown {
                set(policy, fields, name, parse_policy(markdown));
            }
        }
    }

    /// A form may send a locked value back as it is.
    fn conflicts_with(&self, environment: &EnvSettings) -> FieldErrors {
        let mut fields = FieldErrors::default();
        let members = [
            ("shop_name", &self.shop_name, &environment.shop_name),
            ("support_email", &self.support_email, &environment.support_email),
            ("orders_email", &self.orders_email, &environment.orders_email),
            ("time_zone", &self.time_zone, &environment.time_zone),
        ];
        let locked = locked(environment);
        for (name, wanted, set) in members {
            if let (Some(wanted), Some(set), Some(variable)) = (wanted, set, locked.get(name))
                && wanted.trim() != set
            {
                fields.insert(
                    name,
                    format!("The environment variable {variable} sets this, so it can’t be changed here."),
                );
            }
        }
        fields
    }
}

fn set<T>(value: &mut T, fields: &mut FieldErrors, name: &str, parsed: Result<T, Message>) {
    match parsed {
        Ok(parsed) => *value = parsed,
        Err(message) => fields.insert(name, message),
    }
}

/// The support address is the sender of every email, so it must be one that a mail server can parse.
fn parse_sender(email: &str) -> Result<String, Message> {
    let email = Email::parse(email)?.as_str().to_owned();
    match email.parse::<Address>() {
        Ok(_) => Ok(email),
        Err(_) => Err("Email can’t be sent from this address. Enter another one.".to_owned()),
    }
}

/// Forms send line breaks as `\r\n`.
fn parse_policy(markdown: &str) -> Result<Option<String>, Message> {
    let markdown = markdown.replace("\r\n", "\n");
    check_policy(&markdown)?;
    Ok(Some(markdown).filter(|text| !text.trim().is_empty()))
}

/// One line, or none.
fn parse_line(text: &str, most: usize) -> Result<Option<String>, Message> {
    let text = text.trim();
    if text.contains(is_hidden_character) || text.chars().count() > most {
        return Err(format!("Enter at most {most} characters on one line."));
    }
    Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

fn parse_optional_email(email: &str) -> Result<Option<String>, Message> {
    match email.trim() {
        "" => Ok(None),
        email => Ok(Some(Email::parse(email)?.as_str().to_owned())),
    }
}

impl ShippingRatesPatch {
    fn applied_to(&self, before: ShippingRates, fields: &mut FieldErrors) -> ShippingRates {
        for (country, rate) in [("us", self.us), ("ca", self.ca)] {
            let Some(Rate { first_pound, additional_pound }) = rate else { continue };
            for (pound, amount) in [("first_pound", first_pound), ("additional_pound", additional_pound)] {
                if !(Cents::ZERO..=MAX_RATE).contains(&amount) {
                    let message = format!("Enter an amount from $0.00 to {MAX_RATE}.");
                    fields.insert(format!("shipping_rates.{country}.{pound}"), message);
                }
            }
        }
        ShippingRates { us: self.us.unwrap_or(before.us), ca: self.ca.unwrap_or(before.ca) }
    }
}

fn check_delivery_times(times: &DeliveryTimes, fields: &mut FieldErrors) {
    let ranges = [("handling", times.handling), ("transit.US", times.transit.us), ("transit.CA", times.transit.ca)];
    for (name, DayRange { min, max }) in ranges {
        if let Err(message) = DayRange::parse(&format!("{min}-{max}")) {
            fields.insert(format!("delivery_times.{name}"), message);
        }
    }
    if let Err(message) = check_cutoff_hour(times.cutoff_hour) {
        fields.insert("delivery_times.cutoff_hour", message);
    }
}

/// The arguments of the transaction.
pub struct Update {
    pub patch: SettingsPatch,
    pub environment: EnvSettings,
    pub actor: String,
    pub now: i64,
}

/// A change with the time zone, which it brings into force.
pub struct ZoneUpdate {
    pub update: Update,
    /// The environment variables of the shop: one of them may set the zone.
    pub environment: EnvSettings,
    pub totals: &'static dyn DailyTotals,
}

impl ZoneUpdate {
    /// Stores what changes, and recounts the daily totals if the zone in force becomes another one.
    pub async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        self.update.apply(tx).await?;
        let zone = current::load(tx, &self.environment).await?.zone();
        self.totals.bring_into_force(tx, zone).await
    }
}

impl Update {
    /// Stores what changes, as one version. Takes a time zone only as part of a [`ZoneUpdate`].
    pub async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let next = store::lock(tx).await?;
        let before = store::load(tx).await?;
        let after = self.patch.applied_to(&before.settings, &self.environment).map_err(Error::invalid)?;
        let changes = after.changes_since(&before.settings).map_err(Error::internal)?;
        if let Some(version) = self.patch.version {
            let newer = store::list_changed_since(tx, version).await?;
            if changes.iter().any(|(name, _)| newer.contains(name)) {
                return Err(self.conflict(before));
            }
        }
        for (name, value) in &changes {
            store::insert_change(tx, next, (name, value), &self.actor, self.now).await?;
        }
        Ok(())
    }

    fn conflict(&self, store::Stored { version, settings }: store::Stored) -> Error {
        let settings = settings.with_environment(&self.environment);
        let current = SettingsVersion { version, settings, locked: locked(&self.environment) };
        Error::edit_conflict(&current, "These settings were changed by someone else.")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn applied(patch: Value) -> Result<Settings, Vec<String>> {
        let patch: SettingsPatch = serde_json::from_value(patch).unwrap();
        let fields = |errors: FieldErrors| errors.iter().map(|(field, _)| field.to_owned()).collect();
        patch.applied_to(&Settings::default(), &EnvSettings::default()).map_err(fields)
    }

    #[test]
    fn every_invalid_value_is_named_by_its_field() {
        for (patch, field) in [
            (json!({ "shop_name": " " }), "shop_name"),
            (json!({ "shop_name": "Lamps\r\nBcc: eve@example.com" }), "shop_name"),
            (json!({ "shop_name": "x".repeat(61) }), "shop_name"),
            (json!({ "support_email": "" }), "support_email"),
            (json!({ "support_email": "support" }), "support_email"),
            (json!({ "orders_email": "a@b" }), "orders_email"),
            (json!({ "time_zone": "" }), "time_zone"),
            (json!({ "time_zone": "Mars/Olympus_Mons" }), "time_zone"),
            (json!({ "time_zone": "EST5EDT,M3.2.0,M11.1.0" }), "time_zone"),
            (json!({ "terms": "x".repeat(20_001) }), "terms"),
            (
                json!({ "shipping_rates": { "ca": { "first_pound": 1_000, "additional_pound": 1 } } }),
                "shipping_rates.ca.first_pound",
            ),
            (
                json!({ "delivery_times": { "handling": { "min": 2, "max": 1 }, "transit": { "US": { "min": 1, "max": 1 }, "CA": { "min": 1, "max": 1 } } } }),
                "delivery_times.handling",
            ),
            (
                json!({ "delivery_times": { "handling": { "min": 1, "max": 1 }, "transit": { "US": { "min": 1, "max": 1 }, "CA": { "min": 1, "max": 91 } } } }),
                "delivery_times.transit.CA",
            ),
        ] {
            assert_eq!(applied(patch.clone()), Err(vec![field.to_owned()]), "{patch}");
        }
    }

    #[test]
    fn one_countrys_rate_leaves_the_others() {
        let after =
            applied(json!({ "shipping_rates": { "us": { "first_pound": 5.25, "additional_pound": 0 } } })).unwrap();
        assert_eq!(after.shipping_rates.us.first_pound, Cents::from_cents(525));
        assert_eq!(after.shipping_rates.ca, ShippingRates::default().ca);
    }

    #[test]
    fn texts_are_trimmed_and_an_empty_notification_address_is_none() {
        let after = applied(json!({ "shop_name": "  Lamps & <b>More</b> ", "orders_email": null })).unwrap();
        assert_eq!((after.shop_name.as_str(), after.orders_email), ("Lamps & <b>More</b>", None));
    }

    #[test]
    fn a_locked_setting_may_come_back_as_it_is_and_is_not_stored() {
        let environment = EnvSettings { shop_name: Some("Lampshop".to_owned()), ..EnvSettings::default() };
        let patch = |name: &str| SettingsPatch { shop_name: Some(name.to_owned()), ..SettingsPatch::default() };
        assert_eq!(patch("Lampshop").applied_to(&Settings::default(), &environment), Ok(Settings::default()));
        let errors = patch("Another").applied_to(&Settings::default(), &environment).unwrap_err();
        assert!(errors.get("shop_name").unwrap().contains("SHOP_NAME"));
    }
}
