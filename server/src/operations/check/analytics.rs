//! Web analytics. No service is called: browsers do that.

use super::Status;
use crate::config::{Analytics, Config};

pub fn status(config: &Config) -> Status {
    Status::Works(match &config.analytics {
        Analytics::Builtin => "built in, no external service".to_owned(),
        Analytics::Plausible(plausible) => {
            format!("browsers report page views to {} for the site {}", plausible.origin(), plausible.site)
        }
        Analytics::Off => "page views are not counted".to_owned(),
    })
}
