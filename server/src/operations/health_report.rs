//! The health of the shop for administrators: waiting work, the last runs, and what needs attention.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::metrics::free_bytes;
use super::metrics::store::{self, Counts};
use crate::accounts::Admin;
use crate::db::schema_version;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::infra::clock::{DAY, HOUR, MAX_CLOCK_SKEW, MINUTE};
use crate::mail::outbox;
use crate::operations::Operations;
use crate::time_zone::{self, ShopZone};

// `deploy/monitoring/alerts.yaml` has the same limits.
const LONGEST_EMAIL_WAIT: i64 = 5 * MINUTE;
const LONGEST_EVENT_WAIT: i64 = MINUTE;
const OLDEST_COMPARISON: i64 = 30 * MINUTE;
const OLDEST_BACKUP: i64 = DAY + 2 * HOUR;
const OLDEST_DRILL: i64 = 8 * DAY;
/// A failed email stays in the list of its customer; here it is a problem for a week.
const FAILED_EMAILS: i64 = 7 * DAY;
const LEAST_DISK: i64 = 1_000_000_000;

/// What needs attention, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthProblem {
    /// A customer paid and has no order.
    PaymentWithoutOrder,
    /// The payment provider does not respond: checkouts are refused.
    ProviderDown,
    /// The clocks of this process and of the database differ by more than 30 seconds.
    ClocksDiffer,
    /// Less than 1 GB is free on the disk of the data folder.
    DiskAlmostFull,
    /// A webhook event waits for more than a minute.
    EventsWait,
    /// Payments were not compared with the payment provider for half an hour.
    NotReconciled,
    /// An email waits for more than five minutes.
    EmailsWait,
    /// An email failed permanently in the last seven days.
    EmailsFailed,
    /// An alert about an order or a payment is not resolved.
    OpenAlerts,
    /// The last backup by `nudgelight backup` is older than 26 hours.
    BackupOld,
    /// The last successful restore drill by `nudgelight drill` is older than eight days.
    DrillOld,
}

/// Work that waits.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "waiting": 2, "oldest": "2026-12-24T13:00:00-05:00" })))]
pub struct WaitingWork {
    waiting: i64,
    /// Since when the oldest waits, in the shop's time zone. Missing if none waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime, nullable = false)]
    oldest: Option<String>,
}

/// Times are in the shop's time zone, with its offset.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "problems": ["emails_wait"],
    "version": "0.1.0",
    "schema_version": 1,
    "database_bytes": 10_485_760,
    "disk_free_bytes": 51_539_607_552_i64,
    "clock_ahead_ms": 3,
    "provider_responds": true,
    "emails": { "waiting": 2, "oldest": "2026-12-24T13:00:00-05:00" },
    "failed_emails": 0,
    "email_failure": "the mail server did not respond",
    "webhook_events": { "waiting": 0 },
    "pending_tax_records": 0,
    "open_checkouts": 3,
    "open_alerts": 0,
    "payments_without_order": 0,
    "reconciled_at": "2026-12-24T13:04:00-05:00",
    "payouts_synced_at": "2026-12-24T13:00:00-05:00",
    "backed_up_at": "2026-12-24T03:00:00-05:00",
    "drilled_at": "2026-12-20T04:00:00-05:00",
})))]
pub struct HealthReport {
    /// Empty if everything works.
    problems: Vec<HealthProblem>,
    /// Version of the process that responds.
    version: &'static str,
    /// Version of its database schema.
    schema_version: i64,
    /// Size of the database.
    database_bytes: i64,
    /// Free space of the disk of the data folder. Missing if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    disk_free_bytes: Option<i64>,
    /// How far the clock of the process that responds is ahead of the database server's, in milliseconds; negative if it is
    /// behind. Missing with SQLite.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    clock_ahead_ms: Option<i64>,
    /// False while requests to the payment provider fail at once, because it did not respond.
    provider_responds: bool,
    /// Emails that have not been sent.
    emails: WaitingWork,
    /// Emails that failed permanently in the last seven days.
    failed_emails: i64,
    /// Why the oldest waiting email was not sent yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    email_failure: Option<String>,
    /// Webhook events that are not applied.
    webhook_events: WaitingWork,
    /// Sales and refunds whose tax is not recorded at the payment provider.
    pending_tax_records: i64,
    /// Checkouts with reserved stock that are not paid.
    open_checkouts: i64,
    /// Alerts about orders and payments that are not resolved.
    open_alerts: i64,
    /// Those of them that are about a payment without an order.
    payments_without_order: i64,
    /// Start of the last complete comparison with the payment provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime, nullable = false)]
    reconciled_at: Option<String>,
    /// Start of the last complete synchronization of payouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime, nullable = false)]
    payouts_synced_at: Option<String>,
    /// Start of the last backup by `nudgelight backup`. Copies by other programs are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime, nullable = false)]
    backed_up_at: Option<String>,
    /// Start of the last successful restore drill by `nudgelight drill`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime, nullable = false)]
    drilled_at: Option<String>,
}

error_responses!(HealthErrors: [ADMIN]);

