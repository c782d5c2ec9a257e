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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_shop_without_a_seller_is_a_problem_and_one_in_test_mode_is_none() {
        let live = [
            ("STRIPE_SECRET_KEY", "sk_live_1"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_live_1"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
        ];
        let config = |vars: &[(&str, &str)]| {
            Config::from_vars(vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))).unwrap()
        };
        let seller = |name: Option<&str>, address: Option<&str>| Settings {
            seller_name: name.map(str::to_owned),
            seller_address: address.map(str::to_owned),
            ..Settings::default()
        };
        let (name, address) = (Some("Lampshop Ltd."), Some("1 Lamp Street"));
        for (name, address) in [(None, None), (name, None), (None, address)] {
            assert!(matches!(status(&config(&live), &seller(name, address)), Status::Fails(_)));
            assert!(matches!(status(&config(&[]), &seller(name, address)), Status::Works(_)));
        }
        assert!(matches!(
            status(&config(&live), &seller(name, address)),
            Status::Works(said) if said == "Lampshop Ltd., 1 Lamp Street"
        ));
    }
}
