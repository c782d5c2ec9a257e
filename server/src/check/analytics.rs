//! Who counts page views.

use super::Verdict;
use crate::config::{Analytics, Config};

pub fn verdict(config: &Config) -> Verdict {
    match config.analytics {
        Analytics::Builtin => Verdict::Works("page views are counted here, which needs no service".to_owned()),
        Analytics::Off => Verdict::Works("page views are not counted".to_owned()),
    }
}