/// Get the health of the shop
///
/// Returns waiting work, the last runs of background jobs, and what needs attention. Customers get a 403.
#[utoipa::path(
    get,
    path = "/api/admin/health",
    tag = "Administration",
    security(("accessToken" = [])),
    responses((status = 200, description = "The health of the shop.", body = HealthReport), HealthErrors),
)]
pub async fn get_health(State(state): State<Arc<Operations>>, Admin(_): Admin) -> Result<Json<HealthReport>, Error> {
    let clock_ahead_ms = state.db.server_now_ms().await?.map(|database| state.clock.now_ms() - database);
    let now = state.clock.now_ms();
    let backlog = outbox::load_backlog(&mut *state.db.read().acquire().await?, now - FAILED_EMAILS).await?;
    let counts = Counts { outbox_failed: backlog.failed, ..store::load(&state.db).await? };
    let disk_free_bytes = free_bytes(&state.config.data_dir);
    let provider_responds = !state.checkout.provider.metrics.is_circuit_open();
    let zone = time_zone::store::load(state.db.read()).await?;
    let local = |at: Option<i64>| at.map(|at| zone.local(at));
    Ok(Json(HealthReport {
        problems: problems(&counts, provider_responds, clock_ahead_ms, disk_free_bytes, now),
        version: env!("CARGO_PKG_VERSION"),
        schema_version: schema_version(),
        database_bytes: counts.size,
        disk_free_bytes,
        clock_ahead_ms,
        provider_responds,
        emails: waiting(counts.outbox, counts.outbox_since, zone),
        failed_emails: counts.outbox_failed,
        email_failure: backlog.failure,
        webhook_events: waiting(counts.webhook_events, counts.webhook_since, zone),
        pending_tax_records: counts.tax_records,
        open_checkouts: counts.checkouts,
        open_alerts: counts.alerts,
        payments_without_order: counts.payments,
        reconciled_at: local(counts.reconciled),
        payouts_synced_at: local(counts.payouts),
        backed_up_at: local(counts.backed_up),
        drilled_at: local(counts.drilled),
    }))
}

fn waiting(waiting: i64, since: Option<i64>, zone: ShopZone) -> WaitingWork {
    WaitingWork { waiting, oldest: since.map(|since| zone.local(since)) }
}

fn problems(
    counts: &Counts,
    provider_responds: bool,
    clock_ahead_ms: Option<i64>,
    disk_free_bytes: Option<i64>,
    now: i64,
) -> Vec<HealthProblem> {
    let is_older = |at: Option<i64>, limit: i64| at.is_some_and(|at| now - at > limit);
    let found = [
        (counts.payments > 0, HealthProblem::PaymentWithoutOrder),
        (!provider_responds, HealthProblem::ProviderDown),
        (clock_ahead_ms.is_some_and(|ahead| ahead.abs() > MAX_CLOCK_SKEW), HealthProblem::ClocksDiffer),
        (disk_free_bytes.is_some_and(|free| free < LEAST_DISK), HealthProblem::DiskAlmostFull),
        (is_older(counts.webhook_since, LONGEST_EVENT_WAIT), HealthProblem::EventsWait),
        (is_older(counts.reconciled, OLDEST_COMPARISON), HealthProblem::NotReconciled),
        (is_older(counts.outbox_since, LONGEST_EMAIL_WAIT), HealthProblem::EmailsWait),
        (counts.outbox_failed > 0, HealthProblem::EmailsFailed),
        (counts.alerts > counts.payments, HealthProblem::OpenAlerts),
        (is_older(counts.backed_up, OLDEST_BACKUP), HealthProblem::BackupOld),
        (is_older(counts.drilled, OLDEST_DRILL), HealthProblem::DrillOld),
    ];
    found.into_iter().filter_map(|(is_found, problem)| is_found.then_some(problem)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 100 * DAY;

    fn quiet() -> Counts {
        Counts {
            outbox: 0,
            outbox_since: None,
            outbox_failed: 0,
            checkouts: 0,
            alerts: 0,
            webhook_events: 0,
            webhook_since: None,
            tax_records: 0,
            payments: 0,
            size: 0,
            reconciled: None,
            payouts: None,
            backed_up: None,
            drilled: None,
            retained: None,
        }
    }

    #[test]
    fn a_new_shop_has_no_problems() {
        assert_eq!(problems(&quiet(), true, None, None, NOW), []);
        let recent = Counts {
            reconciled: Some(NOW),
            backed_up: Some(NOW - DAY),
            drilled: Some(NOW - 8 * DAY),
            outbox_since: Some(NOW),
            ..quiet()
        };
        assert_eq!(problems(&recent, true, Some(-30_000), Some(LEAST_DISK), NOW), []);
    }

    #[test]
    fn everything_that_is_wrong_is_a_problem() {
        let broken = Counts {
            outbox_since: Some(NOW - 6 * MINUTE),
            outbox_failed: 1,
            alerts: 2,
            webhook_since: Some(NOW - 2 * MINUTE),
            payments: 1,
            reconciled: Some(NOW - HOUR),
            backed_up: Some(NOW - 2 * DAY),
            drilled: Some(NOW - 9 * DAY),
            ..quiet()
        };
        let all = [
            HealthProblem::PaymentWithoutOrder,
            HealthProblem::ProviderDown,
            HealthProblem::ClocksDiffer,
            HealthProblem::DiskAlmostFull,
            HealthProblem::EventsWait,
            HealthProblem::NotReconciled,
            HealthProblem::EmailsWait,
            HealthProblem::EmailsFailed,
            HealthProblem::OpenAlerts,
            HealthProblem::BackupOld,
            HealthProblem::DrillOld,
        ];
        assert_eq!(problems(&broken, false, Some(-30_001), Some(LEAST_DISK - 1), NOW), all);
    }

    #[test]
    fn an_alert_about_a_payment_is_one_problem() {
        let counts = Counts { alerts: 1, payments: 1, ..quiet() };
        assert_eq!(problems(&counts, true, None, None, NOW), [HealthProblem::PaymentWithoutOrder]);
    }
}
