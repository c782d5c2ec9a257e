//! Who counts page views. No service is asked: browsers do that, and a shop without it sells as well.

use super::Verdict;
use crate::config::{Analytics, Config};

pub fn verdict(config: &Config) -> Verdict {
    Verdict::Works(match &config.analytics {
        Analytics::Builtin => "page views are counted here, which needs no service".to_owned(),
        Analytics::Plausible(plausible) => {
            format!("browsers tell {} of page views, as those of {}", plausible.origin(), plausible.site)
        }
        Analytics::Off => "page views are not counted".to_owned(),
    })
}
