//! Fault injection for webhooks: events that are delayed, dropped, duplicated or reordered.

use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, Error};

use crate::{ids, store};

const SETTING: &str = "webhook_misbehaviour";

/// Faults of webhook deliveries; the default has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WebhookFaults {
    /// Delay of every event.
    delay_ms: u32,
    /// Maximum random extra delay of a delivery.
    reorder_ms: u32,
    /// Percentage of events that are never delivered.
    drop_percent: u8,
    /// Percentage of events that are delivered twice.
    double_percent: u8,
    /// Affected event types; empty for all.
    types: Vec<String>,
}

impl WebhookFaults {
    pub fn is_valid(&self) -> bool {
        self.drop_percent <= 100 && self.double_percent <= 100
    }

    /// Delivery times of an event of this type: none, one or two.
    pub fn times(&self, event_type: &str, now_ms: i64) -> Vec<i64> {
        if !self.types.is_empty() && !self.types.iter().any(|wanted| wanted == event_type) {
            return vec![now_ms];
        }
        if random_bool(self.drop_percent) {
            return Vec::new();
        }
        let count = if random_bool(self.double_percent) { 2 } else { 1 };
        let delayed = || now_ms + i64::from(self.delay_ms) + i64::from(ids::below(self.reorder_ms));
        (0..count).map(|_| delayed()).collect()
    }
}

fn random_bool(percent: u8) -> bool {
    ids::below(100) < u32::from(percent)
}

pub async fn find(connection: &mut AnyConnection) -> Result<WebhookFaults, Error> {
    match store::find_setting(connection, SETTING).await? {
        Some(text) => store::decode(&text),
        None => Ok(WebhookFaults::default()),
    }
}

pub async fn save(tx: &mut AnyConnection, faults: &WebhookFaults) -> Result<(), Error> {
    let text = store::encode(faults)?;
    store::set_setting(tx, SETTING, &text).await
}

pub async fn delete(tx: &mut AnyConnection) -> Result<(), Error> {
    store::delete_setting(tx, SETTING).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untroubled_event_is_posted_once_and_at_once() {
        assert_eq!(WebhookFaults::default().times("refund.created", 5), [5]);
    }

    #[test]
    fn events_are_dropped_doubled_and_delayed_as_told() {
        let dropped = WebhookFaults { drop_percent: 100, ..WebhookFaults::default() };
        assert!(dropped.times("refund.created", 5).is_empty());
        let doubled = WebhookFaults { double_percent: 100, delay_ms: 10, ..WebhookFaults::default() };
        assert_eq!(doubled.times("refund.created", 5), [15, 15]);
        let shuffled = WebhookFaults { reorder_ms: 50, ..WebhookFaults::default() };
        let times = shuffled.times("refund.created", 5);
        assert!(times.len() == 1 && (5..55).contains(&times[0]), "{times:?}");
    }

    #[test]
    fn other_types_are_left_alone() {
        let types = vec!["charge.refunded".to_owned()];
        let picky = WebhookFaults { drop_percent: 100, types, ..WebhookFaults::default() };
        assert!(picky.times("charge.refunded", 5).is_empty());
        assert_eq!(picky.times("refund.created", 5), [5]);
    }
}
