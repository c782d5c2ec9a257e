//! Backlog gauges: pending work in the database.

use prometheus::core::Collector;
use prometheus::{IntGauge, Registry};

use super::store;
use crate::db::Db;
use crate::infra::clock::SECOND;

pub struct Backlog {
    database_up: IntGauge,
    outbox: IntGauge,
    outbox_oldest: IntGauge,
    outbox_failed: IntGauge,
    checkouts: IntGauge,
    alerts: IntGauge,
    webhook_events: IntGauge,
    webhook_oldest: IntGauge,
    tax_records: IntGauge,
    payments: IntGauge,
    size: IntGauge,
    reconciled: IntGauge,
    payouts: IntGauge,
    backed_up: IntGauge,
    drilled: IntGauge,
    retained: IntGauge,
}

impl Backlog {
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str| added(registry, IntGauge::new(name, help)?);
        Ok(Self {
            database_up: gauge(
                "shop_database_up",
                "1 if the database responds; otherwise the gauges below are stale.",
            )?,
            outbox: gauge("shop_outbox_pending", "Emails that have not been sent.")?,
            outbox_oldest: gauge("shop_outbox_oldest_seconds", "Age of the oldest one.")?,
            outbox_failed: gauge("shop_outbox_failed", "Emails that failed permanently.")?,
            checkouts: gauge("shop_checkouts_open", "Checkouts with reserved stock that are not paid.")?,
            alerts: gauge("shop_open_alerts", "Alerts about orders and payments that are not resolved.")?,
            webhook_events: gauge("shop_webhook_events_pending", "Webhook events that are not applied.")?,
            webhook_oldest: gauge("shop_webhook_oldest_seconds", "Age of the oldest one.")?,
            tax_records: gauge(
                "shop_tax_records_pending",
                "Sales and refunds whose tax is not recorded at the provider.",
            )?,
            payments: gauge(
                "shop_payments_without_order",
                "Payments without an order, each with an alert that is not resolved.",
            )?,
            size: gauge("shop_database_size_bytes", "Size of the database.")?,
            reconciled: gauge(
                "shop_reconciled_timestamp_seconds",
                "Start of the last complete comparison with the payment provider. 0 if there was none.",
            )?,
            payouts: gauge(
                "shop_payouts_synced_timestamp_seconds",
                "Start of the last complete synchronization of payouts. 0 if there was none.",
            )?,
            backed_up: gauge(
                "shop_backup_timestamp_seconds",
                "Start of the last backup by nudgelight backup. 0 if there was none.",
            )?,
            drilled: gauge(
                "shop_drill_timestamp_seconds",
                "Start of the last successful restore drill by nudgelight drill. 0 if there was none.",
            )?,
            retained: gauge(
                "shop_retention_timestamp_seconds",
                "Start of the last complete run of data retention. 0 if there was none.",
            )?,
        })
    }

    pub async fn refresh(&self, db: &Db, now: i64) {
        let counts = match store::load(db).await {
            Ok(counts) => counts,
            Err(error) => {
                tracing::warn!(%error, "the database is unavailable, metrics are incomplete");
                self.database_up.set(0);
                return;
            }
        };
        let age = |since: Option<i64>| since.map_or(0, |since| (now - since).max(0) / SECOND);
        self.database_up.set(1);
        self.outbox.set(counts.outbox);
        self.outbox_oldest.set(age(counts.outbox_since));
        self.outbox_failed.set(counts.outbox_failed);
        self.checkouts.set(counts.checkouts);
        self.alerts.set(counts.alerts);
        self.webhook_events.set(counts.webhook_events);
        self.webhook_oldest.set(age(counts.webhook_since));
        self.tax_records.set(counts.tax_records);
        self.payments.set(counts.payments);
        self.size.set(counts.size);
        let second = |at: Option<i64>| at.map_or(0, |at| at / SECOND);
        self.reconciled.set(second(counts.reconciled));
        self.payouts.set(second(counts.payouts));
        self.backed_up.set(second(counts.backed_up));
        self.drilled.set(second(counts.drilled));
        self.retained.set(second(counts.retained));
    }
}

pub fn added<C: Collector + Clone + 'static>(registry: &Registry, figure: C) -> prometheus::Result<C> {
    registry.register(Box::new(figure.clone()))?;
    Ok(figure)
}
