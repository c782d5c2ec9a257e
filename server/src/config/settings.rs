//! Settings that environment variables fix: they take precedence over the settings in the database.

use wasm_core::validation::is_hidden_character;

use super::vars::Vars;
use crate::time_zone;

const MAX_NAME: usize = 60;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvSettings {
    pub shop_name: Option<String>,
    pub support_email: Option<String>,
    pub orders_email: Option<String>,
    pub time_zone: Option<String>,
}

/// The shop's name is part of email subjects and senders, so it must be a single line.
///
/// # Errors
/// A message for a field.
pub fn parse_shop_name(name: &str) -> Result<String, &'static str> {
    let name = name.trim();
    let length = name.chars().count();
    if name.contains(is_hidden_character) || !(1..=MAX_NAME).contains(&length) {
        return Err("Enter a name of 1 to 60 characters on one line.");
    }
    Ok(name.to_owned())
}

impl Vars {
    pub(super) fn settings(&self) -> Result<EnvSettings, String> {
        let time_zone = self.get("SHOP_TIME_ZONE").map(time_zone::parse_name).transpose();
        let shop_name = self.get("SHOP_NAME").map(parse_shop_name).transpose();
        Ok(EnvSettings {
            shop_name: shop_name.map_err(|_| "SHOP_NAME must be one line of 1 to 60 characters")?,
            support_email: self.email("SHOP_SUPPORT_EMAIL")?,
            orders_email: self.email("SHOP_ORDERS_EMAIL")?,
            time_zone: time_zone
                .map_err(|_| "SHOP_TIME_ZONE must be the name of a time zone, like America/New_York")?,
        })
    }
}
