//! `shop.toml`: time zone, shipping rates and delivery times to import.

use std::path::Path;

use serde::{Deserialize, Deserializer, de};
use wasm_core::delivery::{DayRange, DeliveryTimes, TransitTimes, check_cutoff_hour};
use wasm_core::pricing::ShippingRates;

use crate::time_zone;

/// Contents of `shop.toml`. A missing entry has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShopToml {
    /// Unchanged if missing.
    #[serde(deserialize_with = "time_zone_name")]
    pub time_zone: Option<String>,
    pub shipping: ShippingRates,
    #[serde(deserialize_with = "delivery_times")]
    pub delivery: DeliveryTimes,
}

impl ShopToml {
    /// Reads a file. `None` if there is none.
    ///
    /// # Errors
    /// A message that names the file and the invalid entry.
    pub fn read(path: &Path) -> Result<Option<Self>, String> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("shop.toml: {error}")),
        }
    }

    /// # Errors
    /// A message that names the file and the invalid entry.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| format!("shop.toml: {error}"))
    }
}

/// The table `[delivery]`: business days as text, like `"3-5"`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct DeliveryToml {
    #[serde(deserialize_with = "day_range")]
    ships_in: Option<DayRange>,
    #[serde(deserialize_with = "day_range")]
    us: Option<DayRange>,
    #[serde(deserialize_with = "day_range")]
    ca: Option<DayRange>,
    #[serde(deserialize_with = "cutoff_hour")]
    cutoff_hour: Option<u8>,
}

fn time_zone_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    time_zone::parse_name(&text).map(Some).map_err(de::Error::custom)
}

fn delivery_times<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DeliveryTimes, D::Error> {
    let DeliveryToml { ships_in, us, ca, cutoff_hour } = DeliveryToml::deserialize(deserializer)?;
    let DeliveryTimes { handling, transit, cutoff_hour: default_cutoff } = DeliveryTimes::default();
    Ok(DeliveryTimes {
        handling: ships_in.unwrap_or(handling),
        transit: TransitTimes { us: us.unwrap_or(transit.us), ca: ca.unwrap_or(transit.ca) },
        cutoff_hour: cutoff_hour.unwrap_or(default_cutoff),
    })
}

fn cutoff_hour<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let hour = u8::deserialize(deserializer)?;
    check_cutoff_hour(hour).map(|()| Some(hour)).map_err(de::Error::custom)
}

fn day_range<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DayRange>, D::Error> {
    let text = String::deserialize(deserializer)?;
    DayRange::parse(&text).map(Some).map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = include_str!("../../../shop.toml");

    #[test]
    fn the_file_in_the_repository_holds_the_defaults() {
        assert_eq!(ShopToml::parse(FILE).unwrap(), ShopToml::default());
        assert_eq!(ShopToml::parse("").unwrap(), ShopToml::default());
    }

    #[test]
    fn a_wrong_amount_is_named() {
        let text = FILE.replace("\"4.95\"", "\"4.955\"");
        assert!(ShopToml::parse(&text).unwrap_err().contains("first_pound = \"4.955\""));
    }

    #[test]
    fn the_time_zone_is_optional_and_a_wrong_one_is_named() {
        let zone = |text: &str| ShopToml::parse(text).map(|file| file.time_zone);
        assert_eq!(zone("time_zone = \"america/new_york\"\n"), Ok(Some("America/New_York".to_owned())));
        let error = zone("time_zone = \"Mars\"\n").unwrap_err();
        assert!(error.starts_with("shop.toml: ") && error.contains("time_zone = \"Mars\""), "{error}");
    }

    #[test]
    fn delivery_times_are_taken_one_by_one_and_a_wrong_one_is_named() {
        let file = ShopToml::parse("[delivery]\nus = \"2-4\"\n").unwrap();
        assert_eq!(file.delivery.transit.us, DayRange { min: 2, max: 4 });
        assert_eq!(file.delivery.transit.ca, DeliveryTimes::default().transit.ca);
        for wrong in ["us = \"4-2\"", "ships_in = \"soon\"", "ca = 5", "mx = \"5-10\""] {
            let error = ShopToml::parse(&format!("[delivery]\n{wrong}\n")).unwrap_err();
            assert!(error.starts_with("shop.toml: ") && error.contains(wrong), "{error}");
        }
    }
}
