//! Who sells: customers of a live shop must be able to find out, on its pages and in its emails.

use super::Status;
use crate::config::Config;
use crate::settings::values::Settings;

pub fn status(config: &Config, settings: &Settings) -> Status {
    match (&settings.seller_name, &settings.seller_address) {
        (Some(_), Some(_)) => Status::Works(settings.seller().unwrap_or_default()),
        _ if config.test_mode() => Status::Works("not needed in test mode".to_owned()),
        _ => Status::Fails(
            "pages and emails don't say who sells; enter the seller's name and postal address under Settings"
                .to_owned(),
        ),
    }
}
