//! Members of a change as JSON. The types of `wasm-core` are also those of `shop.toml`, where unknown entries are errors
//! and amounts may be quoted; a request skips unknown members, has amounts as numbers and may have whole numbers like `3.0`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use wasm_core::delivery::{DayRange, DeliveryTimes, TransitTimes};
use wasm_core::money::Cents;
use wasm_core::pricing::Rate;
use wasm_core::wire::whole_number;

pub fn rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rate>, D::Error> {
    RateMember::deserialize(deserializer).map(Some)
}

pub fn delivery_times<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DeliveryTimes>, D::Error> {
    DeliveryTimesMember::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
#[serde(remote = "Rate")]
struct RateMember {
    first_pound: Cents,
    additional_pound: Cents,
}

#[derive(Deserialize)]
#[serde(remote = "DeliveryTimes")]
struct DeliveryTimesMember {
    #[serde(deserialize_with = "DayRangeMember::deserialize")]
    handling: DayRange,
    #[serde(deserialize_with = "TransitTimesMember::deserialize")]
    transit: TransitTimes,
    #[serde(default = "default_cutoff_hour", deserialize_with = "hour")]
    cutoff_hour: u8,
}

fn default_cutoff_hour() -> u8 {
    DeliveryTimes::default().cutoff_hour
}

#[derive(Deserialize)]
#[serde(remote = "TransitTimes")]
struct TransitTimesMember {
    #[serde(rename = "US", deserialize_with = "DayRangeMember::deserialize")]
    us: DayRange,
    #[serde(rename = "CA", deserialize_with = "DayRangeMember::deserialize")]
    ca: DayRange,
}

#[derive(Deserialize)]
#[serde(remote = "DayRange")]
struct DayRangeMember {
    #[serde(deserialize_with = "days")]
    min: u8,
    #[serde(deserialize_with = "days")]
    max: u8,
}

fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let days = whole_number(deserializer)?;
    u8::try_from(days).map_err(|_| D::Error::custom("Enter a number of days."))
}

fn hour<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let hour = whole_number(deserializer)?;
    u8::try_from(hour).map_err(|_| D::Error::custom("Enter an hour from 0 to 24."))
}
