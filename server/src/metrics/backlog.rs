//! What waits for somebody or something, as the database has it.

use prometheus::{IntGauge, Registry};

use super::{added, store};
use crate::db::Db;
use crate::infra::clock::SECOND;

pub struct Waiting {
    database_up: IntGauge,
    outbox: IntGauge,
    outbox_oldest: IntGauge,
    outbox_failed: IntGauge,
    checkouts: IntGauge,
    attention: IntGauge,
    webhook_events: IntGauge,
    webhook_oldest: IntGauge,
    tax_records: IntGauge,
}

impl Waiting {
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str| added(registry, IntGauge::new(name, help)?);
        Ok(Self {
            database_up: gauge("shop_database_up", "1 while the database answers; else the figures below are old.")?,
            outbox: gauge("shop_outbox_pending", "Mails that have not left.")?,
            outbox_oldest: gauge("shop_outbox_oldest_seconds", "How long the oldest of them has been waiting.")?,
            outbox_failed: gauge("shop_outbox_failed", "Mails that nobody tries to send any more.")?,
            checkouts: gauge("shop_checkouts_open", "Checkouts that hold stock and are not paid.")?,
            attention: gauge("shop_attention_pending", "Payments and orders that somebody has to look at.")?,
            webhook_events: gauge("shop_webhook_events_pending", "Events of the provider that are not applied.")?,
            webhook_oldest: gauge("shop_webhook_oldest_seconds", "How long the oldest of them has been waiting.")?,
            tax_records: gauge("shop_tax_records_pending", "Sales and refunds whose tax is not reported yet.")?,
        })
    }

    pub async fn look_up(&self, db: &Db, now: i64) {
        let backlog = match store::load_backlog(db.read()).await {
            Ok(backlog) => backlog,
            Err(error) => {
                tracing::warn!(%error, "the metrics are told without the database");
                self.database_up.set(0);
                return;
            }
        };
        let age = |since: Option<i64>| since.map_or(0, |since| (now - since).max(0) / SECOND);
        self.database_up.set(1);
        self.outbox.set(backlog.outbox);
        self.outbox_oldest.set(age(backlog.outbox_since));
        self.outbox_failed.set(backlog.outbox_failed);
        self.checkouts.set(backlog.checkouts);
        self.attention.set(backlog.attention);
        self.webhook_events.set(backlog.webhook_events);
        self.webhook_oldest.set(age(backlog.webhook_since));
        self.tax_records.set(backlog.tax_records);
    }
}
