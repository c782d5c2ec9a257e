//! `nudgelight check`: checks the configuration and every external service.
//!
//! Nothing is sent, bought or changed. Each check is one file with one function that returns a [`Status`].

mod analytics;
mod bot_check;
mod clock;
mod copy;
mod database;
mod dns;
mod mail;
mod passkeys;
mod payments;
mod seller;
mod sender;
mod signing_key;
mod status;
mod tax;

use sqlx::AnyConnection;

pub use self::status::Status;
use crate::config::Config;
use crate::infra::clock::Clock;
use crate::settings;
use crate::settings::values::Settings;

pub struct CheckResult {
    pub subject: &'static str,
    pub status: Status,
}

impl std::fmt::Display for CheckResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (word, message) = match &self.status {
            Status::Works(message) => ("works", message),
            Status::Fails(message) => ("FAILS", message),
        };
        write!(f, "{word}  {}: {message}.", self.subject)
    }
}

/// Runs all checks, one after the other.
pub async fn check(config: &Config, clock: &Clock) -> Vec<CheckResult> {
    let database::Database { status, durability, now_ms, mut connection } = database::check(config).await;
    let mut results = vec![("database", status)];
    results.extend(durability.map(|durability| ("durability", durability)));
    results.extend(now_ms.map(|now_ms| ("clock", clock::status(now_ms, clock.now_ms()))));
    results.push(("signing key", signing_key::status(config, connection.as_mut()).await));
    let settings = settings_in_force(config, connection.as_mut()).await;
    let support_email = settings.support_email.clone();
    results.push(("mail", mail::status(config, &support_email).await));
    if let Some(connection) = connection.as_mut() {
        results.push(("outbox", mail::outbox_status(connection, clock.now_ms()).await));
        results.push(("copy", copy::status(config, connection).await));
    }
    results.push(("seller", seller::status(config, &settings)));
    results.extend(sender::statuses(config, &support_email).await);
    let payments = payments::status(config, clock).await;
    // Without a working payment provider, tax would fail for the same reason.
    let tax = if payments.is_good() { Some(tax::status(config, clock).await) } else { None };
    results.push(("payments", payments));
    results.extend(tax.map(|tax| ("tax", tax)));
    results.push(("bot check", bot_check::status(config, clock.now_ms()).await));
    results.push(("passkeys", passkeys::status(config)));
    results.push(("analytics", analytics::status(config)));
    results.into_iter().map(|(subject, status)| CheckResult { subject, status }).collect()
}

/// An unreadable database is a failed check of its own.
async fn settings_in_force(config: &Config, connection: Option<&mut AnyConnection>) -> Settings {
    let stored = match connection {
        Some(connection) => settings::load(connection, &config.settings).await.ok(),
        None => None,
    };
    stored.unwrap_or_else(|| Settings::default().with_environment(&config.settings))
}
